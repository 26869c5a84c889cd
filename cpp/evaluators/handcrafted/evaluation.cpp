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

template <class Sink>
class Evaluation {
  public:
    Evaluation(const Board& board, const PawnSets& pawns, Sink& sink) : board_(board), pawns_(pawns), sink_(sink) {}

    void run() {
        // Each step needs the one before, of both sides.
        prepare<kWhite>(), prepare<kBlack>();
        pieces<kWhite>(), pieces<kBlack>();
        finish<kWhite>(), finish<kBlack>();
        sink_.add(board_.to_move(), Term::kTempo);
    }

  private:
    template <Color Us>
    void finish() {
        passed_pawns<Us>();
        threats<Us>();
        space<Us>();
        king_danger<Us>();
    }

    template <Color Us>
    void prepare() {
        constexpr Color kThem = ~Us;
        const Bitboard own_pawns = board_.pieces(Us, kPawn);
        const Square king = board_.king(Us);
        pawn_attacks_[Us] = pawn_attacks_of(Us, own_pawns);
        attacks_[Us][kPawn] = pawn_attacks_[Us];
        attacks_[Us][kKing] = king_attacks(king);
        all_attacks_[Us] = pawn_attacks_[Us] | attacks_[Us][kKing];
        twice_[Us] = pawn_attacks_[Us] & attacks_[Us][kKing];
        // Where own pieces want to go: not onto blocked or unmoved pawns, the king, or squares pawns guard.
        const Bitboard low = rank_mask(Us == kWhite ? 1 : 6) | rank_mask(Us == kWhite ? 2 : 5);
        const Bitboard blocked = own_pawns & (shift_up(kThem, board_.occupied()) | low);
        mobility_area_[Us] = ~(blocked | bit(king) | pawn_attacks_of(kThem, board_.pieces(kThem, kPawn)));
        // The ring goes one rank further up and keeps off the edge, so that cornered kings have a full one.
        const Square middle = make_square(std::clamp(file_of(king), 1, 6), std::clamp(rank_of(king), 1, 6));
        ring_[Us] = king_attacks(middle) | bit(middle);
        sink_.add_piece(Us, kKing, king);
        if (has_several(board_.pieces(Us, kBishop))) sink_.add(Us, Term::kBishopPair);
    }

    template <Color Us, PieceType Type>
    void attack(Bitboard attacked) {
        twice_[Us] |= all_attacks_[Us] & attacked;
        all_attacks_[Us] |= attacked;
        attacks_[Us][Type] |= attacked;
        const Bitboard near = attacked & ring_[~Us];
        if (near) {
            ++attackers_[Us];
            units_[Us] += kAttackerUnits[Type] + popcount(near);
        }
    }

    // A pinned piece can only go along its pin.
    template <Color Us>
    Bitboard pin_line(Square square) const {
        return Us == board_.to_move() && (board_.pinned() & bit(square)) ? line_through(board_.king(Us), square)
                                                                         : ~Bitboard{0};
    }

    template <Color Us>
    void pieces() {
        const Bitboard occupied = board_.occupied();
        for (Bitboard rest = board_.pieces(Us, kKnight); rest;) {
            const Square square = pop_first(rest);
            const Bitboard attacked = knight_attacks(square) & pin_line<Us>(square);
            attack<Us, kKnight>(attacked);
            sink_.add_piece(Us, kKnight, square);
            sink_.add(Us, Term::kKnightMobility, popcount(attacked & mobility_area_[Us]));
            minor<Us>(square, Term::kKnightOutpost);
        }
        for (Bitboard rest = board_.pieces(Us, kBishop); rest;) {
            const Square square = pop_first(rest);
            const Bitboard attacked = bishop_attacks(square, occupied ^ board_.pieces(kQueen)) & pin_line<Us>(square);
            attack<Us, kBishop>(attacked);
            sink_.add_piece(Us, kBishop, square);
            sink_.add(Us, Term::kBishopMobility, popcount(attacked & mobility_area_[Us]));
            minor<Us>(square, Term::kBishopOutpost);
            bishop<Us>(square);
        }
        for (Bitboard rest = board_.pieces(Us, kRook); rest;) {
            const Square square = pop_first(rest);
            const Bitboard through = occupied ^ board_.pieces(kQueen) ^ board_.pieces(Us, kRook);
            const Bitboard attacked = rook_attacks(square, through) & pin_line<Us>(square);
            attack<Us, kRook>(attacked);
            sink_.add_piece(Us, kRook, square);
            sink_.add(Us, Term::kRookMobility, popcount(attacked & mobility_area_[Us]));
            rook<Us>(square);
        }
        for (Bitboard rest = board_.pieces(Us, kQueen); rest;) {
            const Square square = pop_first(rest);
            const Bitboard attacked = queen_attacks(square, occupied) & pin_line<Us>(square);
            attack<Us, kQueen>(attacked);
            sink_.add_piece(Us, kQueen, square);
            sink_.add(Us, Term::kQueenMobility, popcount(attacked & mobility_area_[Us]));
        }
    }

