// Hands out the moves of a position one by one, the most promising first, generating no more than needed.
#pragma once

#include "games/chess/checks.h"
#include "games/chess/movegen.h"
#include "games/chess/see.h"
#include "search/alphabeta/features.h"
#include "search/alphabeta/history.h"
#include "search/alphabeta/threats.h"

namespace philidor::search {

inline constexpr Threats kNoThreats{};

// Everything quiet moves are judged by at one node.
struct QuietContext {
    // After the last move, the one before, the fourth; kNoContinuation where there was none.
    const PieceTo* continuations[3] = {&kNoContinuation, &kNoContinuation, &kNoContinuation};
    const PieceTo* sixth = &kNoContinuation;  // after the sixth last
    bool has_sixth = false;
    const Threats* threats = &kNoThreats;  // to the side to move
    chess::Move killers[2] = {chess::kNoMove, chess::kNoMove};
    chess::Move counter = chess::kNoMove;
    const PieceTo* pawns = &kNoContinuation;  // with such pawns
    int pawn_weight = 0;                      // in 128ths
    int threat_weight = 0, checks = 0;        // for leaving an attacked square, for giving check
    chess::Checks* giving = nullptr;          // which moves give check; asked if `checks` is not 0
};

class MovePicker {
  public:
    enum class Stage { kTableMove, kGoodCaptures, kKillers, kQuiets, kBadCaptures, kDone };

    // All moves of a full-width node.
    MovePicker(const chess::Board& board, const Histories& histories, const Features& features, chess::Move table_move,
               const QuietContext& context)
        : board_(board),
          histories_(histories),
          features_(features),
          table_move_(legal_or_none(board, table_move)),
          context_(context) {}

    // Captures and queen promotions only, those that do not lose `threshold` by exchange.
    static MovePicker captures(const chess::Board& board, const Histories& histories, const Features& features,
                               chess::Move table_move, int threshold) {
        MovePicker picker(board, histories, features, chess::kNoMove, {});
        if (table_move && (board.is_capture(table_move) || table_move.promotion() == chess::kQueen))
            picker.table_move_ = legal_or_none(board, table_move);
        picker.only_captures_ = true;
        picker.threshold_ = threshold;
        return picker;
    }

    // kNoMove when there are no more. `skip_quiets` leaves out what is left of the quiet moves.
    chess::Move next(bool skip_quiets = false) {
        using namespace chess;
        switch (stage_) {
            case Stage::kTableMove:
                stage_ = Stage::kGoodCaptures;
                if (table_move_) return table_move_;
                [[fallthrough]];
            case Stage::kGoodCaptures:
                if (Move move = next_good_capture()) return move;
                if (only_captures_) {
                    stage_ = Stage::kDone;
                    return kNoMove;
                }
                stage_ = Stage::kKillers;
                [[fallthrough]];
            case Stage::kKillers:
                if (!skip_quiets)
                    if (Move move = next_killer()) return move;
                stage_ = Stage::kQuiets;
                [[fallthrough]];
            case Stage::kQuiets:
                if (!skip_quiets)
                    if (Move move = next_quiet()) return move;
                stage_ = Stage::kBadCaptures;
                [[fallthrough]];
            case Stage::kBadCaptures:
                if (bad_next_ < bad_count_) return bad_[bad_next_++];
                stage_ = Stage::kDone;
                [[fallthrough]];
            case Stage::kDone: break;
        }
        return kNoMove;
    }

    Stage stage() const { return stage_; }

  private:
    static constexpr int kPlaces = chess::kMaxMoves;
    static_assert((kPlaces & (kPlaces - 1)) == 0);

    static chess::Move legal_or_none(const chess::Board& board, chess::Move move) {
        return move && board.is_legal(move) ? move : chess::kNoMove;
    }

    chess::Move next_good_capture() {
        using namespace chess;
        if (!have_captures_) {
            have_captures_ = true;
            begin(generate<Moves::kCaptures>(board_, moves_));
            if (features_.move_ordering)
                for (int i = 0; i < end_; ++i) order_[i] = order(capture_score(moves_[i]), i);
        }
        while (next_ < end_) {
            const Move move = take_best();
            if (move == table_move_) continue;
            // With ordering off, captures come as they were generated.
            if (!features_.move_ordering) return move;
            if (see_at_least(board_, move, only_captures_ ? threshold_ : 0)) return move;
            if (!only_captures_) bad_[bad_count_++] = move;
        }
        return kNoMove;
    }

    chess::Move next_killer() {
        using namespace chess;
        while (killer_next_ < 3) {
            const int index = killer_next_++;
            const Move move = index < 2 ? context_.killers[index] : context_.counter;
            if (!move || !(index < 2 ? features_.killer_moves : features_.counter_moves) || !features_.move_ordering)
                continue;
            if (move == table_move_ || board_.is_capture(move) || move.promotion() == kQueen || !board_.is_legal(move))
                continue;
            bool is_new = true;
            for (int i = 0; i < tried_count_; ++i) is_new &= tried_[i] != move;
            if (!is_new) continue;
            tried_[tried_count_++] = move;
            return move;
        }
        return kNoMove;
    }

