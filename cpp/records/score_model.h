// The scores of a game as bits: in steps of four centipawns, each by what it differs from the other side's before it.
// Mates are exact.
#pragma once

#include <array>
#include <cstdint>

#include "records/bit_model.h"
#include "records/record.h"

namespace philidor::records {

class ScoreModel {
  public:
    // The sets of mixing weights that scores use, from `first_mixer` on.
    static constexpr unsigned kMixers = 5;

    ScoreModel(BitModel& bits, unsigned first_mixer) : bits_(bits), mixer_(first_mixer) {}

    // What comes back of a score: a multiple of the step; mates and missing ones stay.
    static std::int16_t rounded(std::int16_t score);

    void begin_game();
    // `is_after_capture`: the move before was one. Throws RecordError if what was read is no score.
    std::int16_t code(std::int16_t score, std::size_t ply, bool is_after_capture);

  private:
    enum class Kind : std::uint32_t { kNone, kCentipawns, kMate };
    static Kind kind_of(int score);

    Kind code_kind(Kind kind, std::size_t ply);
    int code_mate(int score);
    int code_change(int change, bool is_after_capture);

    BitModel& bits_;
    unsigned mixer_;
    Kind last_kind_ = Kind::kNone;
    int last_mate_ = 0;        // the last score, if it was a mate
    int last_steps_ = 0;       // the last score, in steps
    int changes_[2] = {0, 0};  // how the last two differed from what was expected
};

}  // namespace philidor::records
