#include "train/nnue_layers.h"

#include <algorithm>
#include <stdexcept>

#include "train/lanes.h"
#include "train/parallel.h"

namespace philidor::train {

namespace {

using evaluators::nnue::Activation;

// The largest byte of a clipped layer; products of pairs lose the same bits by coincidence: 255 * 255 >> 9 is 127.
constexpr float kByte = 127.0F;
constexpr float kPair = 255.0F * 255.0F / 512.0F;
// Sums of floats may fall just below the integer that they stand for; the fractions that are dropped are far larger.
constexpr float kJustBelow = 1e-3F;
// Positions whose gradients of layers are added up before they are added to the others', in the order of the batch.
constexpr std::size_t kChunk = 256;

float clip(float value) { return std::min(std::max(value, 0.0F), 1.0F); }
float floored(float value, float one) { return float(int(value * one + kJustBelow)) * (1 / one); }
bool is_inside(float value) { return value >= 0 && value <= 1; }

// Two chains of sums, as each waits for its last addition.
float dot(const float* a, const float* b, std::size_t count) {
    Lanes even{}, odd{};
    std::size_t i = 0;
    for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
        even += lanes(a + i) * lanes(b + i);
        odd += lanes(a + i + kLanes) * lanes(b + i + kLanes);
    }
    even += odd;
    float sum = 0;
    for (; i < count; ++i) sum += a[i] * b[i];
    for (std::size_t lane = 0; lane < kLanes; ++lane) sum += even[lane];
    return sum;
}

void add_scaled(float* to, const float* from, float factor, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] += factor * from[i];
}

// --- Activations ---------------------------------------------------------------------------------------------

void activate(const TrainedLayers& network, const float* sums, float* inputs) {
    const std::size_t width = network.width, half = width / 2;
    const float* biases = network.biases;
    switch (network.activation) {
        case Activation::kClipped:
            for (std::size_t i = 0; i < width; ++i) inputs[i] = clip(sums[i] + biases[i]);
            break;
        case Activation::kSquared:
            for (std::size_t i = 0; i < width; ++i) {
                const float value = clip(sums[i] + biases[i]);
                inputs[i] = value * value;
            }
            break;
        case Activation::kPairwise:
            for (std::size_t i = 0; i < half; ++i)
                inputs[i] = floored(clip(sums[i] + biases[i]) * clip(sums[half + i] + biases[half + i]), kPair);
    }
}

// Turns sums into their gradients, from those of the inputs.
void lead_back(const TrainedLayers& network, const float* gradient, float* sums) {
    const std::size_t width = network.width, half = width / 2;
    const float* biases = network.biases;
    switch (network.activation) {
        case Activation::kClipped:
            for (std::size_t i = 0; i < width; ++i) sums[i] = is_inside(sums[i] + biases[i]) ? gradient[i] : 0;
            break;
        case Activation::kSquared:
            for (std::size_t i = 0; i < width; ++i) {
                const float value = clip(sums[i] + biases[i]);
                sums[i] = value < 1 ? 2 * gradient[i] * value : 0;  // at the lower end it is zero by itself
            }
            break;
        case Activation::kPairwise:
            for (std::size_t i = 0; i < half; ++i) {
                const float first = sums[i] + biases[i], second = sums[half + i] + biases[half + i];
                sums[i] = is_inside(first) ? gradient[i] * clip(second) : 0;
                sums[half + i] = is_inside(second) ? gradient[i] * clip(first) : 0;
            }
    }
}

// --- One position --------------------------------------------------------------------------------------------

// The numbers of one position between the layers, and their gradients.
class Room {
  public:
    explicit Room(const TrainedLayers& network) : network_(network) {
        for (const TrainedLayer& layer : network.layers) {
            inputs_.emplace_back(layer.inputs);
            sums_.emplace_back(layer.outputs);
            gradients_.emplace_back(layer.inputs);
        }
    }

    // The last layer's number; what the layers were given is kept.
    float judge(const float* own, const float* other, std::size_t set) {
        activate(network_, own, inputs_[0].data());
        activate(network_, other, inputs_[0].data() + network_.first_inputs() / 2);
        for (std::size_t l = 0;; ++l) {
            const TrainedLayer& layer = network_.layers[l];
            const float* weights = layer.weights + set * layer.outputs * layer.inputs;
            const float* biases = layer.biases + set * layer.outputs;
            for (std::size_t o = 0; o < layer.outputs; ++o)
                sums_[l][o] = dot(weights + o * layer.inputs, inputs_[l].data(), layer.inputs) + biases[o];
            if (l + 1 == network_.layers.size()) return sums_[l][0];
            for (std::size_t o = 0; o < layer.outputs; ++o) inputs_[l + 1][o] = floored(clip(sums_[l][o]), kByte);
        }
    }

