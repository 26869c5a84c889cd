#include "evaluators/handcrafted/evaluation.h"

#include <algorithm>

#include "evaluators/handcrafted/attack_map.h"
#include "evaluators/handcrafted/endgames.h"
#include "evaluators/handcrafted/king_terms.h"
#include "evaluators/handcrafted/passed_terms.h"
#include "evaluators/handcrafted/piece_terms.h"
#include "evaluators/handcrafted/threat_terms.h"

namespace philidor::evaluators::handcrafted {

using namespace chess;

namespace {

constexpr int kPhaseOf[7] = {0, 0, 1, 1, 2, 4, 0};

template <Color Us, class Sink>
void add_terms_of(const AttackMap& map, Sink& sink) {
    ThreatTerms<Sink> threats(map, sink);
    sink.add_piece(Us, kKing, map.board.king(Us));
    add_passed_pawns<Us>(map, sink);
    add_king_danger<Us>(map, sink);
    threats.template add<Us>();
    threats.template add_space<Us>();
}

// All terms but the pawns' structure and shelter, which the caller has looked up or computed.
template <class Sink>
void add_terms(const Board& board, const PawnSets& pawns, Sink& sink) {
    AttackMap map(board, pawns);
    PieceTerms<Sink> pieces(map, sink);
    pieces.template add<kWhite>(), pieces.template add<kBlack>();
    add_terms_of<kWhite>(map, sink), add_terms_of<kBlack>(map, sink);
    sink.add(board.to_move(), Term::kTempo);
}

}  // namespace

int game_phase(const Board& board) {
    int phase = 0;
    for (PieceType type : {kKnight, kBishop, kRook, kQueen}) phase += kPhaseOf[type] * popcount(board.pieces(type));
    return std::min(phase, kFullPhase);
}

int verdict(const Board& board, const Parts& parts) {
    int early = middlegame(parts.linear), late = endgame(parts.linear);
    for (Color color : {kWhite, kBlack}) {
        const int sign = color == kWhite ? 1 : -1;
        early += sign * danger_middlegame(middlegame(parts.danger[color]));
        late += sign * danger_endgame(endgame(parts.danger[color]));
    }
    const int phase = game_phase(board);
    const int scale = endgame_scale(board, late >= 0 ? kWhite : kBlack);
    if (scale == 0) return 0;
    return (early * phase + late * scale / kFullScale * (kFullPhase - phase)) / kFullPhase + bare_king_bonus(board);
}

Counts count_terms(const Board& board) {
    Counts counts;
    PawnSets pawns;
    for (Color color : {kWhite, kBlack}) {
        evaluate_pawns(board, color, pawns, counts);
        evaluate_shelter(board, color, counts);
    }
    add_terms(board, pawns, counts);
    return counts;
}

}  // namespace philidor::evaluators::handcrafted

namespace philidor::evaluators {

int HandcraftedEvaluator::evaluate(const chess::Board& board) {
    const handcrafted::PawnEntry& pawns = pawns_.look_up(board);
    handcrafted::Sum sum;
    sum.add_score(pawns.total());
    handcrafted::add_terms(board, pawns.sets, sum);
    const int white = handcrafted::verdict(board, sum.parts());
    return board.to_move() == chess::kWhite ? white : -white;
}

}  // namespace philidor::evaluators
