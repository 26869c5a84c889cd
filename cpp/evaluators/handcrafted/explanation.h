// The handcrafted evaluation of one position, term by term, for people.
#pragma once

#include <string_view>
#include <vector>

#include "games/chess/board.h"

namespace philidor::evaluators::handcrafted {

struct ExplainedTerm {
    std::string_view name, meaning;
    int white[2], black[2];  // middlegame, endgame
};

struct Explanation {
    std::vector<ExplainedTerm> terms;   // centipawns; their differences add up to `middlegame` and `endgame`
    std::vector<ExplainedTerm> danger;  // what went into the terms' KingDanger, before it was squared
    int middlegame, endgame;            // White's view
    int phase;                          // of kFullPhase: how much the middlegame counts
    int scale;                          // of kFullScale: how much of the endgame's advantage counts
    int bare_king;                      // for driving a bare king to mate
    int white_score;                    // the verdict
};

Explanation explain(const chess::Board& board);

}  // namespace philidor::evaluators::handcrafted
