// Batches that are being filled: by several threads at once, each of which has rows of its own.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "records/record.h"
#include "train/game_batch.h"

namespace philidor::train {

// One visit to a game. What has no fixed length stays here until its batch is closed.
struct GameVisit {
    std::uint64_t number = 0;  // among all visits of the epoch
    std::uint64_t game = 0;
    std::size_t file = 0;
    std::size_t first_row = 0, rows = 0;  // in the chunk, before it is shuffled
    std::vector<PolicyIndex> legal, target_index;
    std::vector<float> target_weight;
};
using GameVisits = std::shared_ptr<std::vector<GameVisit>>;

// Where each square of a board goes, and each place of the policy, by form; the first form is the board as it is.
struct SymmetricForms {
    std::vector<std::vector<std::uint16_t>> squares, places;
};
// Throws std::invalid_argument for forms of boards that planes of `words` words in all cannot have.
void check(const SymmetricForms& forms, int words);

class OpenBatch {
  public:
    OpenBatch(std::size_t rows, std::size_t words, std::size_t scalars);

    // The visits must stay in place as long as rows name them.
    void keep(const GameVisits& visits) { kept_.push_back(visits); }
    PlySink::Place place(std::size_t row);
    // Writes all but planes and scalars; also to the lists of the visit.
    void write(std::size_t row, const records::Record& game, const ChosenPly& chosen, const EncodedPly& encoded,
               double trace, GameVisit& visit);
    // Puts the lists of the first `rows` rows, which have all been written, behind each other.
    std::unique_ptr<GameBatch> close(std::size_t rows);

  private:
    // Where the lists of a row are.
    struct Lists {
        const GameVisit* visit = nullptr;
        std::uint32_t legal = 0, legal_count = 0, target = 0, target_count = 0;
    };

    std::size_t words_, scalars_;
    std::unique_ptr<GameBatch> batch_;
    std::vector<Lists> lists_;
    std::vector<GameVisits> kept_;
};

// Writes one game's positions to rows of a list of open batches. `rows` count from the first row of the first batch.
class VisitSink final : public PlySink {
  public:
    VisitSink(std::span<OpenBatch> open, std::size_t batch_size, std::span<const std::size_t> rows,
              const records::Record& game, std::span<const ChosenPly> plies, GameVisit& visit,
              const SymmetricForms& forms, std::size_t words, double trace)
        : open_(open),
          batch_size_(batch_size),
          rows_(rows),
          game_(game),
          plies_(plies),
          visit_(visit),
          forms_(forms),
          words_(words),
          trace_(trace) {}

    Place place(std::size_t number) override {
        return open_[rows_[number] / batch_size_].place(rows_[number] % batch_size_);
    }
    void finish(std::size_t number, const EncodedPly& encoded) override;

  private:
    std::span<OpenBatch> open_;
    std::size_t batch_size_;
    std::span<const std::size_t> rows_;
    const records::Record& game_;
    std::span<const ChosenPly> plies_;
    GameVisit& visit_;
    const SymmetricForms& forms_;
    std::size_t words_;  // of all planes of a row
    double trace_;
    std::vector<std::uint64_t> before_;
    std::vector<PolicyIndex> legal_;
};

}  // namespace philidor::train
