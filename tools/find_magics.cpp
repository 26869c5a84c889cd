// Finds the magic multipliers of cpp/games/chess/magics.h: for each square a number that sends every
// occupancy of the slider's mask to an index of popcount(mask) bits without harmful collisions.
//   g++ -std=c++20 -O2 tools/find_magics.cpp -o build/find_magics && build/find_magics > cpp/games/chess/magics.h
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using Bitboard = std::uint64_t;

std::uint64_t random_state = 2022;  // fixed, so that a second run writes the same file

std::uint64_t random_bits() {  // splitmix64
    std::uint64_t z = (random_state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

Bitboard attacks(int square, Bitboard occupied, bool is_rook, bool only_relevant) {
    static constexpr int kSteps[2][4][2] = {{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}, {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
    Bitboard reached = 0;
    for (const auto& step : kSteps[is_rook]) {
        int file = square % 8 + step[0], rank = square / 8 + step[1];
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            const int next_file = file + step[0], next_rank = rank + step[1];
            const bool is_last = next_file < 0 || next_file > 7 || next_rank < 0 || next_rank > 7;
            if (only_relevant && is_last) break;
            reached |= Bitboard{1} << (rank * 8 + file);
            if (occupied >> (rank * 8 + file) & 1) break;
            file = next_file, rank = next_rank;
        }
    }
    return reached;
}

std::uint64_t find(int square, bool is_rook) {
    const Bitboard mask = attacks(square, 0, is_rook, true);
    const int bits = std::popcount(mask);
    std::vector<Bitboard> occupancies, answers;
    Bitboard occupied = 0;
    do {
        occupancies.push_back(occupied);
        answers.push_back(attacks(square, occupied, is_rook, false));
        occupied = (occupied - mask) & mask;
    } while (occupied);
    for (;;) {
        const std::uint64_t magic = random_bits() & random_bits() & random_bits();  // few bits set work best
        if (std::popcount((mask * magic) >> 56) < 6) continue;
        std::vector<Bitboard> table(std::size_t{1} << bits, 0);
        bool fits = true;
        for (std::size_t i = 0; i < occupancies.size() && fits; ++i) {
            Bitboard& entry = table[(occupancies[i] * magic) >> (64 - bits)];
            fits = entry == 0 || entry == answers[i];
            entry = answers[i];
        }
        if (fits) return magic;
    }
}

}  // namespace

int main() {
    std::puts(
        "// Written by tools/find_magics.cpp.\n#pragma once\n\n#include \"games/chess/types.h\"\n\n"
        "namespace philidor::chess {\n");
    for (bool is_rook : {false, true}) {
        std::printf("inline constexpr Bitboard k%sMagics[64] = {", is_rook ? "Rook" : "Bishop");
        for (int square = 0; square < 64; ++square)
            std::printf("%s0x%016llXULL,", square % 4 ? " " : "\n    ", (unsigned long long)find(square, is_rook));
        std::puts("\n};\n");
    }
    std::puts("}  // namespace philidor::chess");
}