    template <Color Us>
    void minor(Square square, Term outpost) {
        const int rank = relative_rank(Us, square);
        if (rank >= 3 && rank <= 5 && !(pawns_.span[~Us] & bit(square)))
            sink_.add(Us, outpost, (pawn_attacks_[Us] & bit(square)) != 0);
        if (shift_up(Us, bit(square)) & board_.pieces(kPawn)) sink_.add(Us, Term::kMinorBehindPawn);
    }

    template <Color Us>
    void bishop(Square square) {
        const Bitboard color_of_square = kLightSquares & bit(square) ? kLightSquares : ~kLightSquares;
        sink_.add(Us, Term::kBadBishop, popcount(board_.pieces(Us, kPawn) & color_of_square));
        if (has_several(bishop_attacks(square, board_.pieces(kPawn)) & kCenter))
            sink_.add(Us, Term::kBishopLongDiagonal);
    }

    template <Color Us>
    void rook(Square square) {
        const Bitboard file = file_mask(file_of(square));
        if (!(file & board_.pieces(Us, kPawn))) sink_.add(Us, Term::kRookFile, !(file & board_.pieces(kPawn)));
        if (relative_rank(Us, square) == 6 &&
            (relative_rank(Us, board_.king(~Us)) == 7 || (rank_mask(rank_of(square)) & board_.pieces(~Us, kPawn))))
            sink_.add(Us, Term::kRookOnSeventh);
    }

    template <Color Us>
    void passed_pawns() {
        constexpr Color kThem = ~Us;
        for (Bitboard rest = pawns_.passed[Us]; rest;) {
            const Square square = pop_first(rest), stop = square + forward(Us);
            const int rank = relative_rank(Us, square);
            const Bitboard path = shift_up(Us, fill_up(Us, bit(square)));
            if (board_.occupied() & bit(stop))
                sink_.add(Us, Term::kPassedBlocked, rank);
            else if (!(path & (all_attacks_[kThem] | board_.pieces(kThem))))
                sink_.add(Us, Term::kPassedFree, rank);
            if (rank < 3) continue;
            sink_.add(Us, Term::kPassedOwnKing, king_distance(board_.king(Us), stop));
            sink_.add(Us, Term::kPassedEnemyKing, king_distance(board_.king(kThem), stop));
            const Bitboard behind =
                rook_attacks(square, board_.occupied()) & fill_up(kThem, bit(square)) & board_.pieces(kRook);
            if (behind & board_.pieces(Us)) sink_.add(Us, Term::kPassedRook, 0);
            if (behind & board_.pieces(kThem)) sink_.add(Us, Term::kPassedRook, 1);
        }
    }

    template <Color Us>
    void count_targets(Term term, Bitboard targets) {
        while (targets) sink_.add(Us, term, type_of(board_.piece_on(pop_first(targets))) - kPawn);
    }

