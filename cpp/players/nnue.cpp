#include "players/nnue.h"

#include "evaluators/nnue/evaluator.h"
#include "search/alphabeta/engine_of.h"

namespace philidor::players {

std::unique_ptr<search::AlphaBetaEngine> make_nnue_engine(std::shared_ptr<const evaluators::nnue::Network> network) {
    return std::make_unique<search::EngineOf<evaluators::NnueEvaluator>>(
        [network = std::move(network)](evaluators::NnueEvaluator& evaluator) { evaluator.set_network(network); });
}

}  // namespace philidor::players
