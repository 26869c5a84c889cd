#include "evaluators/handcrafted/pawns.h"

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
Bitboard evaluate_pawns(const Board& board, Color color, Sink& sink) {
    const Bitboard own = board.pieces(color, kPawn), enemy = board.pieces(~color, kPawn);
    Bitboard passed = 0;
    for (Bitboard rest = own; rest;) {
        const Square square = pop_first(rest);
        const int rank = relative_rank(color, square);
        const PawnView pawn = view(color, square, own, enemy);
        if (own & pawn.ahead) sink.add(color, Term::kDoubledPawn);
        if (!pawn.neighbors)
            sink.add(color, Term::kIsolatedPawn, file_of(square));
        else if (is_backward(color, square, pawn, enemy))
            sink.add(color, Term::kBackwardPawn, !(enemy & pawn.ahead));
        if (pawn.beside) sink.add(color, Term::kConnectedPawn, rank);
        if (pawn.supporters) sink.add(color, Term::kSupportedPawn, rank, popcount(pawn.supporters));
        if (!pawn.stoppers && !(own & pawn.ahead)) {
            passed |= bit(square);
            sink.add(color, Term::kPassedPawn, rank);
        } else if (is_candidate(color, square, pawn, own, enemy)) {
            sink.add(color, Term::kCandidatePawn, rank);
        }
    }
    return passed;
}
template Bitboard evaluate_pawns<Sum>(const Board&, Color, Sum&);
template Bitboard evaluate_pawns<Counts>(const Board&, Color, Counts&);

const PawnEntry& PawnTable::look_up(const Board& board) {
    PawnEntry& entry = entries_[board.pawn_key() & (kSize - 1)];
    if (entry.key != board.pawn_key()) {
        Sum sum;
        entry.key = board.pawn_key();
        for (Color color : {kWhite, kBlack}) entry.passed[color] = evaluate_pawns(board, color, sum);
        entry.score = sum.total();
    }
    return entry;
}

}  // namespace philidor::evaluators::handcrafted
