#include "players/giraffe.h"

#include "evaluators/bare_king.h"
#include "evaluators/giraffe/evaluator.h"
#include "search/alphabeta/engine_of.h"

namespace philidor::players {

std::unique_ptr<search::AlphaBetaEngine> make_giraffe_engine(
    std::shared_ptr<const evaluators::giraffe::Network> network) {
    using Evaluator = evaluators::WithBareKings<evaluators::GiraffeEvaluator>;
    return std::make_unique<search::EngineOf<Evaluator>>(
        [network = std::move(network)](Evaluator& evaluator) { evaluator.inner().set_network(network); });
}

}  // namespace philidor::players
