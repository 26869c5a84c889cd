// What the search leaves out: whole nodes that will not matter, and moves that will not help.
#pragma once

#include "search/alphabeta/worker_search.h"

namespace philidor::search {

// Before any move is made. Margins are in centipawns.
template <chess::NativeEvaluator E>
std::optional<int> Worker<E>::prune_node(Node& node) {
    const Frame& frame = *node.frame;
    if (node.is_pv || frame.in_check || frame.excluded) return std::nullopt;
    const int evaluation = node.evaluation;
    // Hopeless: only a capture could help, and quiescence knows those.
    if (features().razoring && features().quiescence && node.depth <= 3 &&
        evaluation + parameters().razoring_base + parameters().razoring_slope * node.depth * node.depth < node.alpha) {
        const int score = quiescence<false>(node.alpha, node.alpha + 1, node.ply);
        if (score <= node.alpha) return score;
    }
    // So far above beta that the opponent has no answer within these plies.
    const int doubt = std::abs(frame.correction) * parameters().correction_margin / 100;
    if (features().reverse_futility && node.depth <= parameters().reverse_futility_depth &&
        evaluation < kMateInMaxPly && node.beta > -kMateInMaxPly &&
        evaluation - parameters().reverse_futility_slope * (node.depth - node.improving) - doubt >= node.beta)
        return (evaluation + node.beta) / 2;
    if (std::optional<int> score = try_null_move(node)) return score;
    return try_probcut(node);
}

// The right to move is worth something: who is above beta even after passing would cut anyway. Not with pawns and a
// single piece, where having to move may be the whole problem.
template <chess::NativeEvaluator E>
std::optional<int> Worker<E>::try_null_move(Node& node) {
    using namespace chess;
    Frame& frame = *node.frame;
    const Color us = board_.to_move();
    const bool has_pieces = has_several(board_.pieces(us) & ~board_.pieces(kPawn) & ~board_.pieces(kKing));
    if (!features().null_move || node.depth < 2 || (parameters().null_cut && !node.is_cut) || !has_pieces ||
        !(&frame)[-1].move || node.evaluation < node.beta ||
        frame.static_evaluation < node.beta + parameters().null_margin - parameters().null_slope * node.depth ||
        node.ply < null_move_floor_ || node.beta <= -kMateInMaxPly)
        return std::nullopt;
    const int reduced = node.depth - ((parameters().null_reduction + parameters().null_depth_share * node.depth) / 100 +
                                      std::min((node.evaluation - node.beta) / parameters().null_evaluation_step, 3));
    frame.move = kNoMove;
    frame.continuation = nullptr;
    board_.make_null(states_[std::size_t(node.ply + 1)]);
    find_piece_places((&frame)[1]);
    if (features().transposition_table) shared_.table.prefetch(board_.key());
    evaluator_.push(board_, DirtyPieces{});
    int score = -search<NodeType::kOther>(-node.beta, -node.beta + 1, reduced, node.ply + 1, !node.is_cut);
    evaluator_.pop();
    board_.unmake_null();
    if (stopped_) return kDraw;
    if (score < node.beta) return std::nullopt;
    if (score >= kMateInMaxPly) score = node.beta;  // a mate by passing is not proven
    if (node.depth < 14 || null_move_floor_) return score;
    // Deep down a zugzwang would be dear: look again, without null moves for a while.
    null_move_floor_ = node.ply + 3 * std::max(reduced, 1) / 4;
    const int verified = search<NodeType::kOther>(node.beta - 1, node.beta, reduced, node.ply, false);
    null_move_floor_ = 0;
    return verified >= node.beta ? std::optional<int>(score) : std::nullopt;
}

// A good capture that beats a raised beta in a shallow search would beat beta in a deep one.
template <chess::NativeEvaluator E>
std::optional<int> Worker<E>::try_probcut(Node& node) {
    const int raised = node.beta + parameters().probcut_margin - 40 * node.improving;
    if (!features().probcut || !features().quiescence || node.depth < parameters().probcut_depth ||
        std::abs(node.beta) >= kMateInMaxPly ||
        (node.has_entry && node.table_score != kNoScore && node.entry.depth >= node.depth - 3 &&
         node.table_score < raised))
        return std::nullopt;
    MovePicker picker =
        MovePicker::captures(board_, *histories_, features(), node.table_move, raised - node.frame->static_evaluation);
    while (const chess::Move move = picker.next()) {
        prefetch_after(move);
        make(move, node.ply);
        int score = -quiescence<false>(-raised, -raised + 1, node.ply + 1);
        if (score >= raised)
            score = -search<NodeType::kOther>(-raised, -raised + 1, node.depth - 4, node.ply + 1, !node.is_cut);
        unmake(move);
        if (stopped_) return kDraw;
        if (score >= raised) {
            if (features().transposition_table)
                shared_.table.store(board_.key(), {move, to_table(score, node.ply), node.entry.evaluation,
                                                   node.depth - 3, Bound::kLower, false});
            return score;
        }
    }
    return std::nullopt;
}

// Quiet moves are too late only with a history below this. With empty histories their order means nothing.
template <chess::NativeEvaluator E>
int Worker<E>::late_moves_history() const {
    const bool is_cold = nodes_before_ + nodes_ < std::uint64_t(parameters().cold_nodes);
    return is_cold ? std::min(kBadHistory, parameters().late_moves_history) : parameters().late_moves_history;
}

// Whether a move is left out. `skip_quiets` is set when all further quiet moves are.
template <chess::NativeEvaluator E>
bool Worker<E>::should_skip(const Node& node, const Candidate& candidate, chess::Checks& checks,
                            bool& skip_quiets) const {
    const Frame& frame = *node.frame;
    const auto [move, number, is_quiet, is_sound, history] = candidate;
    const chess::Color us = board_.to_move();
    if (!(board_.pieces(us) & ~board_.pieces(chess::kPawn) & ~board_.pieces(chess::kKing))) return false;
    const int reduced = features().late_move_reduction ? shared_.reductions.of(node.depth, number) : 0;
    const int lmr_depth = std::max((100 * (node.depth - 1 - (is_quiet && !node.improving)) - reduced +
                                    (is_quiet ? 100 * history / parameters().reduction_history : 0)) /
                                       100,
                                   0);
    if (features().late_move_pruning && (!frame.in_check || parameters().evasion_pruning) &&
        (is_quiet ? history : 0) < late_moves_history() &&
        number >= (parameters().late_moves_base + parameters().late_moves_slope * node.depth * node.depth / 100) >>
            !node.improving)
        skip_quiets = true;
    if (checks.given_by(move)) return false;
    if (is_quiet) {
        if (features().history_pruning && lmr_depth < 5 && history < -parameters().history_pruning_slope * node.depth)
            return true;
        const int hoped = frame.static_evaluation + parameters().futility_base +
                          parameters().futility_slope * lmr_depth + history / 200;
        if (features().futility && !frame.in_check && lmr_depth < 9 && hoped <= node.alpha) return true;
        return features().exchange_pruning && lmr_depth < 9 &&
               loses(node, candidate, parameters().quiet_exchange_slope * lmr_depth * lmr_depth);
    }
    if (const int margin = parameters().capture_futility;
        margin && features().futility && !frame.in_check && lmr_depth < 7 && !move.is_promotion() &&
        frame.static_evaluation + margin + parameters().capture_futility_slope * lmr_depth +
                chess::kExchangeValue[chess::type_of(board_.piece_on(move.to()))] <=
            node.alpha)
        return true;
    return features().exchange_pruning && node.depth <= 8 &&
           loses(node, candidate, parameters().capture_exchange_slope * node.depth);
}

// Whether a move loses more than `limit`, which is not negative, by exchange. Often that needs no exchange.
template <chess::NativeEvaluator E>
bool Worker<E>::loses(const Node& node, const Candidate& candidate, int limit) const {
    return !candidate.is_sound && !node.frame->threats.is_safe(candidate.move) &&
           !chess::see_at_least(board_, candidate.move, -limit);
}

// The table's move, if it is better than all others by far, deserves more depth. If even the others beat beta,
// the node is cut at once.
template <chess::NativeEvaluator E>
std::optional<int> Worker<E>::singular_extension(Node& node, const Candidate& candidate, chess::Checks& checks,
                                                 int& extension) {
    Frame& frame = *node.frame;
    const chess::Move move = candidate.move;
    (&frame)[1].extensions = frame.extensions;
    if (features().check_extension && !node.is_root && node.depth <= parameters().check_extension_depth &&
        node.ply < 2 * root_depth_ && checks.given_by(move) && !loses(node, candidate, 0))
        extension = 1;
    if (!features().singular_extension || node.is_root || frame.excluded || move != node.table_move ||
        node.depth < parameters().singular_depth || !node.has_entry || node.entry.depth < node.depth - 3 ||
        node.entry.bound == Bound::kUpper || node.entry.bound == Bound::kNone ||
        std::abs(node.table_score) >= kMateInMaxPly || node.ply >= 2 * root_depth_)
        return std::nullopt;
    const int target = node.table_score - parameters().singular_slope * node.depth / 100;
    const int saved_evaluation = frame.static_evaluation;
    frame.excluded = move;
    const int score = search<NodeType::kOther>(target - 1, target, (node.depth - 1) / 2, node.ply, node.is_cut);
    frame.excluded = kNoMove;
    frame.static_evaluation = saved_evaluation;
    frame.in_check = board_.in_check();
    if (stopped_) return kDraw;
    if (score < target) {
        extension = 1;
        if (!node.is_pv && score < target - parameters().double_margin && frame.extensions < 6) extension = 2;
        (&frame)[1].extensions = frame.extensions + (extension == 2);
    } else if (target >= node.beta) {
        return target;
    } else if (node.table_score >= node.beta) {
        extension = -parameters().negative_extension;
    } else if (node.is_cut) {
        extension = -1;
    }
    return std::nullopt;
}

}  // namespace philidor::search
