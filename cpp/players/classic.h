// The classic engine: alpha-beta over the handcrafted evaluation (book, ch. 3), and the same over the book's own.
#pragma once

#include <memory>

#include "search/alphabeta/engine.h"

namespace philidor::players {

std::unique_ptr<search::AlphaBetaEngine> make_classic_engine();
std::unique_ptr<search::AlphaBetaEngine> make_book_engine();

}  // namespace philidor::players
