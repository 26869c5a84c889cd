#include "games/chess/see.h"

#include <algorithm>

namespace philidor::chess {

namespace {

// An exchange under way on one square: who may capture next, cheapest first.
class Exchange {
  public:
    Exchange(const Board& board, Square target, Bitboard occupied)
        : board_(board),
          target_(target),
          occupied_(occupied),
          first_occupied_(occupied),
          attackers_(board.attackers_to(target, occupied)) {}

    // Takes the least valuable attacker of `color` off the board and returns its type; kNoPieceType if none may
    // capture.
    PieceType take_next(Color color) {
        attackers_ &= occupied_;
        Bitboard own = attackers_ & board_.pieces(color);
        if (!own) return kNoPieceType;
        own &= ~still_pinned(color);
        if (!own) return kNoPieceType;
        PieceType type = kPawn;
        while (!(own & board_.pieces(type))) type = PieceType(type + 1);
        // A king does not step where the other side still captures.
        if (type == kKing && (attackers_ & board_.pieces(~color))) return kNoPieceType;
        occupied_ ^= bit(first_square(own & board_.pieces(type)));
        reveal(type);
        return type;
    }

  private:
    // Sliders behind the piece that left join in.
    void reveal(PieceType type) {
        if (type == kPawn || type == kBishop || type == kQueen)
            attackers_ |= bishop_attacks(target_, occupied_) & (board_.pieces(kBishop) | board_.pieces(kQueen));
        if (type == kRook || type == kQueen)
            attackers_ |= rook_attacks(target_, occupied_) & (board_.pieces(kRook) | board_.pieces(kQueen));
    }

    // Pieces of `color` pinned to their king after the first move, unless the target lies on the pin's line.
    void find_pins(Color color) {
        count_[color] = 0;
        const Square king = board_.king(color);
        const Color them = ~color;
        Bitboard snipers = (rook_attacks(king, 0) & board_.pieces(them, kRook, kQueen)) |
                           (bishop_attacks(king, 0) & board_.pieces(them, kBishop, kQueen));
        while (snipers) {
            const Square sniper = pop_first(snipers);
            const Bitboard shield = between_to(king, sniper) & first_occupied_ & ~bit(sniper);
            if (!shield || has_several(shield) || !(shield & board_.pieces(color))) continue;
            if (line_through(king, sniper) & bit(target_)) continue;
            pinned_[color][count_[color]] = shield;
            pinner_[color][count_[color]++] = bit(sniper);
        }
    }

    // Looked for only when needed: most exchanges end before a pin could matter.
    Bitboard still_pinned(Color color) {
        if (count_[color] < 0) find_pins(color);
        Bitboard pinned = 0;
        for (int i = 0; i < count_[color]; ++i)
            if (pinner_[color][i] & occupied_) pinned |= pinned_[color][i];
        return pinned;
    }

    const Board& board_;
    Square target_;
    Bitboard occupied_;
    const Bitboard first_occupied_;
    Bitboard attackers_;
    Bitboard pinned_[2][8];
    Bitboard pinner_[2][8];
    int count_[2] = {-1, -1};  // not counted yet
};

// What the move itself wins, what then stands on the target, and which squares are still occupied.
struct FirstCapture {
    int gain;
    PieceType standing;
    Bitboard occupied;
};

FirstCapture first_capture(const Board& board, Move move) {
    const Square from = move.from(), to = move.to();
    FirstCapture first{kExchangeValue[type_of(board.piece_on(to))], type_of(board.piece_on(from)),
                       (board.occupied() ^ bit(from)) | bit(to)};
    if (move.kind() == kEnPassant) {
        first.gain = kExchangeValue[kPawn];
        first.occupied ^= bit(to + -forward(board.to_move()));
    }
    if (move.is_promotion()) {
        first.standing = move.promotion();
        first.gain += kExchangeValue[first.standing] - kExchangeValue[kPawn];
    }
    return first;
}

}  // namespace

int see(const Board& board, Move move) {
    if (move.kind() == kCastling) return 0;
    const FirstCapture first = first_capture(board, move);
    Exchange exchange(board, move.to(), first.occupied);
    // 1. Every capture in turn: gains[i] is the balance for its mover if the exchange stopped there.
    int gains[33];
    int last = 0;
    gains[0] = first.gain;
    PieceType standing = first.standing;
    Color color = ~board.to_move();
    for (PieceType next; (next = exchange.take_next(color)) != kNoPieceType; color = ~color) {
        ++last;
        gains[last] = kExchangeValue[standing] - gains[last - 1];
        standing = next;
    }
    // 2. Backwards: each side captures only if that is better than standing pat.
    for (; last > 0; --last) gains[last - 1] = -std::max(-gains[last - 1], gains[last]);
    return gains[0];
}

bool see_at_least(const Board& board, Move move, int threshold) {
    if (move.kind() == kCastling) return threshold <= 0;
    const FirstCapture first = first_capture(board, move);
    // `balance` is the mover's surplus over the threshold if the piece on the square is now lost or kept.
    int balance = first.gain - threshold;
    if (balance < 0) return false;  // even if nothing is taken back
    balance -= kExchangeValue[first.standing];
    if (balance >= 0) return true;  // even if the piece is lost
    Exchange exchange(board, move.to(), first.occupied);
    Color color = ~board.to_move();
    // Each capture must bring its side over the line; who cannot capture, or need not, decides.
    for (;;) {
        const PieceType next = exchange.take_next(color);
        if (next == kNoPieceType) break;
        color = ~color;
        balance = -balance - 1 - kExchangeValue[next];
        if (balance >= 0) break;
    }
    return color != board.to_move();
}

}  // namespace philidor::chess
