#include "evaluators/handcrafted/explanation.h"

#include "evaluators/handcrafted/endgames.h"
#include "evaluators/handcrafted/evaluation.h"

namespace philidor::evaluators::handcrafted {

using namespace chess;

namespace {

ExplainedTerm row_of(const Counts& counts, int term) {
    ExplainedTerm row{kTerms[term].name, kTerms[term].meaning, {0, 0}, {0, 0}};
    for (int i = kTermStart[term]; i < kTermStart[term + 1]; ++i)
        for (Color color : {kWhite, kBlack}) {
            int (&sums)[2] = color == kWhite ? row.white : row.black;
            sums[0] += counts.of(color, i) * middlegame(kWeights[i]);
            sums[1] += counts.of(color, i) * endgame(kWeights[i]);
        }
    return row;
}

ExplainedTerm danger_row(const Parts& parts) {
    const auto worth = [&](Color color, int part) {
        return part == 0 ? danger_middlegame(middlegame(parts.danger[color]))
                         : danger_endgame(endgame(parts.danger[color]));
    };
    return {"KingDanger",
            "the squared sum of what endangers the enemy king",
            {worth(kWhite, 0), worth(kWhite, 1)},
            {worth(kBlack, 0), worth(kBlack, 1)}};
}

}  // namespace

Explanation explain(const Board& board) {
    const Counts counts = count_terms(board);
    const Parts parts = counts.parts();
    Explanation result{};
    for (int term = 0; term < int(Term::kDangerBase); ++term) result.terms.push_back(row_of(counts, term));
    for (int term = int(Term::kDangerBase); term < kTermCount; ++term) result.danger.push_back(row_of(counts, term));
    result.terms.push_back(danger_row(parts));
    for (const ExplainedTerm& row : result.terms) {
        result.middlegame += row.white[0] - row.black[0];
        result.endgame += row.white[1] - row.black[1];
    }
    result.phase = game_phase(board);
    result.scale = endgame_scale(board, result.endgame >= 0 ? kWhite : kBlack);
    result.bare_king = bare_king_bonus(board);
    result.white_score = verdict(board, parts);
    return result;
}

}  // namespace philidor::evaluators::handcrafted
