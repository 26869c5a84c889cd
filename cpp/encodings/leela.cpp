#include "encodings/leela.h"

#include <algorithm>

#include "games/chess/attacks.h"

namespace philidor::encodings {

using namespace philidor::chess;

namespace {

constexpr Bitboard kAll = ~Bitboard{0};
constexpr int kPlanesPerBoard = 13;

constexpr bool is_armageddon(LeelaInput input) { return input >= LeelaInput::kCanonicalHectopliesArmageddon; }
constexpr bool skips_unrepeated(LeelaInput input) {
    return input == LeelaInput::kCanonicalV2 || input == LeelaInput::kCanonicalV2Armageddon;
}

Bitboard seen(Bitboard bits, Color viewer) { return viewer == kBlack ? __builtin_bswap64(bits) : bits; }

// --- Turning boards ----------------------------------------------------------------------------------------------

Bitboard flipped(Bitboard b) {
    b = ((b >> 1) & 0x5555555555555555ULL) | ((b & 0x5555555555555555ULL) << 1);
    b = ((b >> 2) & 0x3333333333333333ULL) | ((b & 0x3333333333333333ULL) << 2);
    return ((b >> 4) & 0x0F0F0F0F0F0F0F0FULL) | ((b & 0x0F0F0F0F0F0F0F0FULL) << 4);
}

// In the diagonal from a8 to h1: ever larger squares across it change places.
Bitboard transposed(Bitboard b) {
    const auto swap = [&b](Bitboard mask, int shift) {
        const Bitboard difference = (b ^ (b >> shift)) & mask;
        b ^= difference ^ (difference << shift);
    };
    swap(0x0055005500550055ULL, 9);
    swap(0x0000333300003333ULL, 18);
    swap(0x000000000F0F0F0FULL, 36);
    return b;
}

Bitboard turned(Bitboard bits, Turn turn) {
    if (turn & kFlip) bits = flipped(bits);
    if (turn & kMirror) bits = __builtin_bswap64(bits);
    if (turn & kTranspose) bits = transposed(bits);
    return bits;
}

int turned_square(int square, Turn turn) {
    if (turn & kFlip) square ^= 7;
    if (turn & kMirror) square ^= 56;
    if (turn & kTranspose) square = 8 * (7 - square % 8) + (7 - square / 8);
    return square;
}

// A king on the diagonal decides nothing: of the first bitboards that differ, the smaller one wins.
bool prefers_transposed(const Board& board, Turn turn) {
    const Color own = board.to_move();
    for (Bitboard bits : {board.occupied(), board.pieces(own), board.pieces(kKing), board.pieces(kQueen),
                          board.pieces(kRook), board.pieces(kKnight), board.pieces(kBishop)}) {
        const Bitboard straight = turned(seen(bits, own), turn), across = transposed(straight);
        if (straight != across) return across < straight;
    }
    return false;
}

// --- En passant and repetitions as Leela knows them ---------------------------------------------------------------

// The flag is set where a pawn stands ready to take, whether it may or not; in a FEN it is set if it is written.
// `placement` has the pieces of `state`, which may be an older state of an equal position.
bool has_en_passant_flag(const Board& placement, const State& state) {
    if (state.en_passant_raw == kNoSquare) return false;
    const Color own = placement.to_move();
    return state.previous == nullptr || (pawn_attacks(~own, state.en_passant_raw) & placement.pieces(own, kPawn)) != 0;
}

bool is_repetition(const Board& board) {
    const State* earlier = &board.state();
    for (int reach = board.halfmove_clock(); reach >= 2; reach -= 2) {
        if (!earlier->previous || !earlier->previous->previous) return false;
        earlier = earlier->previous->previous;
        if (earlier->key == board.key() && !has_en_passant_flag(board, *earlier)) return true;
    }
    return false;
}

// --- Planes ------------------------------------------------------------------------------------------------------

void write_board(const Board& board, Color viewer, bool is_repeated, Bitboard* planes) {
    for (Color color : {viewer, ~viewer})
        for (int type = kPawn; type <= kKing; ++type) *planes++ = seen(board.pieces(color, PieceType(type)), viewer);
    *planes = is_repeated ? kAll : 0;
}

// Nothing final has happened since: no castling right was lost, no chance to take en passant.
bool may_come_back(const Board& earlier, const Board& now) {
    return earlier.castling() == now.castling() && !has_en_passant_flag(earlier, earlier.state());
}

bool is_start_position(const Board& board) {
    static const PositionPtr start = Position::start();
    return board.key() == start->board().key() && board.en_passant_raw() == kNoSquare;
}

// The boards that stand for the unknown ones before the first, which is `root`.
void write_before(LeelaFormat format, const Board& root, Color viewer, int count, Bitboard* planes) {
    const Square flag = root.en_passant_raw();
    // No copy of the first board is a repetition, and one that shows en passant is never copied in canonical formats.
    if (skips_unrepeated(format.input) || (is_canonical(format.input) && flag != kNoSquare)) return;
    if (format.fill == HistoryFill::kNo) count = std::min(count, flag == kNoSquare ? 0 : 1);
    if (format.fill == HistoryFill::kFenOnly && is_start_position(root)) return;
    for (int i = 0; i < count; ++i, planes += kPlanesPerBoard) {
        write_board(root, viewer, false, planes);
        // A pawn has just made a double step: in the board before it stood on its first square.
        if (flag != kNoSquare) planes[root.to_move() == viewer ? 6 : 0] ^= seen(bit(flag + 8) | bit(flag + -8), viewer);
    }
}

void write_boards(LeelaFormat format, History history, Bitboard* planes) {
    const Board& now = *history.front();
    const Color viewer = now.to_move();
    int written = 0;
    for (const Board* board : history) {
        if (is_canonical(format.input) && board != &now && !may_come_back(*board, now)) return;
        const bool is_repeated = is_repetition(*board);
        if (board == &now || is_repeated || !skips_unrepeated(format.input))
            write_board(*board, viewer, is_repeated, planes + kPlanesPerBoard * written++);
        if (written == kHistory || (is_canonical(format.input) && board->halfmove_clock() == 0)) return;
    }
    if (history.back()->state().previous == nullptr)
        write_before(format, *history.back(), viewer, kHistory - written, planes + kPlanesPerBoard * written);
}

void write_castling(LeelaInput input, const Board& board, Bitboard* planes) {
    const Color own = board.to_move();
    for (Color color : {own, ~own}) {
        for (bool kingside : {false, true}) {
            const std::uint8_t right = castling_right(color, kingside);
            if (!(board.castling() & right)) continue;
            if (input == LeelaInput::kClassical)
                planes[(color == own ? 0 : 2) + kingside] = kAll;
            else
                planes[kingside] |= bit(relative_square(own, board.castling_rook(right)));
        }
    }
}

}  // namespace

Turn canonical_turn(const Board& board) {
    if (board.castling()) return kNoTurn;
    const int king = relative_square(board.to_move(), board.king(board.to_move()));
    int turn = king % 8 < 4 ? kFlip : kNoTurn;
    if (board.pieces(kPawn)) return Turn(turn);
    if (king / 8 >= 4) turn |= kMirror;
    const int square = turned_square(king, Turn(turn));
    const int above_diagonal = square % 8 + square / 8 - 7;
    if (above_diagonal > 0 || (above_diagonal == 0 && prefers_transposed(board, Turn(turn)))) turn |= kTranspose;
    return Turn(turn);
}

int history_needed(LeelaFormat format, const Board& board) {
    return skips_unrepeated(format.input) ? std::max(kHistory, board.halfmove_clock() + 1) : kHistory;
}

Turn encode_leela(LeelaFormat format, History history, std::uint64_t* planes, float* scalars) {
    const Board& now = *history.front();
    const bool is_black = now.to_move() == kBlack;
    std::fill_n(planes, kLeelaPackedPlanes, 0);
    write_boards(format, history, planes);
    Bitboard* const others = planes + kPlanesPerBoard * kHistory;
    write_castling(format.input, now, others);
    Turn turn = kNoTurn;
    if (is_canonical(format.input)) {
        if (has_en_passant_flag(now, now.state())) others[4] = bit(kA8 + file_of(now.en_passant_raw()));
        turn = canonical_turn(now);
        if (turn != kNoTurn)
            for (int plane = 0; plane < kLeelaPackedPlanes; ++plane) planes[plane] = turned(planes[plane], turn);
    } else if (is_black) {
        others[4] = kAll;
    }
    const bool in_hundreds = format.input >= LeelaInput::kCanonicalHectoplies;
    scalars[0] = float(now.halfmove_clock()) / (in_hundreds ? 100.0f : 1.0f);
    scalars[1] = is_armageddon(format.input) && is_black ? 1.0f : 0.0f;
    scalars[2] = 1.0f;
    return turn;
}

PolicyIndex leela_index(LeelaFormat format, Turn turn, const Board& board, Move move) {
    const Color own = board.to_move();
    const int from = turned_square(relative_square(own, move.from()), turn);
    const int to = turned_square(relative_square(own, move.to()), turn);
    return format.policy == LeelaPolicy::kFlat ? leela_flat_index(from, to, move.promotion())
                                               : leela_planes_index(from, to, move.promotion());
}

}  // namespace philidor::encodings