    template <Color Us>
    void threats() {
        constexpr Color kThem = ~Us;
        const Bitboard pieces = board_.pieces(kThem) & ~board_.pieces(kKing);
        // A piece is well defended by a pawn, or by more than attack it.
        const Bitboard defended = pawn_attacks_[kThem] | (twice_[kThem] & ~twice_[Us]);
        const Bitboard weak = pieces & ~defended;
        count_targets<Us>(Term::kPawnThreat, pieces & ~board_.pieces(kPawn) & pawn_attacks_[Us]);
        const Bitboard minors = attacks_[Us][kKnight] | attacks_[Us][kBishop];
        count_targets<Us>(Term::kMinorThreat,
                          minors & (weak | (pieces & (board_.pieces(kRook) | board_.pieces(kQueen)))));
        count_targets<Us>(Term::kRookThreat, attacks_[Us][kRook] & (weak | (pieces & board_.pieces(kQueen))));
        sink_.add(Us, Term::kKingThreat, 0, popcount(weak & attacks_[Us][kKing] & ~all_attacks_[kThem]));
        sink_.add(Us, Term::kHanging, 0, popcount(pieces & all_attacks_[Us] & ~all_attacks_[kThem]));
        // Safe steps of pawns that would attack something.
        const Bitboard empty = ~board_.occupied();
        Bitboard steps = shift_up(Us, board_.pieces(Us, kPawn)) & empty;
        steps |= shift_up(Us, steps & rank_mask(Us == kWhite ? 2 : 5)) & empty;
        steps &= ~pawn_attacks_[kThem] & (all_attacks_[Us] | ~all_attacks_[kThem]);
        sink_.add(Us, Term::kPushThreat, 0, popcount(pawn_attacks_of(Us, steps) & pieces & ~board_.pieces(kPawn)));
    }

    template <Color Us>
    void space() {
        const Bitboard camp = kCenterFiles & (Us == kWhite ? rank_mask(1) | rank_mask(2) | rank_mask(3)
                                                           : rank_mask(6) | rank_mask(5) | rank_mask(4));
        const Bitboard safe = camp & ~board_.pieces(Us, kPawn) & ~pawn_attacks_[~Us];
        const Bitboard behind = fill_up(~Us, board_.pieces(Us, kPawn));
        sink_.add(Us, Term::kSpace, 0, popcount(safe) + popcount(safe & behind & ~all_attacks_[~Us]));
    }

    // `Us` attacks the other king.
    template <Color Us>
    void king_danger() {
        constexpr Color kThem = ~Us;
        if (attackers_[Us] + (board_.pieces(Us, kQueen) != 0) < 2) return;
        const Square king = board_.king(kThem);
        const Bitboard occupied = board_.occupied() ^ board_.pieces(kThem, kQueen);
        const Bitboard lines = rook_attacks(king, occupied), diagonals = bishop_attacks(king, occupied);
        // Squares only the king or queen defends, or nobody.
        const Bitboard weak = all_attacks_[Us] & ~twice_[kThem] &
                              (~all_attacks_[kThem] | attacks_[kThem][kKing] | attacks_[kThem][kQueen]);
        const Bitboard safe = ~board_.pieces(Us) & (~all_attacks_[kThem] | (weak & twice_[Us]));
        int units = units_[Us] + 2 * popcount(weak & ring_[kThem]);
        if (attacks_[Us][kKnight] & knight_attacks(king) & safe) units += kSafeCheckUnits[kKnight];
        if (attacks_[Us][kBishop] & diagonals & safe) units += kSafeCheckUnits[kBishop];
        if (attacks_[Us][kRook] & lines & safe) units += kSafeCheckUnits[kRook];
        if (attacks_[Us][kQueen] & (lines | diagonals) & safe) units += kSafeCheckUnits[kQueen];
        if (!board_.pieces(Us, kQueen)) units /= 2;
        sink_.add(Us, Term::kKingDanger, std::min(units, kMaxUnits));
    }

    const Board& board_;
    const PawnSets& pawns_;
    Sink& sink_;
    Bitboard attacks_[2][7] = {};
    Bitboard all_attacks_[2], twice_[2], pawn_attacks_[2], mobility_area_[2], ring_[2];
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
void evaluate_pieces(const Board& board, const PawnSets& pawns, Sink& sink) {
    Evaluation<Sink>(board, pawns, sink).run();
}

Counts count_terms(const Board& board) {
    Counts counts;
    PawnSets pawns;
    for (Color color : {kWhite, kBlack}) {
        evaluate_pawns(board, color, pawns, counts);
        evaluate_shelter(board, color, counts);
    }
    evaluate_pieces(board, pawns, counts);
    return counts;
}

}  // namespace philidor::evaluators::handcrafted

namespace philidor::evaluators {

int HandcraftedEvaluator::evaluate(const chess::Board& board) {
    const handcrafted::PawnEntry& pawns = pawns_.look_up(board);
    handcrafted::Sum sum;
    sum.add_score(pawns.total());
    handcrafted::evaluate_pieces(board, pawns.sets, sum);
    const int white = handcrafted::taper(board, sum.total());
    return board.to_move() == chess::kWhite ? white : -white;
}

}  // namespace philidor::evaluators
