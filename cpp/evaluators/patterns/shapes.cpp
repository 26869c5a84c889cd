#include "evaluators/patterns/shapes.h"

#include <algorithm>

namespace philidor::evaluators::patterns {

namespace go = games::go;

Cells::Cells(const Board& board, Color color) {
    std::uint8_t liberties[go::kMaxPoints] = {};  // by a chain's head
    for (int row = 0, square = 0; row < board.height(); ++row)
        for (int column = 0; column < board.width(); ++column, ++square) {
            const Point p = board.point_of(square);
            std::uint8_t& cell = cells_[std::size_t(place(column, row))];
            const Color there = board.at(p);
            if (there == go::kEmpty) {
                cell = kFree;
                continue;
            }
            std::uint8_t& known = liberties[board.head(p)];
            if (known == 0) known = std::uint8_t(board.count_liberties(p, 3));
            cell = std::uint8_t((there == color ? kOwn : kTheirs) + known - 1);
        }
}

}  // namespace philidor::evaluators::patterns
