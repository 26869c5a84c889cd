// Go as a game to be searched: the board, whose turn it is, the ko rules and the end. The twin of games/go/state.py.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "games/game.h"
#include "games/go/board.h"
#include "games/go/playout.h"

namespace philidor::games {

namespace go {

// What may not come back: the position before the last move only, any earlier board, or any earlier board with the
// same player to move.
enum class KoRule : std::uint8_t { kSimple, kPositional, kSituational };
// By its name in Python. Throws std::invalid_argument.
KoRule ko_rule_named(std::string_view name);

struct Rules {
    double komi = 7.5;
    KoRule ko = KoRule::kPositional;
    bool suicide = false;  // of more than one stone; a single stone is a pass at best
    int max_plies = 722;   // the game then ends and is scored
};

}  // namespace go

class Go {
  public:
    static constexpr const char* kName = "go";
    static constexpr const char* kFields =
        "width, height, komi, ko rule, suicide, longest game, stones, player to move, ply, passes, ko, past: one "
        "character a square, row by row from the bottom; the last moves and the boards before this, newest first";
    using Fields = std::tuple<int, int, double, std::string, bool, int, std::string, int, int, int, int,
                              std::vector<std::string>, std::vector<int>, std::vector<std::string>>;

    // From Python's fields. Throws std::invalid_argument.
    Go(int width, int height, double komi, const std::string& ko_rule, bool suicide, int max_plies,
       const std::string& stones, int to_move, int ply, int passes, int ko, const std::vector<std::string>& past,
       const std::vector<int>& recent, const std::vector<std::string>& before)
        : Go(width, height, {komi, go::ko_rule_named(ko_rule), suicide, max_plies}, stones, to_move, ply, passes, ko,
             past, recent, before) {}
    // The empty board, or any other: one character a square, row by row from the bottom, 'X' black and 'O' white.
    // `ko` is a square or -1. `past` has the boards that may not come back, each followed by the letter of the player
    // to move if the rule is situational. `recent` has the last moves, newest first, and `before` the boards that they
    // were played on, as far as encoders show them. Throws std::invalid_argument.
    Go(int width, int height, const go::Rules& rules, std::string_view stones = {}, int to_move = 0, int ply = 0,
       int passes = 0, int ko = -1, const std::vector<std::string>& past = {}, const std::vector<int>& recent = {},
       const std::vector<std::string>& before = {});

    int to_move() const { return to_move_; }
    Result result() const { return result_; }
    int move_count() const { return count_; }
    // A move is a square's number, or `area()` for a pass, which comes last.
    MoveCode nth_move(int index) const {
        return MoveCode(index == count_ - 1 ? board_.area() : board_.square_of(go::nth_point(legal_words(), index)));
    }
    void play(MoveCode move);

    // The last of the moves is always a pass, which self-play can leave out.
    static constexpr bool kPassesLast = true;

    // Boards as encoders see them: square i is bit i % 64 of word i / 64. `turns` counts back from this one, which is
    // 0; boards that are not known are empty.
    static constexpr int kHistory = 8;
    int words() const { return (area() + 63) / 64; }
    void write_board(int player, std::uint64_t* words, int turns = 0) const;
    ActionIndex action_index(MoveCode move) const { return move; }

    const go::Board& board() const { return board_; }
    const go::Rules& rules() const { return rules_; }
    int width() const { return board_.width(); }
    int height() const { return board_.height(); }
    int area() const { return board_.area(); }
    int ply() const { return ply_; }
    int passes() const { return passes_; }
    // The square that may not be played because a stone was just taken there, or -1.
    int ko() const { return ko_ == go::kNoPoint ? -1 : board_.square_of(ko_); }
    bool is_legal(MoveCode move) const;
    // The points that may be played, as bits; only while the game goes on.
    std::span<const std::uint64_t> legal_words() const { return std::span(legal_).first(board_.empty_words().size()); }
    // Where the stone of so many turns ago was put, 0 the last one; kNoPoint for a pass and where it is not known.
    static constexpr int kRecentMoves = 7;
    go::Point recent(int turns) const { return recent_moves_[std::size_t(turns)]; }
    // Black's points less White's and komi, of the board as it stands.
    double score() const { return board_.score() - rules_.komi; }
    // Why the game ended.
    const char* ending() const { return passes_ >= 2 ? "two passes" : "move limit"; }

    // Plays to the end without a tree; this state is used up.
    template <typename Random>
    PlayedOut playout(Random& random, int limit) {
        const int most = std::min(limit, 3 * area());
        const go::Playout end = go::play_out(board_, to_move_, passes_, ko_, most, random);
        return {result_of(end.score), end.moves};
    }

  private:
    // Boards of the past: what was before the root of a search is shared by all states below it, what came since is
    // copied with the state. One bit in 1,024 for each, to see at once that most boards are new.
    static constexpr int kRecent = 64;
    using Past = std::vector<std::uint64_t>;

    std::uint64_t situation(std::uint64_t key, int to_move) const {
        return rules_.ko == go::KoRule::kSituational && to_move != 0 ? ~key : key;
    }
    // Both players' stones by square.
    static constexpr int kBoardWords = (go::kMaxArea + 63) / 64;
    using Stones = std::array<std::array<std::uint64_t, kBoardWords>, 2>;
    Stones& stones_ago(int turns) { return stones_[std::size_t((newest_ + kHistory - turns) % kHistory)]; }
    void note_stones(Stones& stones) const;

    void remember(std::uint64_t situation);
    bool has_been(std::uint64_t situation) const;
    bool repeats(go::Point p, go::Color color) const;
    bool is_allowed(go::Point p, go::Color color) const;
    Result result_of(int board_score) const {
        const double score = board_score - rules_.komi;
        return score == 0 ? Result::kDraw : win_of(score > 0 ? 0 : 1);
    }
    // Sees what may be played, or how the game has ended.
    void settle();

    go::Board board_;
    go::Rules rules_;
    std::uint64_t legal_[go::kMaxWords] = {};
    int count_ = 0;
    int to_move_, ply_, passes_;
    go::Point ko_ = go::kNoPoint;
    std::array<go::Point, kRecentMoves> recent_moves_{};
    // A ring of the last boards, for encoders.
    std::array<Stones, kHistory> stones_{};
    int newest_ = 0;
    Result result_ = Result::kOngoing;
    bool has_taken_ = false;  // before that nothing can come back
    int recent_count_ = 0;
    std::uint64_t recent_[kRecent];
    std::uint64_t bits_[16] = {};
    std::shared_ptr<const Past> past_;
};

static_assert(NativeGame<Go>);

}  // namespace philidor::games
