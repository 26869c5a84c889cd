// The NNUE engine: alpha-beta over an efficiently updatable network (book, 4.6).
#pragma once

#include <memory>

#include "evaluators/nnue/network.h"
#include "search/alphabeta/engine.h"

namespace philidor::players {

std::unique_ptr<search::AlphaBetaEngine> make_nnue_engine(std::shared_ptr<const evaluators::nnue::Network> network);
// The same with the handcrafted evaluation where one side is far ahead (book, 4.6.5).
std::unique_ptr<search::AlphaBetaEngine> make_hybrid_engine(std::shared_ptr<const evaluators::nnue::Network> network);

}  // namespace philidor::players
