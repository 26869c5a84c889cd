#include "evaluators/handcrafted/evaluation.h"

#include <algorithm>

#include "evaluators/handcrafted/endgames.h"

namespace philidor::evaluators::handcrafted {

using namespace chess;

namespace {

constexpr int kPhaseOf[7] = {0, 0, 1, 1, 2, 4, 0};
// Attack units against a king: for taking part, for each attacked square of its ring, for a safe check.
constexpr int kAttackerUnits[7] = {0, 0, 3, 2, 3, 5, 0};
constexpr int kSafeCheckUnits[7] = {0, 0, 6, 3, 7, 5, 0};
constexpr int kMaxUnits = 47;
constexpr Bitboard kCenterFiles = file_mask(2) | file_mask(3) | file_mask(4) | file_mask(5);
constexpr Bitboard kCenter = (file_mask(3) | file_mask(4)) & (rank_mask(3) | rank_mask(4));

constexpr int mirrored_index(Color color, Square square) {
    const int file = file_of(square);
    return relative_rank(color, square) * 4 + std::min(file, 7 - file);
}
template <class Sink>
class Evaluation {
  public:
    Evaluation(const Board& board, const Bitboard (&passed)[2], Sink& sink)
        : board_(board), passed_(passed), sink_(sink) {}

    void run() {
        prepare(kWhite), prepare(kBlack);
        pieces(kWhite), pieces(kBlack);
        for (Color color : {kWhite, kBlack}) {
            pawns_and_king(color);
            passed_pawns(color);
            threats(color);
            space(color);
            shelter(color);
            king_danger(color);
        }
        sink_.add(board_.to_move(), Term::kTempo);
        if (popcount(board_.pieces(kWhite, kBishop)) > 1) sink_.add(kWhite, Term::kBishopPair);
        if (popcount(board_.pieces(kBlack, kBishop)) > 1) sink_.add(kBlack, Term::kBishopPair);
    }

  private:
    void prepare(Color us) {
        const Color them = ~us;
        const Bitboard own_pawns = board_.pieces(us, kPawn);
        const Square king = board_.king(us);
        pawn_attacks_[us] = pawn_attacks_of(us, own_pawns);
        attacks_[us][kPawn] = pawn_attacks_[us];
        attacks_[us][kKing] = king_attacks(king);
        all_attacks_[us] = pawn_attacks_[us] | attacks_[us][kKing];
        twice_[us] = pawn_attacks_[us] & attacks_[us][kKing];
        // Where own pieces want to go: not onto blocked or unmoved pawns, the king, or squares pawns guard.
        const Bitboard low = rank_mask(us == kWhite ? 1 : 6) | rank_mask(us == kWhite ? 2 : 5);
        const Bitboard blocked = own_pawns & (shift_up(them, board_.occupied()) | low);
        mobility_area_[us] = ~(blocked | bit(king) | pawn_attacks_of(them, board_.pieces(them, kPawn)));
        // The ring goes one rank further up and keeps off the edge, so that cornered kings have a full one.
        const Square middle = make_square(std::clamp(file_of(king), 1, 6), std::clamp(rank_of(king), 1, 6));
        ring_[us] = king_attacks(middle) | bit(middle);
        // Squares from which no enemy pawn will ever drive a piece away.
        pawn_span_[us] = neighbor_files(shift_up(us, fill_up(us, own_pawns)));
    }

    void attack(Color us, PieceType type, Bitboard attacked) {
        twice_[us] |= all_attacks_[us] & attacked;
        all_attacks_[us] |= attacked;
        attacks_[us][type] |= attacked;
        const Bitboard near = attacked & ring_[~us];
        if (near) {
            ++attackers_[us];
            units_[us] += kAttackerUnits[type] + popcount(near);
        }
    }

    // A pinned piece can only go along its pin.
    Bitboard pin_line(Color us, Square square) const {
        return us == board_.to_move() && (board_.pinned() & bit(square)) ? line_through(board_.king(us), square)
                                                                         : ~Bitboard{0};
    }

