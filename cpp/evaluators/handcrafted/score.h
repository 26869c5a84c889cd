// A middlegame and an endgame value in one integer, so that both are added at once; and how sums become a verdict.
#pragma once

#include <cstdint>

namespace philidor::evaluators::handcrafted {

using Score = std::int32_t;

constexpr Score make_score(int middlegame, int endgame) {
    return Score((std::uint32_t(endgame) << 16) + std::uint32_t(middlegame));
}
constexpr int middlegame(Score score) { return std::int16_t(std::uint16_t(std::uint32_t(score))); }
// The lower half borrows from the upper when negative; rounding gives it back.
constexpr int endgame(Score score) { return std::int16_t(std::uint16_t((std::uint32_t(score) + 0x8000U) >> 16)); }

// The sums of all terms, before they are put together.
struct Parts {
    Score linear = 0;          // White's view
    Score danger[2] = {0, 0};  // by the attacking side; not centipawns
};

// Centipawns of a danger sum. For integers in play and for reals in tuning.
template <class Number>
constexpr Number danger_middlegame(Number sum) {
    return sum > 0 ? sum * sum / 512 : Number{0};
}
template <class Number>
constexpr Number danger_endgame(Number sum) {
    return sum > 0 ? sum / 16 : Number{0};
}
// Their derivatives, for the tuner.
constexpr double danger_middlegame_slope(double sum) { return sum > 0 ? sum / 256 : 0.0; }
constexpr double danger_endgame_slope(double sum) { return sum > 0 ? 1.0 / 16 : 0.0; }

}  // namespace philidor::evaluators::handcrafted
