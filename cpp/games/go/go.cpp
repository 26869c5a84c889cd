#include "games/go/go.h"

#include <algorithm>
#include <stdexcept>

namespace philidor::games {

using go::Color;
using go::KoRule;
using go::Point;

namespace {

void check(bool is_right, const char* what) {
    if (!is_right) throw std::invalid_argument(what);
}

// Puts stones down. Squares to come count as empty, so a stone is only taken from a board that is no position.
void set_up(go::Board& board, std::string_view stones) {
    check(stones.empty() || int(stones.size()) == board.area(), "one character a square");
    for (int square = 0; square < int(stones.size()); ++square) {
        const char letter = stones[std::size_t(square)];
        check(letter == 'X' || letter == 'O' || letter == '.', "a square is one of 'XO.'");
        if (letter != '.')
            check(board.place(board.point_of(square), letter == 'X' ? go::kBlack : go::kWhite) == 0,
                  "a chain has no liberty");
    }
}

}  // namespace

go::KoRule go::ko_rule_named(std::string_view name) {
    if (name == "simple") return KoRule::kSimple;
    if (name == "positional") return KoRule::kPositional;
    if (name == "situational") return KoRule::kSituational;
    throw std::invalid_argument("a ko rule is simple, positional or situational, got " + std::string(name));
}

Go::Go(int width, int height, const go::Rules& rules, std::string_view stones, int to_move, int ply, int passes, int ko,
       const std::vector<std::string>& past, const std::vector<int>& recent, const std::vector<std::string>& before)
    : board_(width, height), rules_(rules), to_move_(to_move), ply_(ply), passes_(passes) {
    check((to_move == 0 || to_move == 1) && ply >= 0 && passes >= 0 && passes <= 2, "no such turn");
    check(ko >= -1 && ko < area(), "no such square for a ko");
    set_up(board_, stones);
    if (ko >= 0) ko_ = board_.point_of(ko);
    for (std::size_t i = 0; i < std::min(recent.size(), recent_moves_.size()); ++i) {
        check(recent[i] >= 0 && recent[i] <= area(), "no such move");
        if (recent[i] < area()) recent_moves_[i] = board_.point_of(recent[i]);
    }
    note_stones(stones_ago(0));
    for (int turns = 1; turns < kHistory && turns <= int(before.size()); ++turns) {
        const std::string& text = before[std::size_t(turns - 1)];
        check(int(text.size()) == area(), "an earlier board has another size");
        for (int square = 0; square < area(); ++square)
            if (const char letter = text[std::size_t(square)]; letter == 'X' || letter == 'O')
                stones_ago(turns)[letter == 'O'][std::size_t(square / 64)] |= std::uint64_t{1} << square % 64;
    }
    auto boards = std::make_shared<Past>();
    for (const std::string& text : past) {
        check(int(text.size()) == area() + (rules.ko == KoRule::kSituational), "a board of the past has another size");
        std::uint64_t key = 0;
        for (int square = 0; square < area(); ++square) {
            const char letter = text[std::size_t(square)];
            if (letter == 'X' || letter == 'O') key ^= go::stone_key(square, letter == 'X' ? go::kBlack : go::kWhite);
        }
        boards->push_back(situation(key, text.back() == 'O' ? 1 : 0));
    }
    // Stones that were taken before are known by the boards only.
    has_taken_ = !past.empty();
    std::ranges::sort(*boards);
    for (const std::uint64_t board : *boards) bits_[board % 1024 / 64] |= std::uint64_t{1} << board % 64;
    past_ = std::move(boards);
    remember(situation(board_.key(), to_move_));
    settle();
}

void Go::play(MoveCode move) {
    const Color color = go::stone_of(to_move_);
    ko_ = go::kNoPoint;
    ++ply_;
    to_move_ ^= 1;
    std::ranges::copy_backward(std::span(recent_moves_).first(kRecentMoves - 1), recent_moves_.end());
    recent_moves_[0] = go::kNoPoint;
    newest_ = (newest_ + 1) % kHistory;
    stones_ago(0) = stones_ago(1);
    if (move == area()) {
        ++passes_;
    } else {
        const Point p = board_.point_of(move);
        const bool is_inside = board_.count(p, go::other(color)) == 4;
        Point single = go::kNoPoint;
        const int taken = board_.place(p, color, single);
        if (is_inside && taken == 1) ko_ = single;
        has_taken_ |= taken > 0;
        stones_ago(0)[std::size_t(color == go::kWhite)][move / 64] |= std::uint64_t{1} << move % 64;
        if (taken > 0) note_stones(stones_ago(0));
        passes_ = 0;
        recent_moves_[0] = p;
    }
    if (rules_.ko != KoRule::kSimple) remember(situation(board_.key(), to_move_));
    settle();
}

void Go::remember(std::uint64_t situation) {
    if (recent_count_ == kRecent) {
        auto merged = std::make_shared<Past>(*past_);
        merged->insert(merged->end(), recent_, recent_ + kRecent);
        std::ranges::sort(*merged);
        past_ = std::move(merged);
        recent_count_ = 0;
    }
    recent_[recent_count_++] = situation;
    bits_[situation % 1024 / 64] |= std::uint64_t{1} << situation % 64;
}

bool Go::has_been(std::uint64_t situation) const {
    if ((bits_[situation % 1024 / 64] >> situation % 64 & 1) == 0) return false;
    return std::find(recent_, recent_ + recent_count_, situation) != recent_ + recent_count_ ||
           std::ranges::binary_search(*past_, situation);
}

// Whether a stone there would make an earlier board again.
bool Go::repeats(Point p, Color color) const {
    std::uint64_t key = board_.key() ^ go::stone_key(board_.square_of(p), color);
    const auto take = [&](Point chain, Color owner) {
        Point stone = chain;
        do {
            key ^= go::stone_key(board_.square_of(stone), owner);
            stone = board_.next(stone);
        } while (stone != chain);
    };
    const auto neighbors = board_.neighbors(p);
    // A chain that touches the point twice is met twice: only its first neighbor counts.
    const auto is_first = [&](std::size_t i) {
        for (std::size_t j = 0; j < i; ++j)
            if (board_.head(neighbors[j]) == board_.head(neighbors[i])) return false;
        return true;
    };
    bool takes = false;
    for (std::size_t i = 0; i < 4; ++i)
        if (board_.at(neighbors[i]) == go::other(color) && is_first(i) && board_.is_taken_by(neighbors[i], p)) {
            take(neighbors[i], go::other(color));
            takes = true;
        }
    if (!takes && board_.is_suicide(p, color)) {
        key ^= go::stone_key(board_.square_of(p), color);
        for (std::size_t i = 0; i < 4; ++i)
            if (board_.at(neighbors[i]) == color && is_first(i)) take(neighbors[i], color);
    }
    return has_been(situation(key, to_move_ ^ 1));
}

bool Go::is_allowed(Point p, Color color) const {
    if (p == ko_ && board_.takes_back(p, color)) return false;
    if (board_.is_suicide(p, color)) {
        if (!rules_.suicide) return false;
        bool has_friend = false;
        for (const Point n : board_.neighbors(p)) has_friend |= board_.at(n) == color;
        if (!has_friend) return false;
        return rules_.ko == KoRule::kSimple || !repeats(p, color);
    }
    return rules_.ko == KoRule::kSimple || !has_taken_ || !repeats(p, color);
}

void Go::note_stones(Stones& stones) const {
    stones = {};
    for (int square = 0; square < area(); ++square)
        if (const Color color = board_.at(board_.point_of(square)); color != go::kEmpty)
            stones[color == go::kWhite][std::size_t(square / 64)] |= std::uint64_t{1} << square % 64;
}

void Go::write_board(int player, std::uint64_t* words, int turns) const {
    const Stones& stones = stones_[std::size_t((newest_ + kHistory - turns) % kHistory)];
    std::copy_n(stones[std::size_t(player)].begin(), this->words(), words);
}

bool Go::is_legal(MoveCode move) const {
    if (result_ != Result::kOngoing || move > area()) return false;
    if (move == area()) return true;
    const Point p = board_.point_of(move);
    return legal_[p / 64] >> p % 64 & 1;
}

void Go::settle() {
    if (passes_ >= 2 || ply_ >= rules_.max_plies) {
        result_ = result_of(board_.score());
        count_ = 0;
        return;
    }
    const Color color = go::stone_of(to_move_);
    std::ranges::fill(legal_, 0);
    count_ = 1;
    go::for_each_point(board_.empty_words(), [&](Point p) {
        if (!is_allowed(p, color)) return;
        legal_[p / 64] |= std::uint64_t{1} << p % 64;
        ++count_;
    });
}

}  // namespace philidor::games