    chess::Move next_quiet() {
        using namespace chess;
        if (!have_quiets_) {
            have_quiets_ = true;
            begin(generate<Moves::kQuiets>(board_, moves_));
            if (features_.move_ordering) order_quiets();
        }
        while (next_ < end_) {
            const Move move = take_best();
            if (move == table_move_) continue;
            bool is_new = true;
            for (int i = 0; i < tried_count_; ++i) is_new &= tried_[i] != move;
            if (is_new) return move;
        }
        return kNoMove;
    }

    void begin(const chess::Move* end) {
        next_ = 0;
        end_ = int(end - moves_);
    }

    // A score and a place in one integer, the first place highest: the greatest is the first of the best.
    static int order(int score, int place) { return score * kPlaces + (kPlaces - 1 - place); }
    static int place(int order) { return kPlaces - 1 - (order & (kPlaces - 1)); }

    // Selection sort, one step a call: cutoffs usually come before the rest is needed. The loop has no branches, so
    // that the compiler compares eight at a time.
    chess::Move take_best() {
        if (features_.move_ordering) {
            int best = order_[next_];
            for (int i = next_ + 1; i < end_; ++i) best = std::max(best, order_[i]);
            const int found = place(best);
            std::swap(moves_[found], moves_[next_]);
            order_[found] = (order_[next_] | (kPlaces - 1)) - found;
        }
        return moves_[next_++];
    }

    // The most valuable victim; among equals what did well before.
    int capture_score(chess::Move move) const {
        using namespace chess;
        const PieceType victim = move.kind() == kEnPassant ? kPawn : type_of(board_.piece_on(move.to()));
        int score = 16 * kExchangeValue[victim] + (move.is_promotion() ? 16 * kExchangeValue[kQueen] : 0);
        if (features_.capture_history)
            score += histories_.capture[board_.piece_on(move.from())][move.to()][victim];
        else
            score -= int(type_of(board_.piece_on(move.from())));
        return score;
    }

    void order_quiets() {
        const auto& quiet = histories_.quiet[board_.to_move()];
        const PieceTo& sixth = *context_.sixth;
        const PieceTo &last = *context_.continuations[0], &before = *context_.continuations[1],
                      &fourth = *context_.continuations[2];
        for (int i = 0; i < end_; ++i) {
            const chess::Move move = moves_[i];
            int score = quiet[threat_index(context_.threats->all, move)][std::size_t(from_to(move))];
            if (features_.continuation_history) {
                const chess::Piece piece = board_.piece_on(move.from());
                score += last[piece][move.to()] + before[piece][move.to()] + fourth[piece][move.to()] / 2;
                if (context_.has_sixth) score += sixth[piece][move.to()] / 2;
            }
            if (context_.pawn_weight)
                score += (*context_.pawns)[board_.piece_on(move.from())][move.to()] * context_.pawn_weight / 128;
            // Underpromotions are quiet moves that hardly ever matter.
            order_[i] = order(move.is_promotion() ? score - 4 * kHistoryLimit : score, i);
        }
        if (context_.threat_weight) order_by_threats();
        if (context_.checks) order_by_checks();
    }

    // Up for leaving a square that a lesser piece attacks, down for going to one.
    void order_by_threats() {
        using namespace chess;
        Bitboard unsafe[8] = {};  // by the type of the piece that moves
        for (const PieceType type : {kKnight, kBishop, kRook, kQueen}) unsafe[type] = context_.threats->of_lesser(type);
        const int worth[8] = {0, 0, 1, 1, 2, 3, 0, 0};
        for (int i = 0; i < end_; ++i) {
            const PieceType type = type_of(board_.piece_on(moves_[i].from()));
            const int change = int((unsafe[type] >> moves_[i].from()) & 1) - int((unsafe[type] >> moves_[i].to()) & 1);
            order_[i] += change * worth[type] * context_.threat_weight * kPlaces;
        }
    }

    void order_by_checks() {
        for (int i = 0; i < end_; ++i)
            if (context_.giving->given_by(moves_[i])) order_[i] += context_.checks * kPlaces;
    }

    const chess::Board& board_;
    const Histories& histories_;
    const Features& features_;
    chess::Move table_move_;
    QuietContext context_;
    Stage stage_ = Stage::kTableMove;
    bool only_captures_ = false;
    bool have_captures_ = false;
    bool have_quiets_ = false;
    int threshold_ = 0;
    int killer_next_ = 0;
    int tried_count_ = 0;
    int bad_count_ = 0;
    int bad_next_ = 0;
    int next_ = 0;
    int end_ = 0;
    chess::Move tried_[3];
    chess::Move bad_[chess::kMaxMoves];
    chess::Move moves_[chess::kMaxMoves];
    int order_[chess::kMaxMoves];
};

}  // namespace philidor::search
