// AlphaGo's planes for Go (Silver et al. 2016, Extended Data Table 2): the twin of encodings/alphago.py.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "encodings/encoder.h"
#include "games/go/go.h"

namespace philidor::encodings {

// The first so many of the 48 planes, which are the paper's smaller inputs too; with 49 also whether Black is to move.
// Planes that a smaller input does not show are not computed.
class AlphaGoEncoder {
  public:
    static constexpr const char* kName = "alphago";
    static constexpr int kPlanes = 48;
    using Arguments = std::tuple<int>;  // planes
    template <typename G>
    static constexpr bool kShows = std::is_same_v<G, games::Go>;
    // Throws std::invalid_argument.
    static AlphaGoEncoder of(const games::Go& root, int planes);

    int words() const { return std::min(planes_, kPlanes) * board_words_; }
    int scalars() const { return planes_ > kPlanes; }
    void encode(const games::Go& state, std::uint64_t* planes, float* scalars, PolicyIndex* legal) const;

  private:
    AlphaGoEncoder(int planes, int board_words) : planes_(planes), board_words_(board_words) {}

    int planes_, board_words_;
};

}  // namespace philidor::encodings
