#include "encodings/alphago.h"

#include <stdexcept>
#include <string>

#include "games/go/ladder.h"
#include "games/go/tactics.h"

namespace philidor::encodings {

namespace {

using games::Go;
using games::go::Board;
using games::go::Chains;
using games::go::Color;
using games::go::kMaxPoints;
using games::go::Point;
namespace go = games::go;

// Where each kind of plane begins. Of eight planes the last stands for "this many or more".
enum Plane : int {
    kOwn = 0,
    kOther = 1,
    kEmpty = 2,
    kOnes = 3,
    kTurnsSince = 4,
    kLiberties = 12,
    kCaptureSize = 20,
    kSelfAtariSize = 28,
    kLibertiesAfter = 36,
    kLadderCapture = 44,
    kLadderEscape = 45,
    kSensible = 46,
};
constexpr int kMost = 8;

class Planes {
  public:
    Planes(std::uint64_t* words, int board_words) : words_(words), board_words_(board_words) {}
    void set(int plane, int square) { words_[plane * board_words_ + square / 64] |= std::uint64_t{1} << square % 64; }
    // One of eight planes for a number from 1 up; none for 0.
    void set_number(int first, int number, int square) {
        if (number > 0) set(first + std::min(number, kMost) - 1, square);
    }

  private:
    std::uint64_t* words_;
    int board_words_;
};

void show_stones(const Go& state, Chains& chains, int planes, Planes& out) {
    const Board& board = state.board();
    const Color own = go::stone_of(state.to_move());
    for (int square = 0; square < board.area(); ++square) {
        const Point p = board.point_of(square);
        const Color there = board.at(p);
        out.set(there == go::kEmpty ? kEmpty : there == own ? kOwn : kOther, square);
        out.set(kOnes, square);
        if (planes > kLiberties && there != go::kEmpty) out.set_number(kLiberties, chains.liberty_count(p), square);
    }
}

// A point that was played twice shows its later stone, and one whose stone was taken none.
void show_turns(const Go& state, Planes& out) {
    const Board& board = state.board();
    int turns[kMaxPoints];
    std::fill_n(turns, kMaxPoints, kMost);
    for (int i = Go::kRecentMoves - 1; i >= 0; --i) turns[state.recent(i)] = i + 1;
    for (int square = 0; square < board.area(); ++square) {
        const Point p = board.point_of(square);
        if (board.at(p) != go::kEmpty) out.set_number(kTurnsSince, turns[p], square);
    }
}

// What each legal stone would do; points where none may be put show nothing.
void show_moves(const Go& state, Chains& chains, Planes& out) {
    if (state.result() != games::Result::kOngoing) return;
    const Board& board = state.board();
    const Color color = go::stone_of(state.to_move());
    go::for_each_point(state.legal_words(), [&](Point p) {
        const int square = board.square_of(p);
        const go::After after = go::after_stone(board, chains, p, color);
        out.set_number(kCaptureSize, after.captured + 1, square);
        if (after.liberties == 1) out.set_number(kSelfAtariSize, after.size, square);
        out.set_number(kLibertiesAfter, after.liberties, square);
        if (!board.is_eye(p, color)) out.set(kSensible, square);
    });
    const Point ko = state.ko() < 0 ? go::kNoPoint : board.point_of(state.ko());
    for (const int square : go::ladder_captures(board, color, ko))
        if (state.is_legal(games::MoveCode(square))) out.set(kLadderCapture, square);
    for (const int square : go::ladder_escapes(board, color, ko))
        if (state.is_legal(games::MoveCode(square))) out.set(kLadderEscape, square);
}

}  // namespace

AlphaGoEncoder AlphaGoEncoder::of(const Go& root, int planes) {
    if (planes != 4 && planes != 12 && planes != 20 && planes != kPlanes && planes != kPlanes + 1)
        throw std::invalid_argument("AlphaGo's inputs have 4, 12, 20, 48 or 49 planes, got " + std::to_string(planes));
    return AlphaGoEncoder(planes, root.words());
}

void AlphaGoEncoder::encode(const Go& state, std::uint64_t* planes, float* scalars, PolicyIndex* legal) const {
    std::fill_n(planes, words(), 0);
    Planes out(planes, board_words_);
    Chains chains(state.board());
    show_stones(state, chains, planes_, out);
    if (planes_ > kTurnsSince) show_turns(state, out);
    if (planes_ > kCaptureSize) show_moves(state, chains, out);
    if (planes_ > kPlanes) scalars[0] = state.to_move() == 0 ? 1.0f : 0.0f;
    // A position that is over is encoded without moves.
    if (state.result() != games::Result::kOngoing) return;
    go::for_each_point(state.legal_words(), [&](Point p) { *legal++ = PolicyIndex(state.board().square_of(p)); });
    *legal = PolicyIndex(state.area());
}

}  // namespace philidor::encodings
