// AlphaZero's 119 planes of chess; the twin of encodings/alphazero.py, which explains them.
#pragma once

#include <cstdint>

#include "encodings/chess_moves.h"
#include "encodings/history.h"

namespace philidor::encodings {

inline constexpr int kAlphaZeroPackedPlanes = 14 * kHistory, kAlphaZeroScalars = 7;

// Standard chess only: the rights of Chess960 have no planes.
void encode_alphazero(History history, std::uint64_t* planes, float* scalars);
PolicyIndex alphazero_index(const chess::Board& board, chess::Move move);

}  // namespace philidor::encodings
