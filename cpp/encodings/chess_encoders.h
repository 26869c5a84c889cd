// AlphaZero's and Leela's encodings of a line of chess, for pools.
#pragma once

#include "encodings/alphazero.h"
#include "encodings/encoder.h"
#include "encodings/leela.h"
#include "games/chess/line.h"

namespace philidor::encodings {

class AlphaZeroEncoder {
  public:
    int words() const { return kAlphaZeroPackedPlanes; }
    int scalars() const { return kAlphaZeroScalars; }
    void encode(const chess::Line& state, std::uint64_t* planes, float* scalars, PolicyIndex* legal) const {
        const chess::Position& position = *state.position();
        encode_alphazero(PositionHistory(position), planes, scalars);
        for (int i = 0; i < state.move_count(); ++i)
            legal[i] = alphazero_index(position.board(), chess::Move(state.nth_move(i)));
    }
};

class LeelaEncoder {
  public:
    explicit LeelaEncoder(LeelaFormat format) : format_(format) {}
    int words() const { return kLeelaPackedPlanes; }
    int scalars() const { return kLeelaScalars; }
    void encode(const chess::Line& state, std::uint64_t* planes, float* scalars, PolicyIndex* legal) const {
        const chess::Position& position = *state.position();
        const PositionHistory history(position, history_needed(format_, position.board()));
        const Turn turn = encode_leela(format_, history, planes, scalars);
        for (int i = 0; i < state.move_count(); ++i)
            legal[i] = leela_index(format_, turn, position.board(), chess::Move(state.nth_move(i)));
    }

  private:
    LeelaFormat format_;
};

static_assert(EncoderOf<AlphaZeroEncoder, chess::Line> && EncoderOf<LeelaEncoder, chess::Line>);

}  // namespace philidor::encodings
