#include "evaluators/handcrafted/kpk.h"

#include "games/chess/attacks.h"

namespace philidor::evaluators::handcrafted {

using namespace chess;

namespace {

// The pawn is White's and stands on one of the files a to d. All squares of the black king are handled at once, as a
// bitboard.
class PawnEndings {
  public:
    PawnEndings() {
        while (improve()) {
        }
    }

    bool is_won(bool is_white_to_move, Square pawn, Square white, Square black) const {
        return (is_white_to_move ? white_wins_ : black_loses_)[pawn][white] & bit(black);
    }

  private:
    // Squares from which a king can step onto one of `squares`.
    static Bitboard beside(Bitboard squares) {
        const Bitboard row = ((squares & ~kFileA) >> 1) | ((squares & ~kFileH) << 1);
        return row | ((row | squares) << 8) | ((row | squares) >> 8);
    }

    // One ply more of wins; false when there are none.
    bool improve() {
        bool has_changed = false;
        for (int rank = 6; rank > 0; --rank)
            for (int file = 0; file < 4; ++file)
                for (int king = 0; king < 64; ++king) {
                    const Square pawn = make_square(file, rank), white = Square(king);
                    if (white == pawn) continue;
                    const Bitboard wins = wins_of_white(pawn, white), losses = losses_of_black(pawn, white);
                    has_changed |= wins != white_wins_[pawn][king] || losses != black_loses_[pawn][king];
                    white_wins_[pawn][king] = wins, black_loses_[pawn][king] = losses;
                }
        return has_changed;
    }

    Bitboard wins_of_white(Square pawn, Square white) const {
        const Bitboard possible = ~(king_attacks(white) | bit(white) | bit(pawn) | pawn_attacks(kWhite, pawn));
        Bitboard wins = 0;
        for (Bitboard rest = king_attacks(white) & ~bit(pawn); rest;) wins |= black_loses_[pawn][pop_first(rest)];
        const Square stop = pawn + 8;
        if (stop == white) return wins & possible;
        if (rank_of(pawn) == 6) {
            // A new queen wins unless it is taken; where it would stalemate, a rook wins.
            const bool is_guarded = king_attacks(white) & bit(stop);
            return (wins | ~(bit(stop) | (is_guarded ? 0 : king_attacks(stop)))) & possible;
        }
        wins |= black_loses_[stop][white];
        if (rank_of(pawn) == 1 && stop + 8 != white) wins |= black_loses_[stop + 8][white] & ~bit(stop);
        return wins & possible;
    }

    Bitboard losses_of_black(Square pawn, Square white) const {
        const Bitboard possible = ~(king_attacks(white) | bit(white) | bit(pawn));
        const Bitboard attacked = pawn_attacks(kWhite, pawn);
        const Bitboard steps = ~(king_attacks(white) | bit(white) | attacked);
        const Bitboard escapes = steps & ~white_wins_[pawn][white];
        // No escape, and no stalemate either.
        return possible & ~beside(escapes) & (beside(steps) | attacked);
    }

    // By pawn and white king: the squares of the black king.
    Bitboard white_wins_[64][64] = {}, black_loses_[64][64] = {};
};

}  // namespace

bool is_won_pawn_ending(const Board& board, Color strong) {
    static const PawnEndings endings;
    // Seen from the pawn's side, on the queenside.
    const Square found = first_square(board.pieces(strong, kPawn));
    const int turn = (strong == kWhite ? 0 : 56) ^ (file_of(found) > 3 ? 7 : 0);
    const auto seen = [turn](Square square) { return Square(square ^ turn); };
    return endings.is_won(board.to_move() == strong, seen(found), seen(board.king(strong)), seen(board.king(~strong)));
}

}  // namespace philidor::evaluators::handcrafted
