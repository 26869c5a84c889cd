#include "players/nnue.h"

#include "evaluators/bare_king.h"
#include "evaluators/hybrid.h"
#include "search/alphabeta/engine_of.h"

namespace philidor::players {

namespace {

template <class Network>
std::unique_ptr<search::AlphaBetaEngine> engine_over(std::shared_ptr<const evaluators::nnue::Network> network) {
    using Evaluator = evaluators::WithBareKings<Network>;
    return std::make_unique<search::EngineOf<Evaluator>>(
        [network = std::move(network)](Evaluator& evaluator) { evaluator.inner().set_network(network); });
}

}  // namespace

std::unique_ptr<search::AlphaBetaEngine> make_nnue_engine(std::shared_ptr<const evaluators::nnue::Network> network) {
    return engine_over<evaluators::NnueEvaluator>(std::move(network));
}

std::unique_ptr<search::AlphaBetaEngine> make_hybrid_engine(std::shared_ptr<const evaluators::nnue::Network> network) {
    return engine_over<evaluators::HybridEvaluator>(std::move(network));
}

}  // namespace philidor::players
