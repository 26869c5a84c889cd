#include "evaluators/patterns/features.h"

namespace philidor::evaluators::patterns {

namespace go = games::go;

std::vector<Point> taken_by(const Board& board, Point p, Color color) {
    std::vector<Point> taken;
    for (const Point n : board.neighbors(p)) {
        if (board.at(n) != go::other(color) || !board.is_taken_by(n, p)) continue;
        if (std::ranges::find(taken, n) != taken.end()) continue;
        Point stone = n;
        do {
            taken.push_back(stone);
            stone = board.next(stone);
        } while (stone != n);
    }
    return taken;
}

void add_saving_points(const Board& board, go::Chains& chains, Point prey, go::PointBits& found) {
    const Color color = board.at(prey);
    const auto add = [&found](Point p) { found[p / 64] |= std::uint64_t{1} << p % 64; };
    Point liberty;
    board.count_liberties(prey, 1, &liberty);
    if (go::after_stone(board, chains, liberty, color).liberties > 1) add(liberty);
    Point stone = prey;
    do {
        for (const Point n : board.neighbors(stone)) {
            Point last[2];
            if (board.at(n) == go::other(color) && board.count_liberties(n, 2, last) == 1) add(last[0]);
        }
        stone = board.next(stone);
    } while (stone != prey);
}

go::PointBits saving_points(const Board& board, go::Chains& chains, Color color) {
    go::PointBits found{};
    for (int square = 0; square < board.area(); ++square) {
        const Point p = board.point_of(square);
        if (board.at(p) == color && board.head(p) == p && board.count_liberties(p, 2) == 1)
            add_saving_points(board, chains, p, found);
    }
    return found;
}

}  // namespace philidor::evaluators::patterns
