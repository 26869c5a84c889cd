#include "players/classic.h"

#include "evaluators/book.h"
#include "evaluators/handcrafted/evaluation.h"
#include "search/alphabeta/engine_of.h"

namespace philidor::players {

std::unique_ptr<search::AlphaBetaEngine> make_classic_engine() {
    return std::make_unique<search::EngineOf<evaluators::HandcraftedEvaluator>>();
}

std::unique_ptr<search::AlphaBetaEngine> make_book_engine() {
    return std::make_unique<search::EngineOf<evaluators::BookEvaluator>>();
}

}  // namespace philidor::players
