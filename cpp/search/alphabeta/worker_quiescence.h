// At the leaves: captures until nothing hangs (book, 3.3).
#pragma once

#include "search/alphabeta/worker_search.h"

namespace philidor::search {

// A capture that will not raise alpha, by what it takes or by how many were looked at; recaptures are looked at anyway.
template <chess::NativeEvaluator E>
bool Worker<E>::is_needless(const Node& node, Move move, int move_count, int futility, int alpha, int& best) const {
    const Frame& before = node.frame[-1];
    if (best <= -kMateInMaxPly || move.is_promotion() || (before.move && before.move.to() == move.to())) return false;
    if (move_count > parameters().quiescence_moves) return true;
    if (!parameters().quiescence_victims || move.kind() == chess::kEnPassant) return false;
    const int hoped = futility + chess::kExchangeValue[chess::type_of(board_.piece_on(move.to()))];
    if (hoped > alpha || board_.gives_check(move)) return false;
    best = std::max(best, hoped);
    return true;
}

template <chess::NativeEvaluator E>
template <bool IsPv>
int Worker<E>::quiescence(int alpha, int beta, int ply) {
    Frame& frame = frames_[std::size_t(ply + kFramesBefore)];
    line_lengths_[std::size_t(ply)] = ply;
    frame.in_check = board_.in_check();
    // 1. Ends.
    if (should_stop()) return kDraw;
    if (is_draw(ply)) return kDraw;
    if (alpha < kDraw && may_repeat(ply)) {
        alpha = kDraw;
        if (alpha >= beta) return alpha;
    }
    if (ply >= kMaxPly) return frame.in_check ? kDraw : evaluate();
    if (IsPv) selective_depth_ = std::max(selective_depth_, ply + 1);
    // 2. The table.
    TableEntry entry;
    const bool has_entry = features().transposition_table && shared_.table.probe(board_.key(), entry);
    const int table_score = has_entry ? from_table(entry.score, ply) : kNoScore;
    if (!IsPv && table_score != kNoScore &&
        (entry.bound == Bound::kExact || entry.bound == (table_score >= beta ? Bound::kLower : Bound::kUpper)))
        return table_score;
    // 3. Standing pat: the side to move need not capture.
    int best = -kInfinite, raw = kNoScore, futility = -kInfinite;
    const int original_alpha = alpha;
    if (!frame.in_check) {
        raw = has_entry && entry.evaluation != kNoScore ? entry.evaluation : evaluate();
        best = frame.static_evaluation = corrected(raw, &frame);
        if (features().table_evaluation && table_score != kNoScore &&
            (entry.bound == Bound::kExact || entry.bound == (table_score > best ? Bound::kLower : Bound::kUpper)))
            best = table_score;
        if (best >= beta) {
            if (!has_entry && features().transposition_table)
                shared_.table.store(board_.key(), {kNoMove, to_table(best, ply), raw, 0, Bound::kLower, false});
            return best;
        }
        alpha = std::max(alpha, best);
        futility = best + parameters().quiescence_futility;
    } else {
        frame.static_evaluation = kNoScore;
    }
    // 4. Captures; in check every move, as there is no standing pat.
    Node node{alpha, beta, 0, ply, false, IsPv, false, &frame};
    if (frame.in_check) frame.threats = threats_to(board_, board_.to_move());
    chess::Checks checks(board_);
    MovePicker picker =
        frame.in_check
            ? MovePicker(board_, *histories_, features(), has_entry ? entry.move : kNoMove, quiet_context(node, checks))
            : MovePicker::captures(board_, *histories_, features(), has_entry ? entry.move : kNoMove, 0);
    Move best_move = kNoMove;
    int move_count = 0, evasions = 0;
    bool skip_quiets = false;
    while (const Move move = picker.next(skip_quiets)) {
        ++move_count;
        prefetch_after(move);
        if (best > -kMateInMaxPly && features().futility && !frame.in_check && !move.is_promotion() &&
            futility <= alpha && !chess::see_at_least(board_, move, 1)) {
            best = std::max(best, futility);
            continue;
        }
        if (!frame.in_check && is_needless(node, move, move_count, futility, alpha, best)) continue;
        make(move, ply);
        const int score = -quiescence<IsPv>(-beta, -alpha, ply + 1);
        unmake(move);
        if (stopped_) return kDraw;
        // One way out of check is enough to know that it is no mate.
        if (frame.in_check && score > -kMateInMaxPly && ++evasions >= parameters().quiescence_evasions)
            skip_quiets = true;
        if (score <= best) continue;
        best = score;
        if (score <= alpha) continue;
        best_move = move;
        if (IsPv) update_line(ply, move);
        if (score >= beta) break;
        alpha = score;
    }
    if (frame.in_check && move_count == 0) return mated_in(ply);
    const Bound bound = best >= beta ? Bound::kLower : best > original_alpha && IsPv ? Bound::kExact : Bound::kUpper;
    if (features().transposition_table)
        shared_.table.store(board_.key(), {best_move, to_table(best, ply), raw, 0, bound, IsPv});
    return best;
}

}  // namespace philidor::search
