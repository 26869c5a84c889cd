// Fully legal move generation: pins, checks, en passant discoveries and castling are settled while
// generating, so that no move has to be tried on the board.
#pragma once

#include <functional>

#include "games/chess/board.h"

namespace philidor::chess {

// Which moves: search asks for captures first and quiets only if it must.
enum class Moves { kAll, kCaptures /* and promotions to queen */, kQuiets /* the rest */ };

// Writes the moves to `list` and returns the end. `list` must have room for kMaxMoves.
template <Moves Which = Moves::kAll>
Move* generate(const Board& board, Move* list);

inline MoveList legal_moves(const Board& board) {
    MoveList list;
    list.set_end(generate<Moves::kAll>(board, list.begin()));
    return list;
}

bool has_legal_move(const Board& board);
bool is_legal_castling(const Board& board, Move move);

// Canonical order (from, to, promotion): the order of records and of the Python API.
void sort_canonical(MoveList& list);
// The move's place in that order, or -1 if it is not legal.
int canonical_index(const MoveList& list, Move move);

// Leaf count of the move tree. `bulk` counts the moves at depth 1 instead of playing them. `pause` is called many times
// a second; what it throws ends the count and leaves the board where it is.
std::uint64_t perft(Board& board, int depth, bool bulk = true, const std::function<void()>& pause = [] {});

}  // namespace philidor::chess
