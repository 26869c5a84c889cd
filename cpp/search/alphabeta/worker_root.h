// Iterative deepening: one ply more each time, with the last iteration as a guide.
#pragma once

#include <algorithm>

#include "search/alphabeta/worker_search.h"

namespace philidor::search {

template <chess::NativeEvaluator E>
void Worker<E>::set_position(chess::PositionPtr position) {
    position_ = std::move(position);
    board_ = position_->copy_board(states_[0]);
    evaluator_.reset(board_);
    root_moves_.clear();
    const std::vector<Move>& wanted = shared_.limits.search_moves;
    chess::MoveList legal = chess::legal_moves(board_);
    chess::sort_canonical(legal);
    for (Move move : legal)
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), move) != wanted.end()) {
            root_moves_.emplace_back();
            root_moves_.back().move = move;
            root_moves_.back().line = {move};
        }
    nodes_before_ += nodes_;
    nodes_ = shared_nodes_ = next_look_ = 0;
    completed_depth_ = root_depth_ = selective_depth_ = null_move_floor_ = 0;
    verdict_ = {};
    current_move_ = kNoMove;
    current_number_ = 0;
    last_report_ms_ = 0;
    reported_nodes_ = 0;
    stopped_ = false;
    frames_.fill(Frame{});
    find_piece_places(frames_[kFramesBefore]);
}

template <chess::NativeEvaluator E>
void Worker<E>::run(const Report& report) {
    if (root_moves_.empty()) return;
    if (report) report_ = &report;
    const int deepest = std::min(shared_.limits.depth.value_or(kMaxPly - 1), kMaxPly - 1);
    int stable = 0, previous_score = kNoScore;
    Move previous_best = kNoMove;
    for (int depth = 1; depth <= deepest && !stopped_; ++depth) {
        // Helpers skip some iterations, so that the threads do not all do the same.
        if (index_ > 0 && depth > 3 && (depth + index_) % (2 + index_ % 3) == 0) continue;
        deepen(depth);
        settle(depth);
        if (index_ != 0) continue;
        if (stopped_) break;  // what an iteration found that was cut short is said at the end
        const RootMove& best = root_moves_.front();
        report_lines(report);
        stable = best.move == previous_best ? stable + 1 : 0;
        previous_best = best.move;
        if (is_time_up(depth, stable, previous_score)) break;
        if (shared_.limits.soft_nodes && share_node_count() >= *shared_.limits.soft_nodes) break;
        previous_score = best.score;
        if (shared_.limits.mate && best.score >= kMateInMaxPly && kMate - best.score <= 2 * *shared_.limits.mate) break;
    }
    report_ = nullptr;
    share_node_count();
}

// Takes over what an iteration found. Of one cut short only another move counts: it has beaten the one before at the
// same depth. That the old one's score fell says nothing before the others have been looked at.
template <chess::NativeEvaluator E>
void Worker<E>::settle(int depth) {
    const RootMove& best = root_moves_.front();
    const bool is_resolved = best.depth == depth && best.bound == ScoreBound::kExact && best.move != verdict_.move;
    if (!stopped_ || is_resolved) verdict_ = {best.move, best.score, depth};
}

template <chess::NativeEvaluator E>
void Worker<E>::report_end(const Report& report) {
    if (share_node_count() != reported_nodes_) report_lines(report);
}

