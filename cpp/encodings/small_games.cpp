#include "encodings/small_games.h"

namespace philidor::encodings {

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
