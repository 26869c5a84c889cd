#include "encodings/small_games.h"

#include <bit>

namespace philidor::encodings {

std::uint64_t board_bits(const games::Connect4& state, int player) {
    std::uint64_t bits = 0;
    const int width = state.width(), stride = state.stride();
    for (std::uint64_t stones = state.stones(player); stones; stones &= stones - 1) {
        const int cell = std::countr_zero(stones);
        bits |= std::uint64_t{1} << (cell % stride * width + cell / stride);
    }
    return bits;
}

// White's steps, Black's steps, White's captures, Black's captures, each from the mover's first row.
PolicyIndex action_index(const games::Hexapawn& state, games::MoveCode move) {
    const int width = state.width(), height = state.height();
    const int from = move / 64, to = move % 64;
    const int row = from / width, column = from % width, sideways = to % width - column;
    const int rows_behind = state.to_move() == 0 ? row : height - 1 - row;
    const int steps = width * (height - 1), captures = (2 * width - 2) * (height - 1);
    if (sideways == 0) return PolicyIndex(state.to_move() * steps + rows_behind * width + column);
    // The first column has only a right capture, hence the - 1.
    const int place = 2 * column - 1 + (sideways > 0);
    return PolicyIndex(2 * steps + state.to_move() * captures + rows_behind * (2 * width - 2) + place);
}

void HexapawnEncoder::encode(const games::Hexapawn& state, std::uint64_t* planes, float*, PolicyIndex* legal) const {
    std::fill_n(planes, words_, 0);
    int input = 0;
    const auto write = [&](bool is_set) {
        planes[input / 64] |= std::uint64_t(is_set) << (input % 64);
        ++input;
    };
    for (const int player : {0, 1})
        for (int row = state.height() - 1; row >= 0; --row)
            for (int column = 0; column < state.width(); ++column)
                write((state.pawns(player) >> (row * state.width() + column)) & 1);
    for (int column = 0; column < state.width(); ++column) write(state.to_move() == 0);
    write_actions(state, legal);
}

}  // namespace philidor::encodings
