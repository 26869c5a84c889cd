// Positions to train an NNUE network on: taken from games, kept in 32 bytes each, in memory or in files, and handed out
// in shuffled batches of sparse inputs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "encodings/history.h"
#include "evaluators/nnue/architecture.h"
#include "games/chess/board.h"
#include "records/record.h"
#include "train/parallel.h"

namespace philidor::train {

struct PositionFilter {
    int skip_plies = 8;        // of each game
    int max_score = 2500;      // decided positions teach little; centipawns
    bool only_quiet = true;    // not in check, and the move played is no capture, promotion or check
    bool needs_scores = true;  // or else those without one are taken too: to be judged, or to learn from results
    int strays = 0;            // for each ply, so many lines of random moves that leave the game there:
    int stray_plies = 4;       // of 1 to so many moves. Their last position is taken, without a score, if it is quiet
    double keep = 1.0;         // the share of what is left to take, drawn by game and ply
    double from_share = 0;     // only games whose hash, as a share of all hashes, lies in [from, to):
    double to_share = 1;       // so whole games are trained on or held out
    std::uint64_t seed = 1;    // of both
};

// A position with what is to be learned about it; the side to move's view. Pieces in the order of their squares.
struct PackedPosition {
    std::uint64_t occupied = 0;
    std::array<std::uint8_t, 16> pieces{};  // four bits each: chess::Piece
    std::int16_t score = 0;                 // records::kNoScore if nobody has judged it
    std::uint8_t result = 1;                // 0 lost, 1 drawn, 2 won
    std::uint8_t to_move = 0;
    std::uint16_t ply = 0;
    std::uint8_t castling = 0;
    std::uint8_t is_stray = 0;  // 1 if the game was not played this way, so that its result says nothing here

    // What is learned where there may be no score: 0 then.
    float known_score() const { return score == records::kNoScore ? 0.0f : float(score); }
};
static_assert(sizeof(PackedPosition) == 32);

PackedPosition pack(const chess::Board& board, int score, int result, int ply, bool is_stray = false);
// Pieces, the side to move and the rights to castle, but no keys: a board to look at, not to play on.
chess::Board unpack(const PackedPosition& packed, chess::State& state);

// Whether bytes from a file are a position: what `unpack` and `BatchMaker` rely on.
bool is_valid(const PackedPosition& packed);

class PositionSet {
  public:
    explicit PositionSet(const PositionFilter& filter) : filter_(filter) {}

    // Takes what the filter lets through, in the order of the games however many threads there are. Returns how many
    // games could not be replayed.
    std::size_t add(std::span<const records::Record> games, int threads);
    // Positions that stay where they are, such as in a mapped file, and must outlive the set; they come before those
    // that were added from games. Throws std::invalid_argument if one is no position.
    void borrow(std::span<const PackedPosition> positions, int threads);
    std::size_t size() const { return borrowed() + positions_.size(); }
    std::size_t borrowed() const { return ends_.empty() ? 0 : ends_.back(); }
    const PackedPosition& operator[](std::size_t index) const {
        if (index >= borrowed()) return positions_[index - borrowed()];
        const auto part = std::size_t(std::upper_bound(ends_.begin(), ends_.end(), index) - ends_.begin());
        return parts_[part][index - (ends_[part] - parts_[part].size())];
    }
    // Another judge's scores, for as many positions from `first` on; not for borrowed ones.
    void set_scores(std::size_t first, std::span<const std::int16_t> scores);
    // The positions in a random order, which is the key's.
    std::vector<PackedPosition> shuffled(std::uint64_t key) const;
    // The positions from `first` on as an encoder of encodings/chess_encoders.h shows them, without any history: rows
    // of `words()` planes and `scalars()` numbers.
    template <typename Encoder>
    void encode(const Encoder& encoder, std::size_t first, std::size_t count, std::uint64_t* planes, float* scalars,
                int threads) const {
        in_parallel(count, threads, [&](std::size_t begin, std::size_t end) {
            chess::State state;
            for (std::size_t row = begin; row < end; ++row) {
                chess::Board board = unpack((*this)[first + row], state);
                board.finish_setup(chess::kNoSquare, 0);  // the start position is told by its key
                const chess::Board* const alone = &board;
                encoder.encode(encodings::History(&alone, 1), {}, planes + row * std::size_t(encoder.words()),
                               scalars + row * std::size_t(encoder.scalars()), nullptr);
            }
        });
    }

  private:
    bool take(const records::Record& game, std::vector<PackedPosition>& into) const;
    void stray(const chess::Board& board, std::uint64_t key, int ply, int result,
               std::vector<PackedPosition>& into) const;

    PositionFilter filter_;
    std::vector<std::span<const PackedPosition>> parts_;
    std::vector<std::size_t> ends_;  // where each part ends, counted from the first position of all
    std::vector<PackedPosition> positions_;
};

// Where a batch goes. `own` and `theirs` have kMaxInputs entries a position: inputs of the side to move's view and of
// the other's; what is left over holds the number of inputs, which is no input.
inline constexpr int kMaxInputs = 32;
inline constexpr float kNoResult = -1.0f;
struct Batch {
    std::int32_t* own;
    std::int32_t* theirs;
    std::uint8_t* bucket;
    float* score;   // centipawns; 0 if nobody has judged it
    float* result;  // 0, 0.5, 1; kNoResult if the game says nothing of the position
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
