// Hands out the moves of a position one by one, the most promising first, generating no more than needed.
#pragma once

#include <climits>

#include "games/chess/checks.h"
#include "games/chess/movegen.h"
#include "games/chess/see.h"
#include "search/alphabeta/features.h"
#include "search/alphabeta/history.h"
#include "search/alphabeta/threats.h"

namespace philidor::search {

// Where nobody has looked, every square may be attacked.
inline constexpr Threats kUnknownThreats{.all = ~chess::Bitboard{0}};

// Everything quiet moves are judged by at one node.
struct QuietContext {
    // After the last move, the one before, the fourth; kNoContinuation where there was none.
    const PieceTo* continuations[3] = {&kNoContinuation, &kNoContinuation, &kNoContinuation};
    const PieceTo* sixth = &kNoContinuation;    // after the sixth last
    const Threats* threats = &kUnknownThreats;  // to the side to move
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
        is_sound_ = false;
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
    // Whether the last move is known to lose nothing by exchange.
    bool is_sound() const { return is_sound_; }

  private:
    static constexpr int kPlaces = chess::kMaxMoves;
    static_assert((kPlaces & (kPlaces - 1)) == 0);
    static constexpr int kLanes = 8;

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
            if (context_.threats->is_safe(move) || see_at_least(board_, move, threshold_)) {
                is_sound_ = threshold_ >= 0;
                return move;
            }
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
            if (is_tried(move)) continue;
            tried_[index] = move;
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
            if (move != table_move_ && !is_tried(move)) return move;
        }
        return kNoMove;
    }

    bool is_tried(chess::Move move) const { return (move == tried_[0]) | (move == tried_[1]) | (move == tried_[2]); }

    void begin(const chess::Move* end) {
        next_ = 0;
        end_ = int(end - moves_);
        std::fill_n(order_ + end_, kLanes, INT_MIN);
    }

    // A score and a place in one integer, the first place highest: the greatest is the first of the best.
    static int order(int score, int place) { return score * kPlaces + (kPlaces - 1 - place); }
    static int place(int order) { return kPlaces - 1 - (order & (kPlaces - 1)); }

    // Selection sort, one step a call: cutoffs usually come before the rest is needed.
    chess::Move take_best() {
        if (features_.move_ordering) {
            const int found = place(greatest());
            std::swap(moves_[found], moves_[next_]);
            order_[found] = (order_[next_] | (kPlaces - 1)) - found;
        }
        return moves_[next_++];
    }

    // Of what is left, eight at a time: `begin` has made sure that something may be read behind the end.
    int greatest() const {
        int lanes[kLanes];
        std::copy_n(order_ + next_, kLanes, lanes);
        for (int i = next_ + kLanes; i < end_; i += kLanes)
            for (int lane = 0; lane < kLanes; ++lane) lanes[lane] = std::max(lanes[lane], order_[i + lane]);
        return *std::max_element(lanes, lanes + kLanes);
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

    // No branches but for rare moves: which of the others gives check or escapes cannot be foreseen.
    void order_quiets() {
        using namespace chess;
        const auto& quiet = histories_.quiet[board_.to_move()];
        const PieceTo &last = *context_.continuations[0], &before = *context_.continuations[1],
                      &fourth = *context_.continuations[2], &sixth = *context_.sixth;
        const Threats& threats = *context_.threats;
        const Bitboard attacked = threats.all;
        // By the type of the piece that moves: where a lesser piece attacks it, and what it is worth not to be there.
        Bitboard unsafe[8] = {};
        for (const PieceType type : {kKnight, kBishop, kRook, kQueen}) unsafe[type] = threats.of_lesser(type);
        const int weight = context_.threat_weight, worth[8] = {0, 0, weight, weight, 2 * weight, 3 * weight};
        for (int i = 0; i < end_; ++i) {
            const Move move = moves_[i];
            const Square from = move.from(), to = move.to();
            const Piece piece = board_.piece_on(from);
            const PieceType type = type_of(piece);
            int score = quiet[threat_index(attacked, move)][std::size_t(from_to(move))];
            score += last[piece][to] + before[piece][to] + fourth[piece][to] / 2 + sixth[piece][to] / 2;
            score += (int(unsafe[type] >> from & 1) - int(unsafe[type] >> to & 1)) * worth[type];
            if (context_.checks) score += context_.checks * int(context_.giving->given_by(move));
            if (context_.pawn_weight) score += (*context_.pawns)[piece][to] * context_.pawn_weight / 128;
            // Underpromotions are quiet moves that hardly ever matter.
            if (move.is_promotion()) score -= 4 * kHistoryLimit;
            order_[i] = order(score, i);
        }
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
    bool is_sound_ = false;
    int threshold_ = 0;
    int killer_next_ = 0;
    int bad_count_ = 0;
    int bad_next_ = 0;
    int next_ = 0;
    int end_ = 0;
    chess::Move tried_[3] = {chess::kNoMove, chess::kNoMove, chess::kNoMove};  // killers and counter move
    chess::Move bad_[chess::kMaxMoves];
    chess::Move moves_[chess::kMaxMoves];
    int order_[chess::kMaxMoves + kLanes];
};

}  // namespace philidor::search
