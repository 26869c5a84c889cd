#include "games/chess/attacks.h"

#include "games/chess/magics.h"

namespace philidor::chess {

AttackTables attack_tables;

namespace {

using Step = int[2];
constexpr Step kBishopSteps[4] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
constexpr Step kRookSteps[4] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
constexpr Step kKnightSteps[8] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
constexpr Step kKingSteps[8] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

// Room for every occupancy of every square: the sum of 2^popcount(mask).
Bitboard bishop_table[5248];
Bitboard rook_table[102400];

Bitboard step_attacks(Square square, const Step* steps, int count) {
    Bitboard attacks = 0;
    for (int i = 0; i < count; ++i) {
        const int file = file_of(square) + steps[i][0], rank = rank_of(square) + steps[i][1];
        if (file >= 0 && file < 8 && rank >= 0 && rank < 8) attacks |= bit(make_square(file, rank));
    }
    return attacks;
}

Bitboard ray_attacks(Square square, Bitboard occupied, const Step (&steps)[4]) {
    Bitboard attacks = 0;
    for (const Step& step : steps) {
        int file = file_of(square) + step[0], rank = rank_of(square) + step[1];
        for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += step[0], rank += step[1]) {
            attacks |= bit(make_square(file, rank));
            if (occupied & bit(make_square(file, rank))) break;
        }
    }
    return attacks;
}

// The last square of a ray never blocks anything, so its occupancy does not matter.
Bitboard relevant_occupancy(Square square, const Step (&steps)[4]) {
    const Bitboard edges =
        ((kRank1 | kRank8) & ~rank_mask(rank_of(square))) | ((kFileA | kFileH) & ~file_mask(file_of(square)));
    return ray_attacks(square, 0, steps) & ~edges;
}

void fill_sliders(Slider (&sliders)[64], const Step (&steps)[4], [[maybe_unused]] const Bitboard (&magics)[64],
                  Bitboard* table) {
    for (int i = 0; i < 64; ++i) {
        const Square square = Square(i);
        Slider& slider = sliders[i];
        slider.mask = relevant_occupancy(square, steps);
        slider.attacks = table;
#ifndef PHILIDOR_PEXT
        slider.magic = magics[i];
        slider.shift = unsigned(64 - popcount(slider.mask));
#endif
        // All subsets of the mask, by the carry-rippler.
        Bitboard occupied = 0;
        do {
            table[slider.index(occupied)] = ray_attacks(square, occupied, steps);
            occupied = (occupied - slider.mask) & slider.mask;
        } while (occupied);
        table += std::size_t{1} << popcount(slider.mask);
    }
}

void fill_lines(const Step (&steps)[4]) {
    for (int a = 0; a < 64; ++a)
        for (int b = 0; b < 64; ++b) {
            const Square from = Square(a), to = Square(b);
            attack_tables.between[a][b] |= bit(b);
            if (a == b || !(ray_attacks(from, 0, steps) & bit(b))) continue;
            attack_tables.line[a][b] = (ray_attacks(from, 0, steps) & ray_attacks(to, 0, steps)) | bit(a) | bit(b);
            attack_tables.between[a][b] |= ray_attacks(from, bit(b), steps) & ray_attacks(to, bit(a), steps);
        }
}

[[maybe_unused]] const bool is_filled = [] {
    for (int i = 0; i < 64; ++i) {
        const Square square = Square(i);
        attack_tables.knight[i] = step_attacks(square, kKnightSteps, 8);
        attack_tables.king[i] = step_attacks(square, kKingSteps, 8);
        attack_tables.pawn[kWhite][i] = pawn_attacks_of(kWhite, bit(i));
        attack_tables.pawn[kBlack][i] = pawn_attacks_of(kBlack, bit(i));
    }
    fill_sliders(attack_tables.bishop, kBishopSteps, kBishopMagics, bishop_table);
    fill_sliders(attack_tables.rook, kRookSteps, kRookMagics, rook_table);
    fill_lines(kBishopSteps);
    fill_lines(kRookSteps);
    return true;
}();

}  // namespace
}  // namespace philidor::chess