    void pieces(Color us) {
        const Bitboard occupied = board_.occupied();
        for (Bitboard rest = board_.pieces(us, kKnight); rest;) {
            const Square square = pop_first(rest);
            const Bitboard attacked = knight_attacks(square) & pin_line(us, square);
            attack(us, kKnight, attacked);
            sink_.add(us, Term::kMaterial, 1);
            sink_.add(us, Term::kKnightSquare, mirrored_index(us, square));
            sink_.add(us, Term::kKnightMobility, popcount(attacked & mobility_area_[us]));
            minor(us, square, Term::kKnightOutpost);
        }
        for (Bitboard rest = board_.pieces(us, kBishop); rest;) {
            const Square square = pop_first(rest);
            const Bitboard attacked = bishop_attacks(square, occupied ^ board_.pieces(kQueen)) & pin_line(us, square);
            attack(us, kBishop, attacked);
            sink_.add(us, Term::kMaterial, 2);
            sink_.add(us, Term::kBishopSquare, mirrored_index(us, square));
            sink_.add(us, Term::kBishopMobility, popcount(attacked & mobility_area_[us]));
            minor(us, square, Term::kBishopOutpost);
            bishop(us, square);
        }
        for (Bitboard rest = board_.pieces(us, kRook); rest;) {
            const Square square = pop_first(rest);
            const Bitboard through = occupied ^ board_.pieces(kQueen) ^ board_.pieces(us, kRook);
            const Bitboard attacked = rook_attacks(square, through) & pin_line(us, square);
            attack(us, kRook, attacked);
            sink_.add(us, Term::kMaterial, 3);
            sink_.add(us, Term::kRookSquare, mirrored_index(us, square));
            sink_.add(us, Term::kRookMobility, popcount(attacked & mobility_area_[us]));
            rook(us, square);
        }
        for (Bitboard rest = board_.pieces(us, kQueen); rest;) {
            const Square square = pop_first(rest);
            const Bitboard attacked = queen_attacks(square, occupied) & pin_line(us, square);
            attack(us, kQueen, attacked);
            sink_.add(us, Term::kMaterial, 4);
            sink_.add(us, Term::kQueenSquare, mirrored_index(us, square));
            sink_.add(us, Term::kQueenMobility, popcount(attacked & mobility_area_[us]));
        }
    }

    void minor(Color us, Square square, Term outpost) {
        const int rank = relative_rank(us, square);
        if (rank >= 3 && rank <= 5 && !(pawn_span_[~us] & bit(square)))
            sink_.add(us, outpost, (pawn_attacks_[us] & bit(square)) != 0);
        if (shift_up(us, bit(square)) & board_.pieces(kPawn)) sink_.add(us, Term::kMinorBehindPawn);
    }

    void bishop(Color us, Square square) {
        const Bitboard color_of_square = kLightSquares & bit(square) ? kLightSquares : ~kLightSquares;
        sink_.add(us, Term::kBadBishop, popcount(board_.pieces(us, kPawn) & color_of_square));
        if (has_several(bishop_attacks(square, board_.pieces(kPawn)) & kCenter))
            sink_.add(us, Term::kBishopLongDiagonal);
    }

    void rook(Color us, Square square) {
        const Bitboard file = file_mask(file_of(square));
        if (!(file & board_.pieces(us, kPawn))) sink_.add(us, Term::kRookFile, !(file & board_.pieces(kPawn)));
        if (relative_rank(us, square) == 6 &&
            (relative_rank(us, board_.king(~us)) == 7 || (rank_mask(rank_of(square)) & board_.pieces(~us, kPawn))))
            sink_.add(us, Term::kRookOnSeventh);
    }

    void pawns_and_king(Color us) {
        for (Bitboard rest = board_.pieces(us, kPawn); rest;) {
            sink_.add(us, Term::kMaterial, 0);
            sink_.add(us, Term::kPawnSquare, relative_square(us, pop_first(rest)));
        }
        sink_.add(us, Term::kKingSquare, relative_square(us, board_.king(us)));
    }

