#include "records/move_model.h"

#include <algorithm>

#include "games/chess/attacks.h"
#include "games/chess/checks.h"
#include "games/chess/see.h"

namespace philidor::records {

using namespace philidor::chess;

namespace {

constexpr unsigned kOpeningMixer = 0, kMoveMixer = 1;
constexpr int kLastRank = 40;
static_assert(kMoveMixer + kLastRank < MoveModel::kMixers);

// Each context has a number of its own, so that no two mean the same by chance.
enum Topic : std::uint32_t {
    kBookMove = 1,
    kMovesLeft,
    kKind,
    kPlace,
    kPath,
    kAfterTheirs,
    kAfterOwn,
    kHabit,
    kRank,
    kLead
};

// Own pieces that would be lost: attacked by something of less worth, or attacked and not defended.
Bitboard threatened(const Board& board) {
    const Color us = board.to_move();
    Bitboard found = 0;
    for (Bitboard rest = board.pieces(us) & ~board.pieces(kKing); rest;) {
        const Square square = pop_first(rest);
        const Bitboard attackers = board.attackers_to(square, board.occupied());
        Bitboard enemies = attackers & board.pieces(~us);
        bool is_lost = enemies && !(attackers & board.pieces(us));
        while (enemies && !is_lost) {
            const PieceType enemy = type_of(board.piece_on(pop_first(enemies)));
            is_lost = enemy != kKing && kExchangeValue[enemy] < kExchangeValue[type_of(board.piece_on(square))];
        }
        if (is_lost) found |= bit(square);
    }
    return found;
}

// What a move is like: five steps from a winning capture to a quiet move that loses something, then single facts.
struct Kind {
    std::uint32_t step;
    std::uint32_t all;
};

Kind kind_of(const Board& board, Move move, Checks& checks, Bitboard in_danger, Move last) {
    Kind kind;
    if (board.is_capture(move))
        kind.step = see_at_least(board, move, 1) ? 0 : see_at_least(board, move, 0) ? 1 : 2;
    else
        kind.step = see_at_least(board, move, 0) ? 3 : 4;
    const std::uint32_t special = move.promotion() == kQueen ? 1
                                  : move.is_promotion()      ? 2
                                  : move.kind() == kCastling ? 3
                                                             : 0;
    const bool takes_back = last && move.to() == last.to(), escapes = in_danger & bit(move.from());
    kind.all = kind.step << 5 | std::uint32_t(takes_back) << 4 | std::uint32_t(checks.given_by(move)) << 3 |
               std::uint32_t(escapes) << 2 | special;
    return kind;
}

}  // namespace

Move MoveModel::code_opening(const Board& board, Move move) {
    MoveList list = legal_moves(board);
    sort_canonical(list);
    const std::uint32_t key = hash_of(kBookMove, std::uint32_t(board.key() >> 32));
    for (int i = 0; i < list.size(); ++i) {
        const auto left = std::uint32_t(list.size() - i);
        if (left == 1 ||
            bits_.code(list[i] == move, {hash_of(key, list[i].raw()), hash_of(kMovesLeft, left)}, kOpeningMixer))
            return list[i];
    }
    return kNoMove;
}

void MoveModel::look_at(const Board& board, const Move (&last)[2]) {
    Move list[kMaxMoves];
    count_ = int(generate(board, list) - list);
    const Color us = board.to_move();
    const Bitboard in_danger = threatened(board);
    const std::uint32_t mood = std::uint32_t(in_danger != 0) << 1 | std::uint32_t(board.in_check());
    const auto phase = std::uint32_t(popcount(board.occupied())) / 6;
    Checks checks(board);
    const auto after = [&](Topic topic, Move before) {
        return hash_of(topic, before ? std::uint32_t(board.piece_on(before.to())) << 6 | before.to() : 0xFFFF);
    };
    const std::uint32_t theirs = after(kAfterTheirs, last[0]), own = after(kAfterOwn, last[1]);
    for (int i = 0; i < count_; ++i) {
        const Move move = list[i];
        const std::uint32_t piece = type_of(board.piece_on(move.from()));
        const std::uint32_t victim = move.kind() == kEnPassant ? std::uint32_t(kPawn)
                                     : board.is_capture(move)  ? type_of(board.piece_on(move.to()))
                                                               : 0;
        const std::uint32_t place = piece << 6 | relative_square(us, move.to());
        const Kind kind = kind_of(board, move, checks, in_danger, last[0]);
        const bool is_same = last[1] && move.from() == last[1].to();
        const bool is_back = is_same && move.to() == last[1].from();
        Candidate& candidate = candidates_[i];
        candidate.move = move;
        candidate.contexts[0] = hash_of(hash_of(kKind, kind.all << 6 | piece << 3 | victim), mood);
        candidate.contexts[1] = hash_of(hash_of(kPlace, place), phase << 3 | kind.step);
        candidate.contexts[2] = hash_of(hash_of(kPath, place << 6 | relative_square(us, move.from())), kind.step);
        candidate.contexts[3] = hash_of(theirs, place);
        candidate.contexts[4] = hash_of(own, place << 1 | std::uint32_t(is_back));
        candidate.contexts[5] = hash_of(hash_of(kHabit, kind.all),
                                        phase << 5 | piece << 2 | std::uint32_t(is_same) << 1 | std::uint32_t(is_back));
        candidate.odds = 0;
        for (const std::uint32_t context : candidate.contexts) candidate.odds += bits_.odds(context);
        ordered_[i] = &candidate;
    }
    // Ties go by the canonical order: generators may differ.
    std::sort(ordered_, ordered_ + count_, [](const Candidate* a, const Candidate* b) {
        return a->odds != b->odds ? a->odds > b->odds : a->move < b->move;
    });
}

Move MoveModel::code_chosen(const Board& board, Move move, const Move (&last)[2]) {
    look_at(board, last);
    for (int i = 0; i < count_; ++i) {
        const Candidate& candidate = *ordered_[i];
        if (i + 1 == count_) return candidate.move;
        const auto rank = std::uint32_t(std::min(i, kLastRank));
        const int behind = std::clamp((ordered_[0]->odds - candidate.odds) / 128, 0, 63);
        const int ahead = std::clamp((candidate.odds - ordered_[i + 1]->odds) / 64, 0, 31);
        std::uint32_t contexts[kContexts + 2];
        std::copy_n(candidate.contexts, kContexts, contexts);
        contexts[kContexts] = hash_of(hash_of(kRank, rank), std::uint32_t(std::min(count_, 40)));
        contexts[kContexts + 1] = hash_of(hash_of(kLead, rank), std::uint32_t(behind << 5 | ahead));
        if (bits_.code(candidate.move == move, contexts, kContexts + 2, kMoveMixer + rank)) return candidate.move;
    }
    return kNoMove;
}

}  // namespace philidor::records
