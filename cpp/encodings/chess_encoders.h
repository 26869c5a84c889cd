// AlphaZero's and Leela's encodings of a line of chess, for pools.
#pragma once

#include <span>

#include "encodings/alphazero.h"
#include "encodings/encoder.h"
#include "encodings/leela.h"
#include "games/chess/line.h"

namespace philidor::encodings {

// Both also encode any board with its history and the legal moves that its caller knows.
class AlphaZeroEncoder {
  public:
    int words() const { return kAlphaZeroPackedPlanes; }
    int scalars() const { return kAlphaZeroScalars; }
    // The rights of Chess960 have no planes.
    bool knows(const chess::Board& board) const { return !board.is_chess960(); }
    int boards_needed(const chess::Board&) const { return kHistory; }
    void encode(History history, std::span<const chess::Move> moves, std::uint64_t* planes, float* scalars,
                PolicyIndex* legal) const {
        encode_alphazero(history, planes, scalars);
        for (const chess::Move move : moves) *legal++ = alphazero_index(*history.front(), move);
    }
    void encode(const chess::Line& state, std::uint64_t* planes, float* scalars, PolicyIndex* legal) const {
        encode(PositionHistory(*state.position()), state.moves(), planes, scalars, legal);
    }
};

class LeelaEncoder {
  public:
    explicit LeelaEncoder(LeelaFormat format) : format_(format) {}
    int words() const { return kLeelaPackedPlanes; }
    int scalars() const { return kLeelaScalars; }
    bool knows(const chess::Board&) const { return true; }
    int boards_needed(const chess::Board& board) const { return history_needed(format_, board); }
    void encode(History history, std::span<const chess::Move> moves, std::uint64_t* planes, float* scalars,
                PolicyIndex* legal) const {
        const Turn turn = encode_leela(format_, history, planes, scalars);
        for (const chess::Move move : moves) *legal++ = leela_index(format_, turn, *history.front(), move);
    }
    void encode(const chess::Line& state, std::uint64_t* planes, float* scalars, PolicyIndex* legal) const {
        const chess::Position& position = *state.position();
        encode(PositionHistory(position, boards_needed(position.board())), state.moves(), planes, scalars, legal);
    }

  private:
    LeelaFormat format_;
};

static_assert(EncoderOf<AlphaZeroEncoder, chess::Line> && EncoderOf<LeelaEncoder, chess::Line>);

}  // namespace philidor::encodings
