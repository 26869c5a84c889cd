// The small float networks: the same from a packed position as from the board, and no contradictions.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>

#include "evaluators/deepchess/network.h"
#include "evaluators/giraffe/features.h"
#include "evaluators/giraffe/network.h"
#include "tests/chess_walks.h"
#include "train/position_set.h"

namespace philidor::evaluators {

namespace {

Dense made_up(int inputs, int outputs, std::mt19937& random) {
    std::uniform_real_distribution<float> number(-0.5F, 0.5F);
    std::vector<float> weights(std::size_t(inputs) * std::size_t(outputs)), biases;
    for (float& weight : weights) weight = number(random);
    biases.resize(std::size_t(outputs));
    for (float& bias : biases) bias = number(random);
    return {inputs, std::move(weights), std::move(biases)};
}

giraffe::Network made_up_giraffe(std::mt19937& random) {
    return {{made_up(giraffe::kFacts, 4, random), made_up(giraffe::kPieceFeatures, 8, random),
             made_up(giraffe::kSquareFeatures, 8, random)},
            {made_up(20, 6, random), made_up(6, 1, random)},
            500};
}

}  // namespace

TEST_CASE("a packed position is seen as the board was") {
    std::mt19937 random(1);
    const giraffe::Network network = made_up_giraffe(random);
    chess::for_each_random_position(1, 60, [&](const chess::Board& board) {
        if (chess::popcount(board.occupied()) > train::kMaxInputs) return;
        chess::State state;
        const chess::Board unpacked = train::unpack(train::pack(board, 0, 1, 0), state);
        CHECK(network.raw(unpacked) == network.raw(board));
        int active[2][deepchess::kMaxActive];
        const int count = deepchess::write_inputs(board, active[0]);
        REQUIRE(deepchess::write_inputs(unpacked, active[1]) == count);
        CHECK(std::equal(active[0], active[0] + count, active[1]));
    });
}

TEST_CASE("features lie between 0 and their most, and judgments are numbers") {
    std::mt19937 random(2);
    const giraffe::Network network = made_up_giraffe(random);
    chess::for_each_random_position(1, 60, [&](const chess::Board& board) {
        std::array<float, giraffe::kFeatures> features;
        giraffe::write_features(board, features.data());
        for (int i = giraffe::kFacts; i < giraffe::kFeatures; ++i)
            CHECK((features[std::size_t(i)] >= 0 && features[std::size_t(i)] <= 1));
        CHECK(std::isfinite(network.raw(board)));
        CHECK(std::abs(network.centipawns(network.raw(board))) <= 10'000);
    });
}

TEST_CASE("a comparison of swapped positions is the opposite") {
    std::mt19937 random(3);
    const deepchess::Network network({made_up(deepchess::kInputs, 16, random), made_up(16, 8, random)},
                                     {made_up(16, 8, random), made_up(8, 1, random)});
    std::vector<float> last(8), now(8);
    chess::for_each_random_position(1, 40, [&](const chess::Board& board) {
        network.embed(board, now.data());
        CHECK(network.compare(now.data(), last.data()) == -network.compare(last.data(), now.data()));
        CHECK(network.compare(now.data(), now.data()) == 0);
        std::swap(last, now);
    });
}

TEST_CASE("layers that do not fit are refused") {
    std::mt19937 random(4);
    CHECK_THROWS_AS(Dense(3, {1, 2, 3}, {1, 2}), std::invalid_argument);
    CHECK_THROWS_AS(giraffe::Network({made_up(3, 1, random)}, {made_up(1, 1, random)}, 1), std::invalid_argument);
    CHECK_THROWS_AS(deepchess::Network({made_up(773, 4, random)}, {made_up(4, 1, random)}), std::invalid_argument);
}

}  // namespace philidor::evaluators
