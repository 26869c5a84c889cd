// What a pool asks of an encoder: one state of a native game into packed planes, scalars and places of the policy.
#pragma once

#include <concepts>
#include <cstdint>

#include "encodings/chess_moves.h"
#include "games/game.h"

namespace philidor::encodings {

// `words()` 64-bit words of planes and `scalars()` numbers a state; `legal`, which has room for
// `move_count()` places, gets one for each of its moves, in canonical order. The state must not be over.
template <typename E, typename G>
concept EncoderOf =
    std::copyable<E> && games::Game<G> &&
    requires(const E& encoder, const G& state, std::uint64_t* planes, float* scalars, PolicyIndex* legal) {
        { encoder.words() } -> std::same_as<int>;
        { encoder.scalars() } -> std::same_as<int>;
        { encoder.encode(state, planes, scalars, legal) };
    };

}  // namespace philidor::encodings
