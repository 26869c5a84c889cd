#include "evaluators/nnue/architecture.h"

#include <algorithm>
#include <stdexcept>

#include "evaluators/nnue/kernels.h"

namespace philidor::evaluators::nnue {

using namespace chess;

int Features::count() const { return stride() * (1 + *std::max_element(buckets.begin(), buckets.end())); }

void Architecture::check() const {
    const auto demand = [](bool is_fine, const char* words) {
        if (!is_fine) throw std::invalid_argument(words);
    };
    for (int bucket : features.buckets) demand(bucket >= 0 && bucket < 64, "king buckets must be 0 to 63");
    demand(features.black_mask == 56 || features.black_mask == 63, "Black's view must be flipped or rotated");
    demand(features.spare >= 0 && features.spare <= 64, "spare inputs must be 0 to 64");
    demand(width >= kWidthStep && width <= kMaxWidth && width % kWidthStep == 0, "width must be a multiple of 64");
    demand(activation != Activation::kPairwise || width % (2 * kWidthStep) == 0,
           "the width of pairwise products must be a multiple of 128");
    demand(hidden.size() <= std::size_t(kMaxHidden), "too many hidden layers");
    demand(activation != Activation::kSquared || hidden.empty(), "squared activations feed the output directly");
    for (int size : hidden) demand(size >= 1 && size <= kMaxLayer, "hidden layers must have 1 to 1024 outputs");
    demand(output_buckets >= 1 && output_buckets <= 32, "output buckets must be 1 to 32");
    demand(scale_numerator >= 1 && scale_denominator >= 1, "a scale must be positive");
}

InputTable::InputTable(const Features& features)
    : slot_count_(64 * (features.is_mirrored ? 2 : 1)), has_kings_(features.has_kings) {
    for (Color view : {kWhite, kBlack}) {
        View& side = views_[view];
        for (int king = 0; king < 64; ++king) {
            int turn = view == kBlack ? features.black_mask : 0;
            const bool is_turned = features.is_mirrored && ((king ^ turn) & 7) >= 4;
            if (is_turned) turn ^= 7;
            const int bucket = features.buckets[std::size_t(king ^ turn)];
            side.turn[std::size_t(king)] = std::uint8_t(turn);
            side.base[std::size_t(king)] = features.stride() * bucket + features.spare;
            side.slot[std::size_t(king)] = std::uint8_t(bucket + (is_turned ? 64 : 0));
        }
        side.plane.fill(0);
        for (Color color : {kWhite, kBlack})
            for (int type = kPawn; type <= kKing; ++type)
                side.plane[make_piece(color, PieceType(type))] = 64 * (2 * (type - kPawn) + (color != view));
    }
}

}  // namespace philidor::evaluators::nnue
