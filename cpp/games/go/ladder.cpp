#include "games/go/ladder.h"

#include <algorithm>

namespace philidor::games::go {
namespace {

// A ladder across the whole board has about 120 plies; what is not read to its end counts as an escape.
constexpr int kMaxDepth = 200;
constexpr int kMaxNodes = 1000;

struct Reader {
    int nodes = 0;

    // Puts a stone down if that is legal; the simple ko is the only one that is looked at.
    static bool play(Board& board, Point& ko, Point p, Color color) {
        if (p == ko || board.is_suicide(p, color)) return false;
        const bool is_inside = board.count(p, other(color)) == 4;
        Point single = kNoPoint;
        const int taken = board.place<false>(p, color, single);  // nobody asks for the key
        ko = is_inside && taken == 1 ? single : kNoPoint;
        return true;
    }

    // Whether the chain of `prey`, which has two liberties, is caught if the other color moves first.
    bool is_caught(const Board& board, Point ko, Point prey, int depth) {
        Point liberties[3];
        board.count_liberties(prey, 3, liberties);
        if (depth >= kMaxDepth || ++nodes > kMaxNodes) return false;
        std::sort(liberties, liberties + 2);
        for (int i = 0; i < 2; ++i) {
            Board next = board;
            Point next_ko = ko;
            if (play(next, next_ko, liberties[i], other(board.at(prey))) && !escapes(next, next_ko, prey, depth + 1))
                return true;
        }
        return false;
    }

    // Whether the chain of `prey` gets away if its own color moves first.
    bool escapes(const Board& board, Point ko, Point prey, int depth) {
        if (board.count_liberties(prey, 2) > 1) return true;
        if (depth >= kMaxDepth || ++nodes > kMaxNodes) return true;
        for (const Point move : saving_moves(board, prey))
            if (saves(board, ko, move, prey, depth)) return true;
        return false;
    }

    bool saves(const Board& board, Point ko, Point move, Point prey, int depth) {
        Board next = board;
        if (!play(next, ko, move, board.at(prey))) return false;
        const int liberties = next.count_liberties(prey, 3);
        return liberties > 2 || (liberties == 2 && !is_caught(next, ko, prey, depth + 1));
    }

    // The last liberty, and those of the chains around that are in atari themselves; in order.
    static std::vector<Point> saving_moves(const Board& board, Point prey) {
        std::vector<Point> moves(1);
        board.count_liberties(prey, 1, moves.data());
        Point stone = prey;
        do {
            for (const Point n : board.neighbors(stone)) {
                Point liberties[2];
                if (board.at(n) == other(board.at(prey)) && board.count_liberties(n, 2, liberties) == 1)
                    moves.push_back(liberties[0]);
            }
            stone = board.next(stone);
        } while (stone != prey);
        std::sort(moves.begin(), moves.end());
        moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
        return moves;
    }
};

// Calls `visit(head, liberties)` for each chain of a color.
template <typename Visit>
void for_each_chain(const Board& board, Color color, Visit&& visit) {
    for (int square = 0; square < board.area(); ++square) {
        const Point p = board.point_of(square);
        if (board.at(p) == color && board.head(p) == p) visit(p);
    }
}

std::vector<int> in_order(const Board& board, std::vector<Point>& points) {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    std::vector<int> squares;
    for (const Point p : points) squares.push_back(board.square_of(p));
    return squares;
}

}  // namespace

std::vector<int> ladder_captures(const Board& board, Color color, Point ko) {
    std::vector<Point> found;
    for_each_chain(board, other(color), [&](Point prey) {
        Point liberties[3];
        if (board.count_liberties(prey, 3, liberties) != 2) return;
        for (int i = 0; i < 2; ++i) {
            Board next = board;
            Point next_ko = ko;
            if (Reader::play(next, next_ko, liberties[i], color) && !Reader{}.escapes(next, next_ko, prey, 1))
                found.push_back(liberties[i]);
        }
    });
    return in_order(board, found);
}

std::vector<int> ladder_escapes(const Board& board, Color color, Point ko) {
    std::vector<Point> found;
    for_each_chain(board, color, [&](Point prey) {
        if (board.count_liberties(prey, 2) != 1) return;
        for (const Point move : Reader::saving_moves(board, prey))
            if (Reader{}.saves(board, ko, move, prey, 1)) found.push_back(move);
    });
    return in_order(board, found);
}

}  // namespace philidor::games::go