// One iteration: as many lines as asked for, each without the moves of those before it.
template <chess::NativeEvaluator E>
void Worker<E>::deepen(int depth) {
    root_depth_ = depth;
    for (RootMove& root : root_moves_) root.previous_score = root.score;
    const int lines = std::min(shared_.options.multi_pv, int(root_moves_.size()));
    for (first_root_ = 0; first_root_ < lines && !stopped_; ++first_root_) {
        selective_depth_ = 0;
        aspirate(depth, first_root_);
        std::stable_sort(root_moves_.begin(), root_moves_.begin() + first_root_ + 1,
                         [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
    }
    first_root_ = 0;
    if (!stopped_) completed_depth_ = depth;
}

// A window around what the last iterations said, widened on the side where it failed.
template <chess::NativeEvaluator E>
void Worker<E>::aspirate(int depth, int index) {
    const auto by_score = [](const RootMove& a, const RootMove& b) { return a.score > b.score; };
    int delta = parameters().aspiration_window, alpha = -kInfinite, beta = kInfinite, reduced = depth;
    const int guess = root_moves_[std::size_t(index)].average_score;
    if (features().aspiration && depth >= 4 && guess != kNoScore && std::abs(guess) < kMateInMaxPly) {
        alpha = std::max(guess - delta, -kInfinite);
        beta = std::min(guess + delta, +kInfinite);
    }
    for (;;) {
        const int score = search<NodeType::kRoot>(alpha, beta, std::max(reduced, 1), 0, false);
        std::stable_sort(root_moves_.begin() + index, root_moves_.end(), by_score);
        if (stopped_) return;
        if (score <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = std::max(score - delta, -kInfinite);
            reduced = depth;
        } else if (score >= beta) {
            beta = std::min(score + delta, +kInfinite);
            reduced = std::max(reduced - 1, depth - 3);
        } else {
            return;
        }
        delta += delta / 2 + 5;
        if (delta > 800) alpha = -kInfinite, beta = kInfinite;
    }
}

template <chess::NativeEvaluator E>
bool Worker<E>::is_in_root_moves(Move move) const {
    return std::any_of(root_moves_.begin() + first_root_, root_moves_.end(),
                       [&](const RootMove& root) { return root.move == move; });
}

template <chess::NativeEvaluator E>
void Worker<E>::update_root_move(const Node& node, Move move, int move_count, int score, std::uint64_t nodes) {
    RootMove& root =
        *std::find_if(root_moves_.begin(), root_moves_.end(), [&](const RootMove& r) { return r.move == move; });
    root.nodes += nodes;
    if (move_count > 1 && score <= node.alpha) {
        root.score = -kInfinite;  // not better than the best: its own score is not known
        return;
    }
    root.score = score;
    root.depth = root_depth_;
    root.bound = score >= node.beta    ? ScoreBound::kLower
                 : score <= node.alpha ? ScoreBound::kUpper
                                       : ScoreBound::kExact;
    root.average_score = root.average_score == kNoScore ? score : (root.average_score + score) / 2;
    root.selective_depth = selective_depth_;
    root.line = {move};
    root.line.insert(root.line.end(), lines_[1].begin() + 1, lines_[1].begin() + std::max(line_lengths_[1], 1));
}

// Longer where the best move changes, where the score falls, and where the effort went elsewhere.
template <chess::NativeEvaluator E>
bool Worker<E>::is_time_up(int depth, int stable, int previous_score) const {
    if (shared_.pondering.load(std::memory_order_acquire) || !shared_.clock.has_limit()) return false;
    const RootMove& best = root_moves_.front();
    if (root_moves_.size() == 1 && depth >= 6 && shared_.limits.time[board_.to_move()]) return true;
    const double effort = nodes_ ? double(best.nodes) / double(nodes_) : 1.0;
    const double by_effort = 1.6 - effort;
    const double by_stability = 1.35 - 0.07 * std::min(stable, 8);
    const double drop = previous_score == kNoScore ? 0.0 : std::clamp(double(previous_score - best.score), -30.0, 60.0);
    const double by_score = 1.0 + drop / 100.0;
    return shared_.clock.is_enough(by_effort * by_stability * by_score);
}

template <chess::NativeEvaluator E>
void Worker<E>::report_lines(const Report& report) {
    if (!report) return;
    const int lines = std::min(shared_.options.multi_pv, int(root_moves_.size()));
    for (int i = 0; i < lines; ++i) {
        const RootMove& root = root_moves_[std::size_t(i)];
        const bool is_known = root.score != -kInfinite;
        const int score = is_known ? root.score : root.previous_score;
        if (score == -kInfinite) continue;
        Info info;
        info.depth = root.depth;
        info.selective_depth = root.selective_depth;
        info.multi_pv = i + 1;
        info.score = score;
        info.bound = is_known ? root.bound : ScoreBound::kExact;
        info.nodes = share_node_count();
        info.time_ms = shared_.clock.elapsed_ms();
        info.table_fullness = shared_.table.fullness();
        info.ending_hits = shared_.ending_hits.load(std::memory_order_relaxed);
        info.line = root.line;
        last_report_ms_ = info.time_ms;
        reported_nodes_ = info.nodes;
        report(info);
    }
}

template <chess::NativeEvaluator E>
void Worker<E>::report_progress() {
    Progress progress{root_depth_,
                      current_move_,
                      current_number_,
                      share_node_count(),
                      shared_.clock.elapsed_ms(),
                      shared_.table.fullness(),
                      shared_.ending_hits.load(std::memory_order_relaxed)};
    last_report_ms_ = progress.time_ms;
    (*report_)(progress);
}

template <chess::NativeEvaluator E>
void Worker<E>::begin_root_move(Move move, int move_count) {
    current_move_ = move;
    current_number_ = move_count + first_root_;
    if (report_ && shared_.clock.elapsed_ms() >= kAnnouncedAfterMs) report_progress();
}

}  // namespace philidor::search
