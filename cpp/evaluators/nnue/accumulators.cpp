#include "evaluators/nnue/accumulators.h"

#include <algorithm>
#include <cassert>

namespace philidor::evaluators::nnue {

using namespace chess;

namespace {

constexpr std::size_t kFirstPlies = 256;  // the deepest search; games that are replayed may need more
// Walking further back than this costs more than starting from the refreshed sums.
constexpr std::size_t kLongestWalk = 8;

}  // namespace

Accumulators::Accumulators(std::shared_ptr<const Network> network)
    : network_(std::move(network)),
      plies_(kFirstPlies),
      sums_(kFirstPlies * 2 * std::size_t(network_->width())),
      refreshes_(2 * std::size_t(network_->inputs().slot_count())),
      refresh_sums_(refreshes_.size() * std::size_t(network_->width())) {}

void Accumulators::reset(const Board& board) {
    top_ = 0;
    enter(0, board);
}

void Accumulators::push(const Board& board, const DirtyPieces& dirty) {
    if (++top_ == plies_.size()) {
        const std::size_t size = plies_.size() * 2 * std::size_t(network_->width());
        core::LargeArray<std::int16_t> larger(2 * size);
        std::copy_n(sums_.get(), size, larger.get());
        sums_ = std::move(larger);
        plies_.resize(2 * plies_.size());
    }
    plies_[top_].dirty = dirty;
    enter(top_, board);
}

void Accumulators::enter(std::size_t ply, const Board& board) {
    Ply& entry = plies_[ply];
    entry.kings[kWhite] = board.king(kWhite), entry.kings[kBlack] = board.king(kBlack);
    entry.is_known[kWhite] = entry.is_known[kBlack] = false;
}

const std::int16_t* Accumulators::view(const Board& board, Color side) {
    if (!plies_[top_].is_known[side]) {
        const std::size_t known = find_known(side);
        if (known == kNone)
            refresh(board, side);
        else
            for (std::size_t ply = known + 1; ply <= top_; ++ply) carry(ply, side);
    }
    return sums(top_, side);
}

std::size_t Accumulators::find_known(Color side) const {
    const InputTable& inputs = network_->inputs();
    const int slot = inputs.slot(side, plies_[top_].kings[side]);
    const std::size_t last = top_ > kLongestWalk ? top_ - kLongestWalk : 0;
    for (std::size_t ply = top_; ply > last; --ply) {
        if (inputs.slot(side, plies_[ply - 1].kings[side]) != slot) return kNone;
        if (plies_[ply - 1].is_known[side]) return ply - 1;
    }
    return kNone;
}

void Accumulators::carry(std::size_t ply, Color side) {
    const InputTable& inputs = network_->inputs();
    Ply& entry = plies_[ply];
    const Square king = entry.kings[side];
    Changes changes;
    for (int i = 0; i < entry.dirty.count; ++i) {
        const DirtyPieces::Change& change = entry.dirty.changes[i];
        if (!inputs.has(change.piece)) continue;
        if (change.to != kNoSquare)
            changes.added[changes.added_count++] = network_->column(inputs.index(side, king, change.piece, change.to));
        if (change.from != kNoSquare)
            changes.removed[changes.removed_count++] =
                network_->column(inputs.index(side, king, change.piece, change.from));
    }
    network_->kernels().update(sums(ply - 1, side), sums(ply, side), changes, network_->width());
    entry.is_known[side] = true;
}

void Accumulators::refresh(const Board& board, Color side) {
    const InputTable& inputs = network_->inputs();
    const Square king = board.king(side);
    const std::size_t index = std::size_t(side * inputs.slot_count() + inputs.slot(side, king));
    Refresh& cached = refreshes_[index];
    std::int16_t* cached_sums = refresh_sums_.get() + index * std::size_t(network_->width());
    if (!cached.is_used) {
        std::copy_n(network_->biases(), network_->width(), cached_sums);
        cached.is_used = true;
    }
    // The board's squares in this view depend on the king's slot only, so any king square of the slot will do.
    Changes changes;
    for (Color color : {kWhite, kBlack})
        for (int type = kPawn; type <= kKing; ++type) {
            const Piece piece = make_piece(color, PieceType(type));
            if (!inputs.has(piece)) continue;
            const Bitboard now = board.pieces(color, PieceType(type));
            Bitboard& before = cached.pieces[color][type];
            for (Bitboard rest = now & ~before; rest;)
                changes.added[changes.added_count++] =
                    network_->column(inputs.index(side, king, piece, pop_first(rest)));
            for (Bitboard rest = before & ~now; rest;)
                changes.removed[changes.removed_count++] =
                    network_->column(inputs.index(side, king, piece, pop_first(rest)));
            before = now;
        }
    assert(changes.added_count <= Changes::kMost && changes.removed_count <= Changes::kMost);
    network_->kernels().update(cached_sums, cached_sums, changes, network_->width());
    std::copy_n(cached_sums, network_->width(), sums(top_, side));
    plies_[top_].is_known[side] = true;
}

}  // namespace philidor::evaluators::nnue
