#include "train/dense_batches.h"

#include "evaluators/deepchess/network.h"
#include "evaluators/giraffe/features.h"
#include "train/parallel.h"

namespace philidor::train {

void fill(const PositionSet& set, std::span<const std::uint32_t> indices, const GiraffeBatch& batch, int threads) {
    using namespace evaluators::giraffe;
    in_parallel(indices.size(), threads, [&](std::size_t begin, std::size_t end) {
        chess::State state;
        for (std::size_t i = begin; i < end; ++i) {
            const PackedPosition& packed = set[indices[i]];
            write_features(unpack(packed, state), batch.features + i * kFeatures);
            batch.score[i] = packed.known_score();
            batch.result[i] = float(packed.result) / 2;
        }
    });
}

void fill(const PositionSet& set, std::span<const std::uint32_t> indices, const DeepChessBatch& batch, int threads) {
    using namespace evaluators::deepchess;
    in_parallel(indices.size(), threads, [&](std::size_t begin, std::size_t end) {
        chess::State state;
        for (std::size_t i = begin; i < end; ++i) {
            const PackedPosition& packed = set[indices[i]];
            std::int32_t* inputs = batch.inputs + i * kMaxActive;
            const int count = write_inputs(unpack(packed, state), inputs);
            std::fill(inputs + count, inputs + kMaxActive, kInputs);
            const bool is_white = packed.to_move == chess::kWhite;
            batch.score[i] = is_white ? packed.known_score() : -packed.known_score();
            batch.result[i] = float(is_white ? packed.result : 2 - packed.result) / 2;
        }
    });
}

}  // namespace philidor::train
