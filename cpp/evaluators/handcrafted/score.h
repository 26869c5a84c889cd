// A middlegame and an endgame value in one integer, so that both are added at once.
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

}  // namespace philidor::evaluators::handcrafted
