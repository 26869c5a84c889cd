// A recorded game, walked from position to position: what the loader asks of a game's rules and of an encoding.
#pragma once

#include <algorithm>
#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "encodings/chess_encoders.h"
#include "encodings/encoder.h"
#include "games/chess/targets.h"
#include "games/game.h"

namespace philidor::train {

using encodings::PolicyIndex;

// `begin` is false where a game cannot start, or not with this encoding. At each position `find_moves` comes first; it
// returns how many there are, 0 after the end. `play` and `encode` need one of them, and `encode` room for each.
// Without `has_history` a position is encoded as if nothing but itself were known.
template <typename W>
concept GameWalk = std::copyable<W> && requires(W walk, const W& now, std::string_view start, int index, bool flag,
                                                std::uint64_t* planes, float* scalars, PolicyIndex* legal) {
    { now.words() } -> std::same_as<int>;
    { now.scalars() } -> std::same_as<int>;
    { walk.begin(start) } -> std::same_as<bool>;
    { now.to_move() } -> std::same_as<int>;
    { walk.find_moves() } -> std::same_as<int>;
    { walk.play(index) };
    { walk.encode(flag, planes, scalars, legal) };
    { now.phase() } -> std::same_as<int>;
};

// Chess. Every board of the game is kept until the next one begins, so that a history is a list of pointers.
template <typename Encoder>
class ChessWalk {
  public:
    explicit ChessWalk(Encoder encoder) : encoder_(encoder) {}
    // Boards and states point at each other: a copy begins anew.
    ChessWalk(const ChessWalk& other) : encoder_(other.encoder_) {}
    ChessWalk& operator=(const ChessWalk& other) {
        encoder_ = other.encoder_;
        plies_ = 0;
        return *this;
    }

    int words() const { return encoder_.words(); }
    int scalars() const { return encoder_.scalars(); }

    bool begin(std::string_view start) {
        plies_ = 0;
        reserve(1);
        try {
            chess::parse_fen(start.empty() ? chess::kStartFen : start, boards_[0], states_[0]);
        } catch (const chess::FenError&) {
            return false;
        }
        return encoder_.knows(boards_[0]);
    }
    int to_move() const { return board().to_move(); }
    int find_moves() {
        targets_.find(board());
        return targets_.count();
    }
    void play(int index) {
        const chess::Move move = targets_.nth(board(), index);
        reserve(std::size_t(plies_) + 2);
        boards_[std::size_t(plies_) + 1] = board();
        ++plies_;
        boards_[std::size_t(plies_)].make(move, states_[std::size_t(plies_)]);
    }
    void encode(bool has_history, std::uint64_t* planes, float* scalars, PolicyIndex* legal) {
        chess::Move moves[chess::kMaxMoves];
        const std::span<const chess::Move> all(moves, targets_.write(board(), moves));
        if (!has_history) return encode_alone(all, planes, scalars, legal);
        const int count = std::min(plies_ + 1, encoder_.boards_needed(board()));
        history_.resize(std::size_t(count));
        for (int i = 0; i < count; ++i) history_[std::size_t(i)] = &boards_[std::size_t(plies_ - i)];
        encoder_.encode(history_, all, planes, scalars, legal);
    }
    // Pieces but kings and pawns, by weight: 24 at the start, 0 when only kings and pawns are left.
    int phase() const {
        using namespace philidor::chess;
        return popcount(board().pieces(kKnight) | board().pieces(kBishop)) + 2 * popcount(board().pieces(kRook)) +
               4 * popcount(board().pieces(kQueen));
    }

  private:
    const chess::Board& board() const { return boards_[std::size_t(plies_)]; }

    // Room for so many positions. Growing moves the states, so that all links must be tied anew.
    void reserve(std::size_t count) {
        if (count <= states_.size()) return;
        states_.resize(std::max<std::size_t>(2 * count, 256));
        boards_.resize(states_.size());
        for (std::size_t i = 0; i <= std::size_t(plies_); ++i) {
            if (i > 0) states_[i].previous = &states_[i - 1];
            boards_[i].rebase(states_[i]);
        }
    }

    // As the position's FEN would be encoded, which tells en passant only where it is legal.
    void encode_alone(std::span<const chess::Move> moves, std::uint64_t* planes, float* scalars, PolicyIndex* legal) {
        chess::State state = board().state();
        state.previous = nullptr;
        state.plies_from_null = 0;
        state.en_passant_raw = state.en_passant;
        chess::Board alone = board();
        alone.rebase(state);
        const chess::Board* const history[] = {&alone};
        encoder_.encode(history, moves, planes, scalars, legal);
    }

    Encoder encoder_;
    int plies_ = 0;
    std::vector<chess::Board> boards_ = std::vector<chess::Board>(256);
    std::vector<chess::State> states_ = std::vector<chess::State>(256);
    std::vector<const chess::Board*> history_;
    chess::LegalTargets targets_;
};

// A small game, whose states know nothing of their past. The texts of its start positions are read in Python.
template <games::Game G, encodings::EncoderOf<G> Encoder>
class SmallGameWalk {
  public:
    using Starts = std::unordered_map<std::string, G>;  // with that of the normal start, which is the empty text

    SmallGameWalk(Starts starts, Encoder encoder)
        : starts_(std::move(starts)), encoder_(encoder), state_(starts_.begin()->second) {}

    int words() const { return encoder_.words(); }
    int scalars() const { return encoder_.scalars(); }

    bool begin(std::string_view start) {
        const auto found = starts_.find(std::string(start));
        if (found == starts_.end()) return false;
        state_ = found->second;
        return true;
    }
    int to_move() const { return state_.to_move(); }
    int find_moves() { return state_.result() == games::Result::kOngoing ? state_.move_count() : 0; }
    void play(int index) { state_.play(state_.nth_move(index)); }
    void encode(bool, std::uint64_t* planes, float* scalars, PolicyIndex* legal) {
        encoder_.encode(state_, planes, scalars, legal);
    }
    int phase() const { return 0; }

  private:
    Starts starts_;
    Encoder encoder_;
    G state_;
};

static_assert(GameWalk<ChessWalk<encodings::AlphaZeroEncoder>> && GameWalk<ChessWalk<encodings::LeelaEncoder>>);

}  // namespace philidor::train
