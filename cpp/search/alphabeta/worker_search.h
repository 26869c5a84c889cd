// The tree: one node of the alpha-beta search, step by step.
#pragma once

#include "search/alphabeta/worker.h"

namespace philidor::search {

using chess::kNoMove;
using chess::Move;

template <chess::NativeEvaluator E>
template <typename Worker<E>::NodeType Type>
int Worker<E>::search(int alpha, int beta, int depth, int ply, bool is_cut) {
    constexpr bool kIsPv = Type != NodeType::kOther;
    if (depth <= 0) {
        if (features().quiescence) return quiescence<kIsPv>(alpha, beta, ply);
        depth = 0;
    }
    Node node{
        alpha, beta, depth, ply, Type == NodeType::kRoot, kIsPv, is_cut, &frames_[std::size_t(ply + kFramesBefore)]};
    node.original_alpha = alpha;
    line_lengths_[std::size_t(ply)] = ply;
    if (std::optional<int> score = enter(node)) return *score;
    judge(node);
    if (parameters().hindsight) node.depth += hindsight(node);
    if (std::optional<int> score = prune_node(node)) return *score;
    if (features().internal_reduction && node.depth >= 4 && !node.table_move && (kIsPv || is_cut))
        node.depth -= kIsPv ? parameters().internal_pv_reduction : 1;
    search_moves<Type>(node);
    return node.best_score;
}

// 1. Ends of the game and of the search, and what the table knows. Returns the score if that settles the node.
template <chess::NativeEvaluator E>
std::optional<int> Worker<E>::enter(Node& node) {
    Frame& frame = *node.frame;
    if (node.is_pv) selective_depth_ = std::max(selective_depth_, node.ply + 1);
    frame.in_check = board_.in_check();
    frame.move_count = frame.reduction = (&frame)[2].cutoffs = 0;
    (&frame)[2].killers[0] = (&frame)[2].killers[1] = kNoMove;
    if (!node.is_root) {
        if (should_stop()) return kDraw;
        if (is_draw(node.ply)) return kDraw;
        if (node.alpha < kDraw && may_repeat(node.ply)) {
            node.alpha = kDraw;
            if (node.alpha >= node.beta) return node.alpha;
        }
        if (node.ply >= kMaxPly) return frame.in_check ? kDraw : evaluate();
        if (node.depth == 0 && !features().quiescence)
            return chess::has_legal_move(board_) ? evaluate() : frame.in_check ? mated_in(node.ply) : kDraw;
        if (features().mate_distance) {
            node.alpha = std::max(node.alpha, mated_in(node.ply));
            node.beta = std::min(node.beta, mate_in(node.ply + 1));
            if (node.alpha >= node.beta) return node.alpha;
        }
    }
    if (std::optional<int> score = look_up(node)) return score;
    return ask_endings(node);
}

template <chess::NativeEvaluator E>
std::optional<int> Worker<E>::look_up(Node& node) {
    Frame& frame = *node.frame;
    if (!features().transposition_table) return std::nullopt;
    node.has_entry = shared_.table.probe(board_.key(), node.entry);
    if (!node.has_entry) return std::nullopt;
    node.table_score = from_table(node.entry.score, node.ply);
    node.table_move = node.entry.move;
    node.is_table_capture = node.table_move && board_.is_capture(node.table_move);
    // With a move excluded the entry still orders the rest. Near the fifty-move rule an old score may be a lie.
    if (node.is_pv || frame.excluded || node.entry.depth < node.depth || node.table_score == kNoScore ||
        board_.halfmove_clock() >= 90)
        return std::nullopt;
    const Bound needed = node.table_score >= node.beta ? Bound::kLower : Bound::kUpper;
    if (node.entry.bound == Bound::kExact || node.entry.bound == needed) {
        if (node.table_score >= node.beta && node.table_move && board_.is_legal(node.table_move) &&
            !board_.is_capture(node.table_move)) {
            frame.threats = threats_to(board_, board_.to_move());
            learn<kHistoryLimit>(quiet_entry(frame, board_.to_move(), node.table_move),
                                 std::min(150 * node.depth, 1500));
        }
        return node.table_score;
    }
    return std::nullopt;
}

// What the endgame tables say, just after a capture or a pawn move: they know nothing of the fifty-move clock.
template <chess::NativeEvaluator E>
std::optional<int> Worker<E>::ask_endings(Node& node) {
    const chess::SyzygyTables* endings = shared_.endings.get();
    if (!endings || node.is_root || node.frame->excluded || board_.halfmove_clock() != 0 || board_.castling() ||
        chess::popcount(board_.occupied()) > endings->men())
        return std::nullopt;
    const std::optional<chess::TableResult> result = endings->probe(board_);
    if (!result) return std::nullopt;
    shared_.ending_hits.fetch_add(1, std::memory_order_relaxed);
    const bool is_win = *result == chess::TableResult::kWin, is_loss = *result == chess::TableResult::kLoss;
    const int score = is_win ? kTableWin - node.ply : is_loss ? -kTableWin + node.ply : kDraw;
    const Bound bound = is_win ? Bound::kLower : is_loss ? Bound::kUpper : Bound::kExact;  // a mate may be nearer
    if (bound == Bound::kExact || (is_win ? score >= node.beta : score <= node.alpha)) {
        if (features().transposition_table)
            shared_.table.store(board_.key(), {kNoMove, to_table(score, node.ply), kNoScore,
                                               std::min(node.depth + 6, kMaxPly - 1), bound, node.is_pv});
        return score;
    }
    if (is_win) {
        node.best_score = score;
        node.alpha = std::max(node.alpha, score);
    } else {
        node.ceiling = score;
    }
    return std::nullopt;
}

// 2. The static evaluation, and whether things are looking up.
template <chess::NativeEvaluator E>
void Worker<E>::judge(Node& node) {
    Frame& frame = *node.frame;
    if (frame.in_check) {
        frame.static_evaluation = kNoScore;
        return;
    }
    if (frame.excluded) {
        node.evaluation = frame.static_evaluation;  // judged already, at this very node
    } else {
        const bool is_known = node.has_entry && node.entry.evaluation != kNoScore;
        const int raw = is_known ? node.entry.evaluation : evaluate();
        frame.static_evaluation = corrected(raw, &frame);
        frame.correction = frame.static_evaluation - raw;
        node.evaluation = frame.static_evaluation;
        if (parameters().evaluation_history) learn_from_evaluation(frame);
        if (!is_known && features().transposition_table && !node.has_entry)
            shared_.table.store(board_.key(), {kNoMove, kNoScore, raw, 0, Bound::kNone, node.is_pv});
        node.entry.evaluation = raw;
        const Bound side = node.table_score > node.evaluation ? Bound::kLower : Bound::kUpper;
        if (features().table_evaluation && node.has_entry && node.table_score != kNoScore &&
            (node.entry.bound == Bound::kExact || node.entry.bound == side))
            node.evaluation = node.table_score;
    }
    const int before = (&frame)[-2].static_evaluation;
    const int long_before = (&frame)[-4].static_evaluation;
    const int reference = before != kNoScore ? before : long_before;
    node.improving = reference == kNoScore ? parameters().improving_unknown : frame.static_evaluation > reference;
}

// 3. All moves, the best first.
template <chess::NativeEvaluator E>
template <typename Worker<E>::NodeType Type>
void Worker<E>::search_moves(Node& node) {
    Frame& frame = *node.frame;
    chess::Checks checks(board_);
    frame.threats = threats_to(board_, board_.to_move());
    MovePicker picker(board_, *histories_, features(),
                      node.is_root ? root_moves_[std::size_t(first_root_)].move : node.table_move,
                      quiet_context(node, checks));
    Tried quiets, captures;
    bool skip_quiets = false;
    int move_count = 0;
    while (const Move move = picker.next(skip_quiets)) {
        if (move == frame.excluded || (node.is_root && !is_in_root_moves(move))) continue;
        frame.move_count = ++move_count;
        prefetch_after(move);
        const bool is_quiet = !board_.is_capture(move) && move.promotion() != chess::kQueen;
        const int history = is_quiet                                 ? quiet_history(&frame, move)
                            : parameters().capture_reduction_history ? capture_history(move)
                                                                     : 0;
        const Candidate candidate{move, move_count, is_quiet, picker.is_sound(), history};
        if (!node.is_root && node.best_score > -kMateInMaxPly && should_skip(node, candidate, checks, skip_quiets))
            continue;
        int extension = 0;
        if (std::optional<int> cut = singular_extension(node, candidate, checks, extension)) {
            node.best_score = *cut;
            return;
        }
        const std::uint64_t nodes_before = nodes_;
        if constexpr (Type == NodeType::kRoot) begin_root_move(move, move_count);
        make(move, node.ply);
        const int score = search_move<Type>(node, candidate, node.depth - 1 + extension);
        unmake(move);
        if (stopped_) {
            node.best_score = std::max(node.best_score, kDraw);
            return;
        }
        if (node.is_root) update_root_move(node, move, move_count, score, nodes_ - nodes_before);
        if (score > node.best_score) {
            node.best_score = score;
            if (score > node.alpha) {
                node.best_move = move;
                if (node.is_pv && !node.is_root) update_line(node.ply, move);
                if (score >= node.beta) break;
                node.alpha = score;
            }
        }
        (is_quiet ? quiets : captures).add(move);
    }
    node.best_score = finish(node, move_count, quiets, captures);
}

// 4. One move: reduced if it comes late, with a null window if it is not the first, again if it surprises.
template <chess::NativeEvaluator E>
template <typename Worker<E>::NodeType Type>
int Worker<E>::search_move(Node& node, const Candidate& candidate, int new_depth) {
    constexpr bool kIsPv = Type != NodeType::kOther;
    const int ply = node.ply + 1;
    int score = -kInfinite;
    bool needs_full_depth = !kIsPv || candidate.number > 1;
    if (!features().principal_variation) return -search<NodeType::kPv>(-node.beta, -node.alpha, new_depth, ply, false);
    if (features().late_move_reduction && node.depth >= parameters().reduction_depth &&
        candidate.number > 1 + node.is_root && (candidate.is_quiet || candidate.number > 4)) {
        const int reduced = std::clamp(new_depth - reduction(node, candidate), 1, new_depth + 1);
        node.frame->reduction = new_depth - reduced;
        score = -search<NodeType::kOther>(-node.alpha - 1, -node.alpha, reduced, ply, true);
        node.frame->reduction = 0;
        needs_full_depth = score > node.alpha && reduced < new_depth;
        if (needs_full_depth) {
            // How surprising it was decides how deep the second look goes.
            new_depth += score > node.best_score + parameters().deeper_margin;
            new_depth -= score < node.best_score + parameters().shallower_margin;
            if (reduced >= new_depth) needs_full_depth = false;
        }
        if (needs_full_depth && candidate.is_quiet && !stopped_) {
            score = -search<NodeType::kOther>(-node.alpha - 1, -node.alpha, new_depth, ply, !node.is_cut);
            const int bonus = std::min(140 * node.depth, 1400);
            learn_continuations(node.frame, node.frame->piece, candidate.move.to(),
                                score > node.alpha ? bonus : -bonus);
            needs_full_depth = false;
        }
    }
    if (needs_full_depth) score = -search<NodeType::kOther>(-node.alpha - 1, -node.alpha, new_depth, ply, !node.is_cut);
    if (kIsPv && (candidate.number == 1 || score > node.alpha))
        score = -search<NodeType::kPv>(-node.beta, -node.alpha, new_depth, ply, false);
    return score;
}

// Added up in hundredths of a ply, and rounded once.
template <chess::NativeEvaluator E>
int Worker<E>::reduction(const Node& node, const Candidate& candidate) const {
    const Parameters& numbers = parameters();
    const int history = candidate.history;
    int hundredths = shared_.reductions.of(node.depth, candidate.number);
    if (node.frame[1].cutoffs > numbers.cutoff_count) hundredths += 100 * numbers.cutoff_reduction;
    if (!candidate.is_quiet) {
        if (numbers.capture_reduction_history) hundredths -= 200 * history / numbers.capture_reduction_history;
        return (hundredths / 2 + 100 * node.is_cut) / 100;
    }
    hundredths += 100 * !node.improving;
    if (node.is_cut) hundredths += 100 * numbers.cut_reduction;
    if (node.is_table_capture) hundredths += 100 * numbers.capture_reduction;
    hundredths -= 100 * node.is_pv;
    if (node.has_entry && node.entry.is_pv) hundredths -= 100 * numbers.table_pv_reduction;
    hundredths -= 100 * board_.in_check();  // the move gave check
    return (hundredths - 100 * history / numbers.reduction_history) / 100;
}

// 5. No move at all ends the game; otherwise learn from the result and remember it.
template <chess::NativeEvaluator E>
int Worker<E>::finish(Node& node, int move_count, const Tried& quiets, const Tried& captures) {
    Frame& frame = *node.frame;
    if (move_count == 0) return frame.excluded ? node.alpha : frame.in_check ? mated_in(node.ply) : kDraw;
    if (node.best_move && node.best_score >= node.beta) {
        ++frame.cutoffs;
        learn_from(node, quiets, captures);
    }
    if (parameters().fail_low_bonus && !node.best_move && !node.is_root && !frame.excluded) learn_from_failure(node);
    node.best_score = std::min(node.best_score, node.ceiling);
    if (frame.excluded || (node.is_root && first_root_ > 0)) return node.best_score;
    const Bound bound = node.best_score >= node.beta            ? Bound::kLower
                        : node.best_score > node.original_alpha ? Bound::kExact
                                                                : Bound::kUpper;
    const bool is_pv = node.is_pv || (parameters().table_pv_kept && node.has_entry && node.entry.is_pv);
    if (features().transposition_table)
        shared_.table.store(board_.key(),
                            {node.best_move, to_table(node.best_score, node.ply),
                             frame.in_check ? kNoScore : node.entry.evaluation, node.depth, bound, is_pv});
    const bool is_quiet_best = !node.best_move || !board_.is_capture(node.best_move);
    const bool contradicts = (bound == Bound::kLower && node.best_score <= frame.static_evaluation) ||
                             (bound == Bound::kUpper && node.best_score >= frame.static_evaluation);
    if (features().correction_history && !frame.in_check && is_quiet_best && !contradicts && !is_mate(node.best_score))
        learn_correction(node);
    return node.best_score;
}

// A move that was reduced much and looks good after all gets a ply back; one that looks too good loses one.
template <chess::NativeEvaluator E>
int Worker<E>::hindsight(const Node& node) const {
    const Frame &frame = *node.frame, &before = node.frame[-1];
    if (node.is_root || frame.excluded || frame.in_check || before.static_evaluation == kNoScore) return 0;
    const int sum = frame.static_evaluation + before.static_evaluation;
    if (before.reduction >= 3 && sum <= 0) return 1;
    return before.reduction >= 1 && node.depth >= 2 && sum > 100 ? -1 : 0;
}

// Asks for the table's entry before it is clear whether the move will be made: memory takes longer than the exchanges
// and histories that decide it, and a line that is not needed costs little.
template <chess::NativeEvaluator E>
void Worker<E>::prefetch_after(Move move) const {
    if (features().transposition_table) shared_.table.prefetch(board_.probable_key_after(move));
}

template <chess::NativeEvaluator E>
void Worker<E>::make(Move move, int ply) {
    Frame& frame = frames_[std::size_t(ply + kFramesBefore)];
    frame.move = move;
    frame.piece = board_.piece_on(move.from());
    frame.continuation = &histories_->continuation[frame.piece][move.to()];
    const chess::DirtyPieces dirty = board_.make(move, states_[std::size_t(ply + 1)]);
    __builtin_prefetch(&pawn_correction());
    __builtin_prefetch(&continuation_correction(&frame + 1));
    find_piece_places((&frame)[1]);
    evaluator_.push(board_, dirty);
    ++nodes_;
}

template <chess::NativeEvaluator E>
void Worker<E>::unmake(Move move) {
    evaluator_.pop();
    board_.unmake(move);
}

template <chess::NativeEvaluator E>
int Worker<E>::evaluate() {
    int evaluation = evaluator_.evaluate(board_);
    if (const int reach = parameters().fifty_move_damping)
        evaluation -= evaluation * std::min(board_.halfmove_clock(), reach) / reach;
    return std::clamp(evaluation, -kMaxEvaluation, kMaxEvaluation);
}

template <chess::NativeEvaluator E>
void Worker<E>::update_line(int ply, Move move) {
    const std::size_t here = std::size_t(ply), below = here + 1;
    lines_[here][here] = move;
    std::copy(lines_[below].begin() + ply + 1, lines_[below].begin() + line_lengths_[below],
              lines_[here].begin() + ply + 1);
    line_lengths_[here] = std::max(line_lengths_[below], ply + 1);
}

// One repetition inside the search is enough; of what happened before the root, two are needed.
template <chess::NativeEvaluator E>
bool Worker<E>::is_draw(int ply) const {
    if (board_.halfmove_clock() >= 100) return !board_.in_check() || chess::has_legal_move(board_);
    if (board_.is_insufficient_material()) return true;
    const chess::State* now = &board_.state();
    const chess::State* earlier = now;
    int reach = std::min(now->halfmove_clock, now->plies_from_null);
    int found = 0;
    for (int back = 2; back <= reach; back += 2) {
        if (!earlier->previous || !earlier->previous->previous) break;
        earlier = earlier->previous->previous;
        if (earlier->key == now->key && (back < ply + parameters().root_repetition || ++found == 2)) return true;
    }
    return false;
}

// Whether the side to move can have a draw by repeating a position of the search at once.
template <chess::NativeEvaluator E>
bool Worker<E>::may_repeat(int ply) const {
    return parameters().upcoming_repetition && chess::can_repeat(board_, ply + parameters().root_repetition);
}

// Every node asks. The flag, the limits and the clock are looked at when enough nodes have passed since the last time.
template <chess::NativeEvaluator E>
bool Worker<E>::should_stop() {
    if (stopped_ || nodes_ < next_look_) return stopped_;
    return stopped_ = has_reason_to_stop();
}

template <chess::NativeEvaluator E>
bool Worker<E>::has_reason_to_stop() {
    const std::uint64_t total = share_node_count();
    // Even a hurried search finishes one iteration, so that there is a move to play.
    if (completed_depth_ == 0 && index_ == 0) return false;
    next_look_ = nodes_ + kNodesBetweenLooks;
    if (shared_.stop.load(std::memory_order_relaxed)) return true;
    if (index_ != 0) return false;
    if (report_) {
        const std::int64_t now = shared_.clock.elapsed_ms();
        last_report_ms_ = std::min(last_report_ms_, now);  // "ponderhit" starts the clock again
        if (now - last_report_ms_ >= shared_.options.silence) report_progress();
    }
    if (const auto& limit = shared_.limits.nodes) {
        if (total >= *limit) return true;
        next_look_ = nodes_ + std::min(*limit - total, kNodesBetweenLooks);
    }
    return !shared_.pondering.load(std::memory_order_acquire) && shared_.clock.is_over();
}

// Adds the nodes since the last time to those of all threads; returns all of these.
template <chess::NativeEvaluator E>
std::uint64_t Worker<E>::share_node_count() {
    const std::uint64_t fresh = nodes_ - shared_nodes_;
    shared_nodes_ = nodes_;
    return shared_.nodes.fetch_add(fresh, std::memory_order_relaxed) + fresh;
}

}  // namespace philidor::search
