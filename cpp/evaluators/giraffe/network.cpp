#include "evaluators/giraffe/network.h"

#include <cmath>

#include "evaluators/giraffe/features.h"

namespace philidor::evaluators::giraffe {

namespace {

// Far from the scores of mates.
constexpr float kMostCentipawns = 10'000;
constexpr int kGroups[] = {kFacts, kPieceFeatures, kSquareFeatures};

}  // namespace

Network::Network(std::vector<Dense> first, std::vector<Dense> above, float scale)
    : first_(std::move(first)), above_(std::move(above)), scale_(scale) {
    if (first_.size() != std::size(kGroups) || above_.empty())
        throw std::invalid_argument("the wrong number of layers");
    int width = 0;
    for (std::size_t i = 0; i < first_.size(); ++i) {
        if (first_[i].inputs() != kGroups[i]) throw std::invalid_argument("a first layer with other inputs");
        width += first_[i].outputs();
    }
    if (width > Dense::kMaxOutputs) throw std::invalid_argument("the first layers have more than 512 outputs");
    for (const Dense& layer : above_) {
        if (layer.inputs() != width) throw std::invalid_argument("a layer that does not fit the one below");
        width = layer.outputs();
    }
    if (width != 1) throw std::invalid_argument("the last layer must have one output");
}

float Network::raw(const chess::Board& board) const {
    float features[kFeatures], sums[2][Dense::kMaxOutputs];
    write_features(board, features);
    const float* inputs = features;
    float* outputs = sums[0];
    for (const Dense& layer : first_) {
        layer.begin(outputs);
        layer.add_all(inputs, layer.inputs(), 0, outputs);
        layer.rectify(outputs);
        inputs += layer.inputs();
        outputs += layer.outputs();
    }
    int from = 0;
    for (const Dense& layer : above_) {
        layer.begin(sums[from ^ 1]);
        layer.add_all(sums[from], layer.inputs(), 0, sums[from ^ 1]);
        if (&layer != &above_.back()) layer.rectify(sums[from ^ 1]);
        from ^= 1;
    }
    return sums[from][0];
}

int Network::centipawns(float raw) const {
    return int(std::lrint(std::clamp(raw * scale_, -kMostCentipawns, kMostCentipawns)));
}

}  // namespace philidor::evaluators::giraffe
