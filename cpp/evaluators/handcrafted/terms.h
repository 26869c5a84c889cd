// The terms of the handcrafted evaluation: one line each, read by the evaluation, the printed table and the tuner.
#pragma once

#include <array>
#include <string_view>

namespace philidor::evaluators::handcrafted {

// name, how many weights, what it says. All are counted from the owner's side, White's minus Black's.
#define PHILIDOR_EVALUATION_TERMS(TERM)                                                                   \
    TERM(Material, 5, "the piece itself: pawn, knight, bishop, rook, queen")                              \
    TERM(PawnSquare, 64, "pawn on a square, ranks counted from its own side")                             \
    TERM(KnightSquare, 32, "knight on a square, the board's halves mirrored")                             \
    TERM(BishopSquare, 32, "bishop on a square, the board's halves mirrored")                             \
    TERM(RookSquare, 32, "rook on a square, the board's halves mirrored")                                 \
    TERM(QueenSquare, 32, "queen on a square, the board's halves mirrored")                               \
    TERM(KingSquare, 64, "king on a square")                                                              \
    TERM(Tempo, 1, "the right to move")                                                                   \
    TERM(BishopPair, 1, "both bishops")                                                                   \
    TERM(KnightMobility, 9, "squares a knight can go to")                                                 \
    TERM(BishopMobility, 14, "squares a bishop can go to")                                                \
    TERM(RookMobility, 15, "squares a rook can go to")                                                    \
    TERM(QueenMobility, 28, "squares a queen can go to")                                                  \
    TERM(IsolatedPawn, 16, "pawn without neighbors, by file; then the same on half-open files")           \
    TERM(DoubledPawn, 1, "pawn behind another of its color")                                              \
    TERM(BackwardPawn, 2, "pawn that cannot be supported and dares not advance; on a half-open file")     \
    TERM(ConnectedPawn, 8, "pawn beside another, by rank")                                                \
    TERM(SupportedPawn, 8, "pawn defended by a pawn, by rank")                                            \
    TERM(PassedPawn, 8, "pawn that no pawn can stop, by rank")                                            \
    TERM(PassedBlocked, 8, "passed pawn with a piece before it, by rank")                                 \
    TERM(PassedStep, 8, "passed pawn whose next square is not attacked, by rank")                         \
    TERM(PassedFree, 8, "passed pawn whose way is neither attacked nor occupied by the enemy, by rank")   \
    TERM(PassedOwnKing, 8,                                                                                \
         "passed pawn from the fourth rank on, by own king's distance, times its rank above the third")   \
    TERM(PassedEnemyKing, 8,                                                                              \
         "passed pawn from the fourth rank on, by enemy king's distance, times its rank above the third") \
    TERM(PassedRook, 2, "own rook behind a passed pawn; enemy rook behind it")                            \
    TERM(PassedUnstoppable, 1, "passed pawn that a lone king does not catch")                             \
    TERM(CandidatePawn, 8, "pawn that outnumbers its stoppers, by rank")                                  \
    TERM(KnightOutpost, 2, "knight no pawn can drive away: in reach of none, and defended by a pawn")     \
    TERM(BishopOutpost, 2, "bishop no pawn can drive away: in reach of none, and defended by a pawn")     \
    TERM(ReachableOutpost, 1, "knight one move from an outpost that a pawn defends")                      \
    TERM(MinorBehindPawn, 1, "knight or bishop just behind a pawn")                                       \
    TERM(MinorKingDistance, 2, "steps from a knight to its king; from a bishop")                          \
    TERM(BadBishop, 9, "own pawns on the bishop's color of square")                                       \
    TERM(BishopLongDiagonal, 1, "bishop that sees both center squares of its long diagonal")              \
    TERM(RookFile, 2, "rook on a half-open file; on an open file")                                        \
    TERM(RookOnSeventh, 1, "rook on the seventh rank with the king on the eighth or pawns beside it")     \
    TERM(TrappedRook, 1, "rook shut in by its own king")                                                  \
    TERM(PawnThreat, 5, "pawn attacks a piece: pawn, knight, bishop, rook, queen")                        \
    TERM(MinorThreat, 5, "knight or bishop attacks a piece")                                              \
    TERM(RookThreat, 5, "rook attacks a piece")                                                           \
    TERM(KingThreat, 1, "king attacks an undefended piece")                                               \
    TERM(Hanging, 1, "attacked piece without any defender")                                               \
    TERM(PushThreat, 1, "safe pawn step that would attack a piece")                                       \
    TERM(Restricted, 1, "square the enemy attacks but does not hold, and we attack too")                  \
    TERM(Space, 1, "safe square behind the own center pawns")                                             \
    TERM(Shelter, 32, "own pawn before the king, by file from the edge and rank; rank 0 is none")         \
    TERM(Storm, 32, "enemy pawn before the king, by file from the edge and rank; rank 0 is none")         \
    TERM(StormBlocked, 8, "the same pawn, stopped by an own pawn, by rank")                               \
    TERM(KingFlankPawnless, 1, "no pawn of either side on the king's flank")

// What endangers the enemy king. These are summed for each side; the sum's square counts (see score.h), because
// attackers are worth more together than alone. The unit is not the centipawn.
#define PHILIDOR_DANGER_TERMS(TERM)                                                                            \
    TERM(DangerBase, 1, "two pieces attack the king's ring, or a queen and one")                               \
    TERM(DangerAttacker, 4, "knight, bishop, rook, queen that attacks the ring")                               \
    TERM(DangerRing, 1, "attack on a square of the ring")                                                      \
    TERM(DangerWeak, 1, "attacked square of the ring that only the king or the queen defends")                 \
    TERM(DangerSafeCheck, 4, "knight, bishop, rook, queen can check from a safe square")                       \
    TERM(DangerCheck, 1, "square from which a check would cost the piece")                                     \
    TERM(DangerFlank, 1, "attacked square of the king's flank, in its own camp; attacked twice counts double") \
    TERM(DangerDefense, 1, "defended square of the king's flank, in its own camp")                             \
    TERM(DangerKnight, 1, "a knight of the king's guards its ring")                                            \
    TERM(DangerNoQueen, 1, "the attacker has no queen")

#define PHILIDOR_ALL_TERMS(TERM)    \
    PHILIDOR_EVALUATION_TERMS(TERM) \
    PHILIDOR_DANGER_TERMS(TERM)

enum class Term {
#define PHILIDOR_NAME(name, count, meaning) k##name,
    PHILIDOR_ALL_TERMS(PHILIDOR_NAME)
#undef PHILIDOR_NAME
        kCount
};

struct TermInfo {
    std::string_view name;
    int count;
    std::string_view meaning;
};

inline constexpr TermInfo kTerms[] = {
#define PHILIDOR_INFO(name, count, meaning) {#name, count, meaning},
    PHILIDOR_ALL_TERMS(PHILIDOR_INFO)
#undef PHILIDOR_INFO
};
inline constexpr int kTermCount = int(Term::kCount);

// Where each term's weights begin; the last entry is their number.
inline constexpr std::array<int, kTermCount + 1> kTermStart = [] {
    std::array<int, kTermCount + 1> starts{};
    for (int i = 0; i < kTermCount; ++i) starts[i + 1] = starts[i] + kTerms[i].count;
    return starts;
}();
inline constexpr int kWeightCount = kTermStart[kTermCount];
inline constexpr int kDangerStart = kTermStart[int(Term::kDangerBase)];

}  // namespace philidor::evaluators::handcrafted
