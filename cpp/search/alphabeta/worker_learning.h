// What the search learns: which moves do well, and how wrong the evaluation is.
#pragma once

#include "search/alphabeta/worker_search.h"

namespace philidor::search {

template <chess::NativeEvaluator E>
void Worker<E>::learn_from(const Node& node, const Tried& quiets, const Tried& captures) {
    Frame& frame = *node.frame;
    const chess::Color us = board_.to_move();
    const int bonus = std::min(parameters().bonus_slope * node.depth - 60, 1800);
    const int malus = -std::min(parameters().malus_slope * node.depth - 40, 1800);
    const Move best = node.best_move;
    const auto victim = [&](Move move) {
        return move.kind() == chess::kEnPassant ? chess::kPawn : chess::type_of(board_.piece_on(move.to()));
    };
    if (!board_.is_capture(best) && best.promotion() != chess::kQueen) {
        if (frame.killers[0] != best) frame.killers[1] = frame.killers[0], frame.killers[0] = best;
        const Frame& before = (&frame)[-1];
        if (before.move) histories_->counter[before.piece][before.move.to()] = best;
        learn<kHistoryLimit>(quiet_entry(frame, us, best), bonus);
        learn_continuations(&frame, board_.piece_on(best.from()), best.to(), bonus);
        PieceTo* pawns = parameters().pawn_history ? &histories_->pawns[board_.pawn_key() % 512] : nullptr;
        if (pawns) learn<kHistoryLimit>((*pawns)[board_.piece_on(best.from())][best.to()], bonus);
        for (int i = 0; i < quiets.count; ++i) {
            const chess::Piece piece = board_.piece_on(quiets.moves[i].from());
            learn<kHistoryLimit>(quiet_entry(frame, us, quiets.moves[i]), malus);
            learn_continuations(&frame, piece, quiets.moves[i].to(), malus);
            if (pawns) learn<kHistoryLimit>((*pawns)[piece][quiets.moves[i].to()], malus);
        }
    } else {
        learn<kHistoryLimit>(histories_->capture[board_.piece_on(best.from())][best.to()][victim(best)], bonus);
    }
    // The first quiet move of the opponent led to this refutation.
    if (Frame* before = &frame - 1; parameters().early_malus && before->move && before->move_count == 1 &&
                                    board_.state().captured == chess::kNoPiece && !before->move.is_promotion())
        learn_continuations(before, before->piece, before->move.to(), -bonus * parameters().early_malus / 100);
    for (int i = 0; i < captures.count; ++i) {
        const Move move = captures.moves[i];
        learn<kHistoryLimit>(histories_->capture[board_.piece_on(move.from())][move.to()][victim(move)], malus);
    }
}

// What the last move changed by the evaluation itself: the other side's quiet moves are ordered by it before any of
// them has refuted anything.
template <chess::NativeEvaluator E>
void Worker<E>::learn_from_evaluation(const Frame& frame) {
    const Frame& before = (&frame)[-1];
    if (!before.move || before.static_evaluation == kNoScore || board_.state().captured != chess::kNoPiece ||
        before.move.is_promotion())
        return;
    const int limit = parameters().evaluation_history_limit;
    const int gain = parameters().evaluation_history_offset - before.static_evaluation - frame.static_evaluation;
    const int bonus = std::clamp(gain * parameters().evaluation_history, -limit, limit);
    learn<kHistoryLimit>(quiet_entry(before, ~board_.to_move(), before.move), bonus);
}

// No move was good enough: the quiet move that led here has done well.
template <chess::NativeEvaluator E>
void Worker<E>::learn_from_failure(const Node& node) {
    Frame* before = node.frame - 1;
    if (!before->move || board_.state().captured != chess::kNoPiece || before->move.is_promotion()) return;
    const int bonus = std::min(parameters().fail_low_bonus * node.depth, 1800);
    learn<kHistoryLimit>(quiet_entry(*before, ~board_.to_move(), before->move), bonus / 2);
    learn_continuations(before, before->piece, before->move.to(), bonus);
}

template <chess::NativeEvaluator E>
void Worker<E>::learn_continuations(Frame* frame, chess::Piece piece, chess::Square to, int bonus) {
    for (int back : {1, 2, 4})
        if (frame[-back].continuation) learn<kHistoryLimit>((*frame[-back].continuation)[piece][to], bonus);
    if (parameters().continuation_sixth && frame[-6].continuation)
        learn<kHistoryLimit>((*frame[-6].continuation)[piece][to], bonus / 2);
}

template <chess::NativeEvaluator E>
QuietContext Worker<E>::quiet_context(const Node& node, chess::Checks& checks) const {
    const Frame* frame = node.frame;
    QuietContext context;
    if (features().continuation_history) {
        const int backs[3] = {1, 2, 4};
        for (int i = 0; i < 3; ++i)
            if (frame[-backs[i]].continuation) context.continuations[i] = frame[-backs[i]].continuation;
        if (parameters().continuation_sixth && frame[-6].continuation) context.sixth = frame[-6].continuation;
    }
    context.threats = &frame->threats;
    context.killers[0] = frame->killers[0], context.killers[1] = frame->killers[1];
    if (frame[-1].move) context.counter = histories_->counter[frame[-1].piece][frame[-1].move.to()];
    context.pawn_weight = parameters().pawn_history;
    if (context.pawn_weight) context.pawns = &histories_->pawns[board_.pawn_key() % 512];
    context.threat_weight = parameters().order_threats;
    context.checks = parameters().order_checks;
    context.giving = &checks;
    return context;
}

template <chess::NativeEvaluator E>
int Worker<E>::quiet_history(const Frame* frame, Move move) const {
    int history = quiet_entry(*frame, board_.to_move(), move);
    const chess::Piece piece = board_.piece_on(move.from());
    if (features().continuation_history)
        for (int back : {1, 2})
            if (frame[-back].continuation) history += (*frame[-back].continuation)[piece][move.to()];
    if (const int weight = parameters().pawn_history)
        history += histories_->pawns[board_.pawn_key() % 512][piece][move.to()] * weight / 128;
    return history;
}

template <chess::NativeEvaluator E>
int Worker<E>::capture_history(Move move) const {
    const chess::PieceType victim =
        move.kind() == chess::kEnPassant ? chess::kPawn : chess::type_of(board_.piece_on(move.to()));
    return histories_->capture[board_.piece_on(move.from())][move.to()][victim];
}

// How wrong the evaluation was with such pawns before, in 256ths of a centipawn.
template <chess::NativeEvaluator E>
std::int16_t& Worker<E>::pawn_correction() const {
    auto& errors = histories_->pawn_correction[board_.to_move()];
    return errors[board_.pawn_key() % errors.size()];
}

// The same with such pieces of one side, wherever its pawns are.
template <chess::NativeEvaluator E>
std::int16_t& Worker<E>::piece_correction(const Frame* frame, chess::Color whose) const {
    return histories_->piece_correction[board_.to_move()][whose][frame->piece_places[whose]];
}

// Where piece_correction looks for the position on the board. Asked for as soon as the position is there, what is in
// these places arrives by the time it is needed.
template <chess::NativeEvaluator E>
void Worker<E>::find_piece_places(Frame& frame) const {
    using namespace chess;
    if (!features().correction_history || !parameters().piece_correction) return;
    for (const Color whose : {kWhite, kBlack}) {
        const std::uint64_t mixed = board_.pieces(whose, kKnight) * 0x9E3779B97F4A7C15ULL +
                                    board_.pieces(whose, kBishop) * 0xC2B2AE3D27D4EB4FULL +
                                    board_.pieces(whose, kRook) * 0x165667B19E3779F9ULL +
                                    board_.pieces(whose, kQueen) * 0xD6E8FEB86659FD93ULL +
                                    board_.pieces(whose, kKing) * 0xA0761D6478BD642FULL;
        frame.piece_places[whose] = std::uint16_t(((mixed ^ (mixed >> 29)) >> 13) % 16384);
        __builtin_prefetch(&piece_correction(&frame, whose));
    }
}

// The same after two such moves.
template <chess::NativeEvaluator E>
std::int16_t& Worker<E>::continuation_correction(const Frame* frame) const {
    const auto place = [](const Frame& before) {
        return before.move ? unsigned(before.piece) * 64 + unsigned(before.move.to()) : 0u;
    };
    const unsigned mixed = place(frame[-1]) * 1031 ^ place(frame[-2]) * 2654435769u >> 8;
    return histories_->continuation_correction[board_.to_move()][mixed % 16384];
}

template <chess::NativeEvaluator E>
int Worker<E>::corrected(int evaluation, const Frame* frame) const {
    if (!features().correction_history) return evaluation;
    int correction = pawn_correction();
    if (const int weight = parameters().piece_correction)
        correction += (piece_correction(frame, chess::kWhite) + piece_correction(frame, chess::kBlack)) * weight / 128;
    if (const int weight = parameters().continuation_correction)
        correction += continuation_correction(frame) * weight / 128;
    return std::clamp(evaluation + correction / 256, -kMaxEvaluation, kMaxEvaluation);
}

template <chess::NativeEvaluator E>
void Worker<E>::learn_correction(const Node& node) {
    const int weight = std::min(node.depth + 1, 16);
    const int target = std::clamp(node.best_score - node.frame->static_evaluation, -120, 120) * 256;
    const auto approach = [&](std::int16_t& error) {
        error = std::int16_t(std::clamp((error * (256 - weight) + target * weight) / 256, -64 * 256, 64 * 256));
    };
    approach(pawn_correction());
    if (parameters().piece_correction) {
        approach(piece_correction(node.frame, chess::kWhite));
        approach(piece_correction(node.frame, chess::kBlack));
    }
    if (parameters().continuation_correction) approach(continuation_correction(node.frame));
}

}  // namespace philidor::search
