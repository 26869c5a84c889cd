// The two sums of columns, kept from move to move and brought up to date only when somebody asks (book, 4.6.2).
#pragma once

#include <memory>
#include <vector>

#include "evaluators/nnue/network.h"
#include "games/chess/board.h"

namespace philidor::evaluators::nnue {

// One for each thread. A move is only noted; `view` then walks back to the last ply whose sums are known, or, if the
// view's own king changed its bucket on the way, starts from the sums that were last seen with the king there.
class Accumulators {
  public:
    explicit Accumulators(std::shared_ptr<const Network> network);

    const Network& network() const { return *network_; }

    // The board as it stands is the new beginning; what was pushed is forgotten.
    void reset(const chess::Board& board);
    // After a move on the board; a null move has no changes.
    void push(const chess::Board& board, const chess::DirtyPieces& dirty);
    void pop() { --top_; }

    // One side's sums for the board, which must be the one of the last push. Valid until the next push or reset.
    const std::int16_t* view(const chess::Board& board, chess::Color side);

  private:
    struct Ply {
        chess::DirtyPieces dirty;
        chess::Square kings[2];
        bool is_known[2];
    };
    // Sums that were right for a king on some square and the pieces noted here.
    struct Refresh {
        chess::Bitboard pieces[2][7] = {};
        bool is_used = false;
    };

    std::int16_t* sums(std::size_t ply, chess::Color side) {
        return sums_.get() + (2 * ply + side) * std::size_t(network_->width());
    }
    void enter(std::size_t ply, const chess::Board& board);
    // The nearest ply at or below the top from which the sums can be carried up, or kNone.
    std::size_t find_known(chess::Color side) const;
    void carry(std::size_t ply, chess::Color side);
    void refresh(const chess::Board& board, chess::Color side);

    static constexpr std::size_t kNone = ~std::size_t{0};

    std::shared_ptr<const Network> network_;
    std::vector<Ply> plies_;
    core::LargeArray<std::int16_t> sums_;  // [ply][side][width]
    std::size_t top_ = 0;
    std::vector<Refresh> refreshes_;  // [side][slot]
    core::LargeArray<std::int16_t> refresh_sums_;
};

}  // namespace philidor::evaluators::nnue
