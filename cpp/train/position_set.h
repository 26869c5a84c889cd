// Positions to train an NNUE network on: taken from scored games once, kept in 32 bytes each, and handed out in
// shuffled batches of sparse inputs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluators/nnue/architecture.h"
#include "games/chess/board.h"
#include "records/record.h"

namespace philidor::train {

struct PositionFilter {
    int skip_plies = 8;        // of each game
    int max_score = 2500;      // decided positions teach little; centipawns
    bool only_quiet = true;    // not in check, and the move played is no capture, promotion or check
    bool needs_scores = true;  // or else a position without one has a score of 0, for learning from results alone
    double keep = 1.0;         // the share of what is left to take, drawn by game and ply
    double from_share = 0;     // only games whose hash, as a share of all hashes, lies in [from, to):
    double to_share = 1;       // so whole games are trained on or held out
    std::uint64_t seed = 1;    // of both
};

// A position with what is to be learned about it; the side to move's view. Pieces in the order of their squares.
struct PackedPosition {
    std::uint64_t occupied = 0;
    std::array<std::uint8_t, 16> pieces{};  // four bits each: chess::Piece
    std::int16_t score = 0;
    std::uint8_t result = 1;  // 0 lost, 1 drawn, 2 won
    std::uint8_t to_move = 0;
    std::uint16_t ply = 0;
    std::uint8_t castling = 0;
    std::uint8_t unused = 0;
};
static_assert(sizeof(PackedPosition) == 32);

PackedPosition pack(const chess::Board& board, int score, int result, int ply);
// Pieces, the side to move and the rights to castle, but no keys: a board to look at, not to play on.
chess::Board unpack(const PackedPosition& packed, chess::State& state);

class PositionSet {
  public:
    explicit PositionSet(const PositionFilter& filter) : filter_(filter) {}

    // Takes what the filter lets through, in the order of the games however many threads there are. Returns how many
    // games could not be replayed.
    std::size_t add(std::span<const records::Record> games, int threads);
    std::size_t size() const { return positions_.size(); }
    const PackedPosition& operator[](std::size_t index) const { return positions_[index]; }

  private:
    bool take(const records::Record& game, std::vector<PackedPosition>& into) const;

    PositionFilter filter_;
    std::vector<PackedPosition> positions_;
};

// Where a batch goes. `own` and `theirs` have kMaxInputs entries a position: inputs of the side to move's view and of
// the other's; what is left over holds the number of inputs, which is no input.
inline constexpr int kMaxInputs = 32;
struct Batch {
    std::int32_t* own;
    std::int32_t* theirs;
    std::uint8_t* bucket;
    float* score;   // centipawns
    float* result;  // 0, 0.5, 1
};

class BatchMaker {
  public:
    explicit BatchMaker(const evaluators::nnue::Architecture& architecture)
        : architecture_(architecture), table_(architecture.features), padding_(architecture.features.count()) {}

    void fill(const PositionSet& set, std::span<const std::uint32_t> indices, const Batch& batch, int threads) const;
    int padding() const { return padding_; }

  private:
    void fill_one(const PackedPosition& position, std::int32_t* own, std::int32_t* theirs, std::uint8_t& bucket) const;

    evaluators::nnue::Architecture architecture_;
    evaluators::nnue::InputTable table_;
    int padding_;
};

}  // namespace philidor::train
