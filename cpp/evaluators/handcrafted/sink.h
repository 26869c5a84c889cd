// Where the evaluation's terms go: into sums when playing, into a table of counts when tuning or explaining.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "evaluators/handcrafted/score.h"
#include "evaluators/handcrafted/terms.h"
#include "evaluators/handcrafted/weights.h"
#include "games/chess/types.h"

namespace philidor::evaluators::handcrafted {

constexpr Score weight_of(Term term, int index) { return kWeights[kTermStart[int(term)] + index]; }

// The term and the index in it that a piece's square has: pawns and kings know left from right, the others do not.
constexpr Term square_term(chess::PieceType type) { return Term(int(Term::kPawnSquare) + type - chess::kPawn); }
constexpr int square_index(chess::Color color, chess::PieceType type, chess::Square square) {
    if (type == chess::kPawn || type == chess::kKing) return chess::relative_square(color, square);
    return chess::relative_rank(color, square) * 4 + std::min(chess::file_of(square), 7 - chess::file_of(square));
}

// What a piece is worth on a square, material included, by piece and square; White's view.
inline constexpr std::array<std::array<Score, 64>, 16> kPieceSquare = [] {
    using namespace chess;
    std::array<std::array<Score, 64>, 16> table{};
    for (Color color : {kWhite, kBlack})
        for (int type = kPawn; type <= kKing; ++type)
            for (int i = 0; i < 64; ++i) {
                const int index = square_index(color, PieceType(type), Square(i));
                Score score = weight_of(square_term(PieceType(type)), index);
                if (type != kKing) score += weight_of(Term::kMaterial, type - kPawn);
                table[make_piece(color, PieceType(type))][std::size_t(i)] = color == kWhite ? score : -score;
            }
    return table;
}();

class Sum {
  public:
    void add_piece(chess::Color color, chess::PieceType type, chess::Square square) {
        parts_.linear += kPieceSquare[chess::make_piece(color, type)][square];
    }
    void add(chess::Color color, Term term, int index = 0, int times = 1) {
        const Score weight = weight_of(term, index) * times;
        parts_.linear += color == chess::kWhite ? weight : -weight;
    }
    void add_danger(chess::Color attacker, Term term, int index = 0, int times = 1) {
        parts_.danger[attacker] += weight_of(term, index) * times;
    }
    void add_score(Score score) { parts_.linear += score; }
    const Parts& parts() const { return parts_; }

  private:
    Parts parts_;
};

// How often each weight was used, by color.
class Counts {
  public:
    void add_piece(chess::Color color, chess::PieceType type, chess::Square square) {
        if (type != chess::kKing) add(color, Term::kMaterial, type - chess::kPawn);
        add(color, square_term(type), square_index(color, type, square));
    }
    void add(chess::Color color, Term term, int index = 0, int times = 1) {
        std::int16_t& count = counts_[color][kTermStart[int(term)] + index];
        count = std::int16_t(count + times);
    }
    void add_danger(chess::Color attacker, Term term, int index = 0, int times = 1) {
        add(attacker, term, index, times);
    }
    int of(chess::Color color, int weight) const { return counts_[color][weight]; }

    Parts parts() const {
        Parts parts;
        for (int i = 0; i < kDangerStart; ++i)
            parts.linear += (of(chess::kWhite, i) - of(chess::kBlack, i)) * kWeights[i];
        for (chess::Color color : {chess::kWhite, chess::kBlack})
            for (int i = kDangerStart; i < kWeightCount; ++i) parts.danger[color] += of(color, i) * kWeights[i];
        return parts;
    }

  private:
    std::int16_t counts_[2][kWeightCount] = {};
};

}  // namespace philidor::evaluators::handcrafted
