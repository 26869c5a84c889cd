// The shape of an NNUE network as data; the native side of nets/nnue/architecture.py, which explains the fields.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/chess/types.h"

namespace philidor::evaluators::nnue {

enum class Activation : std::uint8_t { kClipped, kSquared, kPairwise };

struct Features {
    std::array<int, 64> buckets{};
    int black_mask = 56;  // what squares are XORed with in Black's view
    bool is_mirrored = false;
    bool has_kings = true;
    int spare = 0;

    int stride() const { return 64 * (has_kings ? 12 : 10) + spare; }
    int count() const;
};

struct Architecture {
    Features features;
    int width = 0;
    Activation activation = Activation::kClipped;
    std::vector<int> hidden;
    int output_buckets = 1;
    int scale_numerator = 1;
    int scale_denominator = 1;

    int first_inputs() const { return activation == Activation::kPairwise ? width : 2 * width; }
    int output_bucket(int pieces) const { return (pieces - 2) / ((32 + output_buckets - 1) / output_buckets); }
    int centipawns(std::int32_t raw) const {
        return int(std::int64_t(raw) * scale_numerator / scale_denominator);  // toward zero
    }
    // Throws std::invalid_argument for a shape that the kernels cannot compute.
    void check() const;
};

// Where a piece's column is, without a branch: three small lookups.
class InputTable {
  public:
    explicit InputTable(const Features& features);

    // Whether this kind of piece is an input at all.
    bool has(chess::Piece piece) const { return has_kings_ || chess::type_of(piece) != chess::kKing; }
    // The input of a piece in a side's view, whose own king stands on `king`.
    int index(chess::Color view, chess::Square king, chess::Piece piece, chess::Square square) const {
        const View& side = views_[view];
        return side.base[king] + side.plane[piece] + (square ^ side.turn[king]);
    }
    // Two squares of the own king with the same slot switch on the same inputs for all other pieces.
    int slot(chess::Color view, chess::Square king) const { return views_[view].slot[king]; }
    int slot_count() const { return slot_count_; }

  private:
    struct View {
        std::array<int, 64> base;
        std::array<int, 16> plane;
        std::array<std::uint8_t, 64> turn;
        std::array<std::uint8_t, 64> slot;
    };
    std::array<View, 2> views_;
    int slot_count_;
    bool has_kings_;
};

}  // namespace philidor::evaluators::nnue
