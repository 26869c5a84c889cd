#include "train/game_index.h"

#include <algorithm>
#include <numeric>

#include "train/parallel.h"
#include "train/random_order.h"

namespace philidor::train {

using records::Record;
using records::RecordError;

namespace {

// Blocks that are judged at once: enough to keep threads busy, and a few megabytes.
constexpr std::size_t kBlocksAtOnce = 256;
constexpr std::uint8_t kCheapFlag = 1;

bool has_visits(const Record& game, std::size_t ply) {
    return !game.visits.empty() && std::ranges::any_of(game.visits[ply], [](auto visit) { return visit.count > 0; });
}

}  // namespace

Part part_of(const Record& game) {
    const double share = share_of(records::content_hash(game, kPartSeed));
    if (share < kTrainShare) return Part::kTrain;
    return share < kTrainShare + kValidationShare ? Part::kValidation : Part::kTest;
}

bool PlyFilter::takes(const Record& game, std::size_t ply) const {
    if (ply < std::size_t(skip_plies)) return false;
    if (needs_visits && !has_visits(game, ply)) return false;
    if (needs_scores && (game.scores.empty() || game.scores[ply] == records::kNoScore)) return false;
    return !(skips_cheap && !game.flags.empty() && (game.flags[ply] & kCheapFlag));
}

// What one block has for the index.
struct GameIndex::Found {
    struct Game {
        std::uint32_t number;
        std::uint64_t hash;
        std::vector<std::uint32_t> positions;  // by band
    };
    std::vector<Game> games;
};

// One thread's part of the scan.
struct GameIndex::Judge {
    const GameIndex& index;
    records::Filter filter;
    std::unique_ptr<GameReplayer> replayer;
    SkippedGames skipped = {};
    Record record = {};

    Found judge(const records::BlockView& block, records::Format format) {
        Found found;
        format.move_width = block.move_width;
        for (std::size_t i = 0; i < block.games.size(); ++i) {
            if (!records::decode_game(block.games[i], format, block.strings, record)) {
                ++skipped.broken;
            } else if (keeps()) {
                found.games.push_back({block.numbers[i], records::content_hash(record), count_positions()});
                if (std::ranges::count(found.games.back().positions, 0u) == std::ptrdiff_t(bands())) {
                    ++skipped.without_positions;
                    found.games.pop_back();
                }
            }
        }
        return found;
    }

  private:
    std::size_t bands() const { return index.options_.rating_bands.size() + 2; }

    bool keeps() {
        const IndexOptions& options = index.options_;
        if (options.part != Part::kAll && part_of(record) != options.part) return ++skipped.other_part, false;
        if (!filter.keeps(record)) return false;
        if (!options.sources.empty() && std::ranges::find(options.sources, record.source) == options.sources.end())
            return ++skipped.other_source, false;
        if (!replayer->accepts(record)) return ++skipped.broken, false;
        return true;
    }

    std::vector<std::uint32_t> count_positions() {
        std::vector<std::uint32_t> positions(bands());
        const int first = replayer->first_mover(record.start);
        for (std::size_t ply = 0; ply < record.moves.size(); ++ply)
            if (index.options_.plies.takes(record, ply))
                ++positions[std::size_t(index.band_of(record.ratings[(std::size_t(first) + ply) % 2]))];
        return positions;
    }
};

GameIndex::GameIndex(IndexOptions options, std::unique_ptr<GameReplayer> replayer)
    : options_(std::move(options)), replayer_(std::move(replayer)) {}

GameIndex::Losses GameIndex::add(std::string_view file, std::string_view game, int threads) {
    records::HeaderResult header = records::decode_header(file);
    if (!header.error.empty()) throw RecordError(header.error);
    if (header.format.game != game)
        throw RecordError("it has games of " + header.format.game + ", not " + std::string(game));
    const std::size_t number = files_.size();
    const std::size_t bands = options_.rating_bands.size() + 2;
    files_.push_back({file, std::move(header.format), std::vector<std::uint64_t>(bands)});
    Losses losses;
    std::vector<records::BlockView> waiting;
    const auto found = [&](const records::BlockView& block) {
        losses.damaged_blocks += !block.is_intact;
        losses.games += block.declared - block.games.size();
        waiting.push_back(block);
        if (waiting.size() == kBlocksAtOnce) {
            add_blocks(waiting, number, threads);
            waiting.clear();
        }
        return true;
    };
    records::scan(file, header.size, found, [&](std::size_t, std::size_t bytes) { losses.stray_bytes += bytes; });
    add_blocks(waiting, number, threads);
    return losses;
}

void GameIndex::add_blocks(const std::vector<records::BlockView>& blocks, std::size_t file, int threads) {
    std::vector<Found> found(blocks.size());
    records::FilterOptions filter = options_.games;
    filter.deduplicate = false;  // in order, below
    std::vector<Judge> judges;
    const std::size_t parts = std::size_t(std::max(threads, 1));
    for (std::size_t part = 0; part < parts; ++part)
        judges.push_back({*this, records::Filter(filter), make_replayer()});
    in_parallel(parts, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part)
            for (std::size_t i = part; i < blocks.size(); i += parts)
                found[i] = judges[part].judge(blocks[i], files_[file].format);
    });
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (found[i].games.empty()) continue;
        blocks_.push_back({std::uint32_t(file), blocks[i].offset});
        keep(found[i], std::uint32_t(blocks_.size() - 1), files_[file]);
    }
    for (const Judge& judge : judges) {
        for (std::size_t reason = 0; reason < skipped_.filtered.size(); ++reason)
            skipped_.filtered[reason] += judge.filter.counts()[reason];
        skipped_.other_part += judge.skipped.other_part;
        skipped_.other_source += judge.skipped.other_source;
        skipped_.broken += judge.skipped.broken;
        skipped_.without_positions += judge.skipped.without_positions;
    }
}

void GameIndex::keep(const Found& found, std::uint32_t block, File& file) {
    for (const Found::Game& game : found.games) {
        if (options_.games.deduplicate && !seen_.insert(game.hash)) {
            ++skipped_.filtered[std::size_t(records::Dropped::kDuplicate)];
            continue;
        }
        places_.push_back({block, game.number});
        fingerprint_ = combine(fingerprint_, game.hash);
        for (std::size_t band = 0; band < file.positions.size(); ++band) file.positions[band] += game.positions[band];
    }
}

std::uint64_t GameIndex::positions() const {
    std::uint64_t total = 0;
    for (const File& file : files_) total = std::accumulate(file.positions.begin(), file.positions.end(), total);
    return total;
}

int GameIndex::band_of(std::uint32_t rating) const {
    if (rating == 0) return 0;
    const auto& bands = options_.rating_bands;
    return 1 + int(std::upper_bound(bands.begin(), bands.end(), rating) - bands.begin());
}

void GameIndex::read(std::size_t game, Record& record) const {
    const Place place = places_[game];
    const Block& block = blocks_[place.block];
    const File& file = files_[block.file];
    records::GameView view;
    const bool is_found = records::find_game(file.bytes, std::size_t(block.offset), place.number, view);
    if (!is_found || !records::decode_moves(view.bytes, file.format, view.move_width, view.strings, record))
        throw RecordError("the file has changed since it was opened");
}

}  // namespace philidor::train
