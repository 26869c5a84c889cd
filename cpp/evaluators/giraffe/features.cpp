#include "evaluators/giraffe/features.h"

#include <array>
#include <bit>

namespace philidor::evaluators::giraffe {

using namespace chess;

namespace {

// How firmly a piece holds a square: the cheaper, the firmer. By PieceType.
constexpr float kControl[] = {0, 1.0F, 0.75F, 0.7F, 0.5F, 0.3F, 0.15F};
// The places in a side's list of pieces, and the most that a count is divided by.
struct Kind {
    PieceType type;
    int slots;
};
constexpr Kind kKinds[] = {{kKing, 1}, {kQueen, 1}, {kRook, 2}, {kBishop, 2}, {kKnight, 2}, {kPawn, 8}};
// (files, ranks) of a step; rooks have the first four, bishops the others, queens all.
constexpr int kSteps[8][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}};

// GCC and clang make one instruction of it.
constexpr Bitboard turned(Bitboard b) {
    Bitboard found = 0;
    for (int i = 0; i < 8; ++i) found = found << 8 | (b >> (8 * i) & 0xFF);
    return found;
}

// The board as the side to move sees it: its own pieces are side 0 and go up.
struct View {
    explicit View(const Board& board) {
        const Color us = board.to_move();
        const auto seen = [us](Bitboard b) { return us == kWhite ? b : turned(b); };
        for (int side = 0; side < 2; ++side)
            for (int type = kPawn; type <= kKing; ++type)
                pieces[side][type] = seen(board.pieces(Color(us ^ side), PieceType(type)));
        occupied = seen(board.occupied());
        castling = board.castling();
        if (us == kBlack) castling = std::uint8_t(castling >> 2 | (castling & 3) << 2);
    }
    Bitboard pieces[2][7] = {};
    Bitboard occupied;
    std::uint8_t castling;  // own king's side, own queen's side, theirs
};

using ControlMap = std::array<float, 64>;

ControlMap control_map(const View& view, int side) {
    ControlMap map{};
    // From the loosest to the firmest hold, so that the firmest is what stays.
    for (int type = kKing; type >= kPawn; --type) {
        Bitboard held = type == kPawn ? pawn_attacks_of(Color(side), view.pieces[side][kPawn]) : 0;
        for (Bitboard left = type == kPawn ? 0 : view.pieces[side][type]; left;)
            held |= piece_attacks(PieceType(type), pop_first(left), view.occupied);
        while (held) map[pop_first(held)] = kControl[type];
    }
    return map;
}

float reach(const View& view, Square from, const int (&step)[2]) {
    int file = file_of(from) + step[0], rank = rank_of(from) + step[1], count = 0;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
        ++count;
        if (view.occupied & bit(make_square(file, rank))) break;
        file += step[0], rank += step[1];
    }
    return float(count) / 7;
}

// The squares of a bitboard file by file, each from below: turns rows into columns.
int squares_by_file(Bitboard pieces, int most, Square* into) {
    int count = 0;
    for (int file = 0; file < 8; ++file)
        for (Bitboard left = pieces & file_mask(file); left && count < most;) into[count++] = pop_first(left);
    return count;
}

float* write_pieces(const View& view, int side, const ControlMap (&control)[2], float* into) {
    for (const Kind& kind : kKinds) {
        Square squares[8];
        const int count = squares_by_file(view.pieces[side][kind.type], kind.slots, squares);
        const bool is_straight = kind.type == kRook || kind.type == kQueen;
        const bool is_diagonal = kind.type == kBishop || kind.type == kQueen;
        for (int slot = 0; slot < kind.slots; ++slot) {
            const bool is_there = slot < count;
            const Square square = is_there ? squares[slot] : kA1;
            *into++ = is_there;
            *into++ = is_there ? float(file_of(square)) / 7 : 0;
            *into++ = is_there ? float(rank_of(square)) / 7 : 0;
            *into++ = is_there ? control[side][square] : 0;
            *into++ = is_there ? control[side ^ 1][square] : 0;
            for (int i = is_straight ? 0 : 4; i < (is_diagonal ? 8 : is_straight ? 4 : 0); ++i)
                *into++ = is_there ? reach(view, square, kSteps[i]) : 0;
        }
    }
    return into;
}

}  // namespace

void write_features(const Board& board, float* into) {
    const View view(board);
    for (int right = 0; right < 4; ++right) *into++ = float(view.castling >> right & 1);
    for (int side = 0; side < 2; ++side)
        for (const Kind& kind : kKinds)
            if (kind.type != kKing) *into++ = float(popcount(view.pieces[side][kind.type])) / float(kind.slots);
    const ControlMap control[2] = {control_map(view, 0), control_map(view, 1)};
    for (int side = 0; side < 2; ++side) into = write_pieces(view, side, control, into);
    for (const ControlMap& map : control) into = std::copy(map.begin(), map.end(), into);
}

}  // namespace philidor::evaluators::giraffe
