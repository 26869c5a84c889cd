#include "evaluators/handcrafted/pawns.h"

#include <algorithm>

namespace philidor::evaluators::handcrafted {

using namespace chess;

namespace {

// What one pawn sees of the others.
struct PawnView {
    Bitboard ahead;       // own file, further up
    Bitboard neighbors;   // own pawns on the files beside
    Bitboard supporters;  // own pawns that defend it
    Bitboard beside;      // own pawns next to it
    Bitboard stoppers;    // enemy pawns that can block or take it on its way
    Bitboard attackers;   // enemy pawns that attack it
};

PawnView view(Color color, Square square, Bitboard own, Bitboard enemy) {
    const Bitboard self = bit(square);
    const Bitboard ahead = shift_up(color, fill_up(color, self));
    const Bitboard files = neighbor_files(file_mask(file_of(square)));
    return {ahead,
            own & files,
            own & pawn_attacks(~color, square),
            own & neighbor_files(self),
            enemy & (ahead | neighbor_files(ahead)),
            enemy & pawn_attacks(color, square)};
}

bool is_backward(Color color, Square square, const PawnView& pawn, Bitboard enemy) {
    // Nobody beside or behind it can help, and the square before it is guarded by a pawn.
    const Bitboard behind = fill_up(~color, neighbor_files(bit(square)));
    return !(pawn.neighbors & behind) && (enemy & pawn_attacks(color, square + forward(color)));
}

// More helpers than stoppers on the way of a pawn whose own file is free.
bool is_candidate(Color color, Square square, const PawnView& pawn, Bitboard own, Bitboard enemy) {
    if (enemy & pawn.ahead) return false;
    const Bitboard helpers = own & fill_up(~color, neighbor_files(bit(square)));
    return popcount(helpers) >= popcount(pawn.stoppers) && popcount(pawn.supporters) >= popcount(pawn.attackers);
}

}  // namespace

template <class Sink>
void evaluate_pawns(const Board& board, Color color, PawnSets& sets, Sink& sink) {
    const Bitboard own = board.pieces(color, kPawn), enemy = board.pieces(~color, kPawn);
    sets.passed[color] = 0;
    sets.span[color] = neighbor_files(shift_up(color, fill_up(color, own)));
    for (Bitboard rest = own; rest;) {
        const Square square = pop_first(rest);
        const int rank = relative_rank(color, square);
        const PawnView pawn = view(color, square, own, enemy);
        sink.add_piece(color, kPawn, square);
        if (own & pawn.ahead) sink.add(color, Term::kDoubledPawn);
        if (!pawn.neighbors)
            sink.add(color, Term::kIsolatedPawn, file_of(square) + ((enemy & pawn.ahead) ? 0 : 8));
        else if (is_backward(color, square, pawn, enemy))
            sink.add(color, Term::kBackwardPawn, !(enemy & pawn.ahead));
        if (pawn.beside) sink.add(color, Term::kConnectedPawn, rank);
        if (pawn.supporters) sink.add(color, Term::kSupportedPawn, rank, popcount(pawn.supporters));
        if (!pawn.stoppers && !(own & pawn.ahead)) {
            sets.passed[color] |= bit(square);
            sink.add(color, Term::kPassedPawn, rank);
        } else if (is_candidate(color, square, pawn, own, enemy)) {
            sink.add(color, Term::kCandidatePawn, rank);
        }
    }
}
template void evaluate_pawns<Sum>(const Board&, Color, PawnSets&, Sum&);
template void evaluate_pawns<Counts>(const Board&, Color, PawnSets&, Counts&);

template <class Sink>
void evaluate_shelter(const Board& board, Color color, Sink& sink) {
    const Square king = board.king(color);
    const Bitboard ahead = fill_up(color, rank_mask(rank_of(king)));
    const Bitboard own = board.pieces(color, kPawn) & ahead, enemy = board.pieces(~color, kPawn) & ahead;
    const int center = std::clamp(file_of(king), 1, 6);
    for (int file = center - 1; file <= center + 1; ++file) {
        const int from_edge = std::min(file, 7 - file);
        const Bitboard mine = own & file_mask(file), theirs = enemy & file_mask(file);
        const Square near_own = color == kWhite ? first_square(mine) : last_square(mine);
        const Square near_enemy = color == kWhite ? first_square(theirs) : last_square(theirs);
        const int own_rank = mine ? relative_rank(color, near_own) : 0;
        const int enemy_rank = theirs ? relative_rank(color, near_enemy) : 0;
        sink.add(color, Term::kShelter, from_edge * 8 + own_rank);
        if (theirs && own_rank && own_rank == enemy_rank - 1)
            sink.add(color, Term::kStormBlocked, enemy_rank);
        else
            sink.add(color, Term::kStorm, from_edge * 8 + enemy_rank);
    }
    const Bitboard flank = file_of(king) < 4 ? kFileA * 0x0F : kFileA * 0xF0;
    if (!(board.pieces(kPawn) & flank)) sink.add(color, Term::kKingFlankPawnless);
}
template void evaluate_shelter<Sum>(const Board&, Color, Sum&);
template void evaluate_shelter<Counts>(const Board&, Color, Counts&);

const PawnEntry& PawnTable::look_up(const Board& board) {
    PawnEntry& entry = entries_[board.pawn_key() & (kSize - 1)];
    if (entry.key != board.pawn_key()) {
        entry = PawnEntry{};
        entry.key = board.pawn_key();
        Sum sum;
        for (Color color : {kWhite, kBlack}) evaluate_pawns(board, color, entry.sets, sum);
        entry.score = sum.parts().linear;
    }
    for (Color color : {kWhite, kBlack})
        if (entry.king[color] != board.king(color)) {
            Sum sum;
            evaluate_shelter(board, color, sum);
            entry.king[color] = board.king(color);
            entry.shelter[color] = sum.parts().linear;
        }
    return entry;
}

}  // namespace philidor::evaluators::handcrafted
