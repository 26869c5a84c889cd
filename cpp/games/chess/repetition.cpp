#include "games/chess/repetition.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "games/chess/zobrist.h"

namespace philidor::chess {

namespace {

// What a move that can be taken back changes in the key, the right to move included, and its two squares.
struct Reversible {
    Key key = 0;  // 0: no entry
    Square one = kNoSquare, other = kNoSquare;
};

// A hash table with linear probing, a quarter full: there are 3,668 such moves.
constexpr std::size_t kPlaces = 1 << 14;

constexpr std::size_t place(Key key) { return std::size_t(key) % kPlaces; }

// The attacks of a piece on an empty board, without the tables, which may not be there yet.
bool is_reached(PieceType type, int from, int to) {
    const int ranks = std::abs(from / 8 - to / 8), files = std::abs(from % 8 - to % 8);
    const bool is_straight = ranks == 0 || files == 0, is_diagonal = ranks == files;
    switch (type) {
        case kKnight: return ranks * files == 2;
        case kBishop: return is_diagonal;
        case kRook: return is_straight;
        case kQueen: return is_straight || is_diagonal;
        case kKing: return std::max(ranks, files) == 1;
        default: return false;
    }
}

std::array<Reversible, kPlaces> find_reversible() {
    std::array<Reversible, kPlaces> table{};
    for (const Color color : {kWhite, kBlack})
        for (const PieceType type : {kKnight, kBishop, kRook, kQueen, kKing})
            for (int one = 0; one < 64; ++one)
                for (int other = one + 1; other < 64; ++other) {
                    if (!is_reached(type, one, other)) continue;
                    const Piece piece = make_piece(color, type);
                    const Key key = zobrist::piece(piece, Square(one)) ^ zobrist::piece(piece, Square(other)) ^
                                    zobrist::kWhiteToMove;
                    std::size_t at = place(key);
                    while (table[at].key) at = (at + 1) % kPlaces;
                    table[at] = {key, Square(one), Square(other)};
                }
    return table;
}

const std::array<Reversible, kPlaces> reversible = find_reversible();

}  // namespace

bool can_repeat(const Board& board, int reach) {
    const State* now = &board.state();
    const State* earlier = now->previous;
    const int end = std::min({now->halfmove_clock, now->plies_from_null, reach - 1});
    if (end < 3 || !earlier) return false;
    // What the opponent's moves have changed: unless they cancel out, no move of ours leads back.
    Key others = now->key ^ earlier->key ^ zobrist::kWhiteToMove;
    for (int back = 3; back <= end; back += 2) {
        if (!earlier->previous || !earlier->previous->previous) return false;
        others ^= earlier->previous->key ^ earlier->previous->previous->key ^ zobrist::kWhiteToMove;
        earlier = earlier->previous->previous;
        if (others) continue;
        const Key change = now->key ^ earlier->key;
        for (std::size_t at = place(change); reversible[at].key; at = (at + 1) % kPlaces) {
            const Reversible& move = reversible[at];
            if (move.key != change) continue;
            const Square from = board.piece_on(move.one) == kNoPiece ? move.other : move.one;
            const Square to = from == move.one ? move.other : move.one;
            // The opponent's piece is another matter: nobody can move it now.
            if (color_of(board.piece_on(from)) == board.to_move() &&
                !(between_to(from, to) & ~bit(to) & board.occupied()))
                return true;
            break;
        }
    }
    return false;
}

}  // namespace philidor::chess