    void passed_pawns(Color us) {
        const Color them = ~us;
        for (Bitboard rest = passed_[us]; rest;) {
            const Square square = pop_first(rest), stop = square + forward(us);
            const int rank = relative_rank(us, square);
            const Bitboard path = shift_up(us, fill_up(us, bit(square)));
            if (board_.occupied() & bit(stop))
                sink_.add(us, Term::kPassedBlocked, rank);
            else if (!(path & (all_attacks_[them] | board_.pieces(them))))
                sink_.add(us, Term::kPassedFree, rank);
            if (rank < 3) continue;
            sink_.add(us, Term::kPassedOwnKing, king_distance(board_.king(us), stop));
            sink_.add(us, Term::kPassedEnemyKing, king_distance(board_.king(them), stop));
            const Bitboard behind =
                rook_attacks(square, board_.occupied()) & fill_up(them, bit(square)) & board_.pieces(kRook);
            if (behind & board_.pieces(us)) sink_.add(us, Term::kPassedRook, 0);
            if (behind & board_.pieces(them)) sink_.add(us, Term::kPassedRook, 1);
        }
    }

    void count_targets(Color us, Term term, Bitboard targets) {
        while (targets) sink_.add(us, term, type_of(board_.piece_on(pop_first(targets))) - kPawn);
    }

    void threats(Color us) {
        const Color them = ~us;
        const Bitboard pieces = board_.pieces(them) & ~board_.pieces(kKing);
        // A piece is well defended by a pawn, or by more than attack it.
        const Bitboard defended = pawn_attacks_[them] | (twice_[them] & ~twice_[us]);
        const Bitboard weak = pieces & ~defended;
        count_targets(us, Term::kPawnThreat, pieces & ~board_.pieces(kPawn) & pawn_attacks_[us]);
        const Bitboard minors = attacks_[us][kKnight] | attacks_[us][kBishop];
        count_targets(us, Term::kMinorThreat,
                      minors & (weak | (pieces & (board_.pieces(kRook) | board_.pieces(kQueen)))));
        count_targets(us, Term::kRookThreat, attacks_[us][kRook] & (weak | (pieces & board_.pieces(kQueen))));
        sink_.add(us, Term::kKingThreat, 0, popcount(weak & attacks_[us][kKing] & ~all_attacks_[them]));
        sink_.add(us, Term::kHanging, 0, popcount(pieces & all_attacks_[us] & ~all_attacks_[them]));
        // Safe steps of pawns that would attack something.
        const Bitboard empty = ~board_.occupied();
        Bitboard steps = shift_up(us, board_.pieces(us, kPawn)) & empty;
        steps |= shift_up(us, steps & rank_mask(us == kWhite ? 2 : 5)) & empty;
        steps &= ~pawn_attacks_[them] & (all_attacks_[us] | ~all_attacks_[them]);
        sink_.add(us, Term::kPushThreat, 0, popcount(pawn_attacks_of(us, steps) & pieces & ~board_.pieces(kPawn)));
    }

    void space(Color us) {
        const Bitboard camp = kCenterFiles & (us == kWhite ? rank_mask(1) | rank_mask(2) | rank_mask(3)
                                                           : rank_mask(6) | rank_mask(5) | rank_mask(4));
        const Bitboard safe = camp & ~board_.pieces(us, kPawn) & ~pawn_attacks_[~us];
        const Bitboard behind = fill_up(~us, board_.pieces(us, kPawn));
        sink_.add(us, Term::kSpace, 0, popcount(safe) + popcount(safe & behind & ~all_attacks_[~us]));
    }

    void shelter(Color us) {
        const Square king = board_.king(us);
        const Bitboard ahead = fill_up(us, rank_mask(rank_of(king)));
        const Bitboard own = board_.pieces(us, kPawn) & ahead, enemy = board_.pieces(~us, kPawn) & ahead;
        const int center = std::clamp(file_of(king), 1, 6);
        for (int file = center - 1; file <= center + 1; ++file) {
            const int from_edge = std::min(file, 7 - file);
            const Bitboard mine = own & file_mask(file), theirs = enemy & file_mask(file);
            const Square near_own = us == kWhite ? first_square(mine) : last_square(mine);
            const Square near_enemy = us == kWhite ? first_square(theirs) : last_square(theirs);
            const int own_rank = mine ? relative_rank(us, near_own) : 0;
            const int enemy_rank = theirs ? relative_rank(us, near_enemy) : 0;
            sink_.add(us, Term::kShelter, from_edge * 8 + own_rank);
            if (theirs && own_rank && own_rank == enemy_rank - 1)
                sink_.add(us, Term::kStormBlocked, enemy_rank);
            else
                sink_.add(us, Term::kStorm, from_edge * 8 + enemy_rank);
        }
        const Bitboard flank = file_of(king) < 4 ? kFileA * 0x0F : kFileA * 0xF0;
        if (!(board_.pieces(kPawn) & flank)) sink_.add(us, Term::kKingFlankPawnless);
    }

