// Giraffe: alpha-beta over a small network of floats (book, 2.14).
#pragma once

#include <memory>

#include "evaluators/giraffe/network.h"
#include "search/alphabeta/engine.h"

namespace philidor::players {

std::unique_ptr<search::AlphaBetaEngine> make_giraffe_engine(
    std::shared_ptr<const evaluators::giraffe::Network> network);

}  // namespace philidor::players
