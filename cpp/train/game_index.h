// Which games of `.rec` files are trained on, in eight bytes each: found in one scan, in which every game is also
// replayed, so that whatever is in the index can be encoded.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "records/block.h"
#include "records/filter.h"
#include "train/game_replayer.h"

namespace philidor::train {

// Games are trained on, or looked at during training, or only at its end. Which of these is decided by a game's start,
// moves and result alone: no option changes it, and the same game is in the same part in every file.
enum class Part : std::uint8_t { kTrain, kValidation, kTest, kAll };
// Not the seed of `philidor data split`: its parts would otherwise fall into one of these.
inline constexpr std::uint64_t kPartSeed = 0x7061'7274'2031'2E30ULL;
inline constexpr double kTrainShare = 0.98, kValidationShare = 0.01;
Part part_of(const records::Record& game);

// Which positions of a game are worth learning from.
struct PlyFilter {
    int skip_plies = 0;         // of each game
    bool needs_visits = false;  // only positions with a search's visits
    bool needs_scores = false;  // only positions with an engine's score
    bool skips_cheap = false;   // no moves that a cheap search chose

    bool takes(const records::Record& game, std::size_t ply) const;
};

struct IndexOptions {
    Part part = Part::kTrain;
    records::FilterOptions games;
    std::vector<std::string> sources;  // only games from one of them; empty: any
    PlyFilter plies;
    std::vector<std::uint32_t> rating_bands;  // where a band ends and the next begins, ascending
};

// Why games are not in the index.
struct SkippedGames {
    std::array<std::uint64_t, std::size_t(records::Dropped::kCount)> filtered{};  // by reason; the first is no reason
    std::uint64_t other_part = 0, other_source = 0, broken = 0, without_positions = 0;
};

class GameIndex {
  public:
    GameIndex(IndexOptions options, std::unique_ptr<GameReplayer> replayer);

    // What a damaged file has lost.
    struct Losses {
        std::uint64_t games = 0, damaged_blocks = 0, stray_bytes = 0;
    };
    // Adds the games of a file, whose bytes must outlive the index and never change. Throws RecordError if the header
    // is damaged or the file has another game.
    Losses add(std::string_view file, std::string_view game, int threads);

    std::size_t games() const { return places_.size(); }
    std::size_t files() const { return files_.size(); }
    std::uint64_t positions() const;
    // Of a file, by the band of the mover's rating; band 0 has the unknown ones.
    const std::vector<std::uint64_t>& positions_by_band(std::size_t file) const { return files_[file].positions; }
    const SkippedGames& skipped() const { return skipped_; }
    // Differs, all but surely, for indices of other games.
    std::uint64_t fingerprint() const { return fingerprint_; }

    const IndexOptions& options() const { return options_; }
    std::unique_ptr<GameReplayer> make_replayer() const { return replayer_->clone(); }
    std::size_t file_of(std::size_t game) const { return blocks_[places_[game].block].file; }
    int band_of(std::uint32_t rating) const;
    // Reads moves and columns. Throws RecordError if the file has changed.
    void read(std::size_t game, records::Record& record) const;

  private:
    struct File {
        std::string_view bytes;
        records::Format format;
        std::vector<std::uint64_t> positions;  // by band
    };
    struct Block {
        std::uint32_t file;
        std::uint64_t offset;
    };
    struct Place {
        std::uint32_t block, number;
    };
    static_assert(sizeof(Place) == 8);
    struct Found;
    struct Judge;

    void add_blocks(const std::vector<records::BlockView>& blocks, std::size_t file, int threads);
    void keep(const Found& found, std::uint32_t block, File& file);

    IndexOptions options_;
    std::unique_ptr<GameReplayer> replayer_;
    std::vector<File> files_;
    std::vector<Block> blocks_;
    std::vector<Place> places_;
    records::HashSet seen_;  // only if duplicates are dropped
    SkippedGames skipped_;
    std::uint64_t fingerprint_ = 0;
};

}  // namespace philidor::train