    // `us` attacks the other king.
    void king_danger(Color us) {
        const Color them = ~us;
        if (attackers_[us] + (board_.pieces(us, kQueen) != 0) < 2) return;
        const Square king = board_.king(them);
        const Bitboard occupied = board_.occupied() ^ board_.pieces(them, kQueen);
        const Bitboard lines = rook_attacks(king, occupied), diagonals = bishop_attacks(king, occupied);
        // Squares only the king or queen defends, or nobody.
        const Bitboard weak =
            all_attacks_[us] & ~twice_[them] & (~all_attacks_[them] | attacks_[them][kKing] | attacks_[them][kQueen]);
        const Bitboard safe = ~board_.pieces(us) & (~all_attacks_[them] | (weak & twice_[us]));
        int units = units_[us] + 2 * popcount(weak & ring_[them]);
        if (attacks_[us][kKnight] & knight_attacks(king) & safe) units += kSafeCheckUnits[kKnight];
        if (attacks_[us][kBishop] & diagonals & safe) units += kSafeCheckUnits[kBishop];
        if (attacks_[us][kRook] & lines & safe) units += kSafeCheckUnits[kRook];
        if (attacks_[us][kQueen] & (lines | diagonals) & safe) units += kSafeCheckUnits[kQueen];
        if (!board_.pieces(us, kQueen)) units /= 2;
        sink_.add(us, Term::kKingDanger, std::min(units, kMaxUnits));
    }

    const Board& board_;
    const Bitboard (&passed_)[2];
    Sink& sink_;
    Bitboard attacks_[2][7] = {};
    Bitboard all_attacks_[2], twice_[2], pawn_attacks_[2], mobility_area_[2], ring_[2], pawn_span_[2];
    int attackers_[2] = {0, 0};
    int units_[2] = {0, 0};
};

}  // namespace

int game_phase(const Board& board) {
    int phase = 0;
    for (PieceType type : {kKnight, kBishop, kRook, kQueen}) phase += kPhaseOf[type] * popcount(board.pieces(type));
    return std::min(phase, kFullPhase);
}

int taper(const Board& board, Score score) {
    const int phase = game_phase(board);
    const int scale = endgame_scale(board, endgame(score));
    if (scale == 0) return 0;
    const int late = endgame(score) * scale / kFullScale;
    return (middlegame(score) * phase + late * (kFullPhase - phase)) / kFullPhase + bare_king_bonus(board);
}

template <class Sink>
void evaluate_pieces(const Board& board, const Bitboard (&passed)[2], Sink& sink) {
    Evaluation<Sink>(board, passed, sink).run();
}

Counts count_terms(const Board& board) {
    Counts counts;
    const Bitboard passed[2] = {evaluate_pawns(board, kWhite, counts), evaluate_pawns(board, kBlack, counts)};
    evaluate_pieces(board, passed, counts);
    return counts;
}

}  // namespace philidor::evaluators::handcrafted

namespace philidor::evaluators {

int HandcraftedEvaluator::evaluate(const chess::Board& board) {
    const handcrafted::PawnEntry& pawns = pawns_.look_up(board);
    handcrafted::Sum sum;
    sum.add_score(pawns.score);
    handcrafted::evaluate_pieces(board, pawns.passed, sum);
    const int white = handcrafted::taper(board, sum.total());
    return board.to_move() == chess::kWhite ? white : -white;
}

}  // namespace philidor::evaluators
