// Which games to keep: by rating, result, length and novelty.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "records/record.h"

namespace philidor::records {

// A set of 64-bit hashes in 16 bytes or less per entry; std::unordered_set takes four times that.
class HashSet {
  public:
    // False if it was there already.
    bool insert(std::uint64_t hash);
    std::size_t size() const { return size_; }

  private:
    void grow();

    std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(1024);
    std::size_t size_ = 0;
    bool has_zero_ = false;  // zero marks an empty slot
};

// Why a game was left out.
enum class Dropped : std::uint8_t { kNot, kRating, kGap, kResult, kLength, kDuplicate, kCount };
std::string_view dropped_name(Dropped reason);

struct FilterOptions {
    // Both players must lie in the range. A game without ratings passes only if none of the three is set.
    std::uint32_t min_rating = 0, max_rating = 0;  // 0: no limit
    std::uint32_t max_gap = 0;                     // only if has_gap
    bool has_gap = false;
    std::uint32_t min_plies = 0, max_plies = 0;  // 0: no limit
    std::uint8_t results = 0b1111;               // bit k keeps Result(k)
    bool deduplicate = false;                    // drop a game whose start, moves and result came before
};

class Filter {
  public:
    explicit Filter(FilterOptions options) : options_(options) {}

    const FilterOptions& options() const { return options_; }
    bool keeps(const Record& record);
    // Marks a game as seen, for deduplication against games written earlier.
    void remember(const Record& record) { seen_.insert(content_hash(record)); }
    const std::array<std::uint64_t, std::size_t(Dropped::kCount)>& counts() const { return counts_; }

  private:
    Dropped judge(const Record& record);
    Dropped judge_ratings(const Record& record) const;

    FilterOptions options_;
    HashSet seen_;
    std::array<std::uint64_t, std::size_t(Dropped::kCount)> counts_{};
};

}  // namespace philidor::records