    // After `judge` of the same position: adds to the gradients of its layers, and turns its sums into their own.
    void differentiate(float* own, float* other, std::size_t set, float gradient,
                       const std::vector<LayerGradient>& to) {
        for (std::size_t l = network_.layers.size(); l-- > 0;) {
            const TrainedLayer& layer = network_.layers[l];
            const bool is_last = l + 1 == network_.layers.size();
            std::fill(gradients_[l].begin(), gradients_[l].end(), 0.0F);
            for (std::size_t o = 0; o < layer.outputs; ++o) {
                const float at = is_last ? gradient : is_inside(sums_[l][o]) ? gradients_[l + 1][o] : 0;
                if (at == 0) continue;
                const std::size_t row = set * layer.outputs + o;
                to[l].biases[row] += at;
                add_scaled(to[l].weights + row * layer.inputs, inputs_[l].data(), at, layer.inputs);
                add_scaled(gradients_[l].data(), layer.weights + row * layer.inputs, at, layer.inputs);
            }
        }
        lead_back(network_, gradients_[0].data(), own);
        lead_back(network_, gradients_[0].data() + network_.first_inputs() / 2, other);
    }

  private:
    const TrainedLayers& network_;
    std::vector<std::vector<float>> inputs_, sums_, gradients_;  // [layer][input or output]
};

// --- Many ----------------------------------------------------------------------------------------------------

// Gradients of the layers and of the sums' biases from some positions, until they are added to the others'.
struct Share {
    std::vector<std::vector<float>> weights, biases;
    std::vector<float> sum_biases;
    std::vector<LayerGradient> views;

    explicit Share(const TrainedLayers& network) : sum_biases(network.width) {
        for (const TrainedLayer& layer : network.layers) {
            weights.emplace_back(layer.sets * layer.outputs * layer.inputs);
            biases.emplace_back(layer.sets * layer.outputs);
        }
        for (std::size_t l = 0; l < weights.size(); ++l) views.push_back({weights[l].data(), biases[l].data()});
    }
};

}  // namespace

void TrainedLayers::check() const {
    std::size_t inputs = first_inputs();
    for (const TrainedLayer& layer : layers) {
        if (layer.inputs != inputs || layer.sets != layers[0].sets)
            throw std::invalid_argument("the layers do not fit together");
        inputs = layer.outputs;
    }
    if (layers.empty() || inputs != 1) throw std::invalid_argument("the last layer has one output");
}

void judge_sums(const TrainedLayers& network, const Sums<const float>& sums, float* found, int threads) {
    in_parallel(sums.count, threads, [&](std::size_t begin, std::size_t end) {
        Room room(network);
        for (std::size_t i = begin; i < end; ++i) {
            const float* own = sums.values + i * network.width;
            found[i] = room.judge(own, own + sums.count * network.width, sums.sets[i]);
        }
    });
}

void differentiate_sums(const TrainedLayers& network, const Sums<float>& sums, const float* gradient,
                        float* bias_gradient, const std::vector<LayerGradient>& layer_gradients, int threads) {
    const std::size_t chunks = (sums.count + kChunk - 1) / kChunk;
    std::vector<Share> shares;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) shares.emplace_back(network);
    in_parallel(chunks, threads, [&](std::size_t begin, std::size_t end) {
        Room room(network);
        for (std::size_t chunk = begin; chunk < end; ++chunk) {
            Share& share = shares[chunk];
            for (std::size_t i = chunk * kChunk; i < std::min((chunk + 1) * kChunk, sums.count); ++i) {
                float* own = sums.values + i * network.width;
                float* other = own + sums.count * network.width;
                room.judge(own, other, sums.sets[i]);
                room.differentiate(own, other, sums.sets[i], gradient[i], share.views);
                add_scaled(share.sum_biases.data(), own, 1, network.width);
                add_scaled(share.sum_biases.data(), other, 1, network.width);
            }
        }
    });
    for (const Share& share : shares) {
        add_scaled(bias_gradient, share.sum_biases.data(), 1, network.width);
        for (std::size_t l = 0; l < network.layers.size(); ++l) {
            add_scaled(layer_gradients[l].weights, share.weights[l].data(), 1, share.weights[l].size());
            add_scaled(layer_gradients[l].biases, share.biases[l].data(), 1, share.biases[l].size());
        }
    }
}

}  // namespace philidor::train
