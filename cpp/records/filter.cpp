#include "records/filter.h"

#include <algorithm>

namespace philidor::records {

bool HashSet::insert(std::uint64_t hash) {
    if (hash == 0) {
        const bool is_new = !has_zero_;
        size_ += is_new;
        has_zero_ = true;
        return is_new;
    }
    // The hashes are well mixed already, so their low bits choose the slot.
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = std::size_t(hash) & mask;
    while (slots_[slot] != 0) {
        if (slots_[slot] == hash) return false;
        slot = (slot + 1) & mask;
    }
    slots_[slot] = hash;
    if (++size_ * 4 > slots_.size() * 3) grow();
    return true;
}

void HashSet::grow() {
    std::vector<std::uint64_t> old(slots_.size() * 2);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const std::uint64_t hash : old) {
        if (hash == 0) continue;
        std::size_t slot = std::size_t(hash) & mask;
        while (slots_[slot] != 0) slot = (slot + 1) & mask;
        slots_[slot] = hash;
    }
}

std::string_view dropped_name(Dropped reason) {
    constexpr std::string_view kNames[] = {"kept", "rating", "rating gap", "result", "length", "duplicate"};
    static_assert(std::size(kNames) == std::size_t(Dropped::kCount));
    return kNames[std::size_t(reason)];
}

bool Filter::keeps(const Record& record) {
    const Dropped reason = judge(record);
    ++counts_[std::size_t(reason)];
    return reason == Dropped::kNot;
}

Dropped Filter::judge_ratings(const Record& record) const {
    const auto [low, high] = std::minmax(record.ratings[0], record.ratings[1]);
    const bool has_both = low > 0;
    if (options_.min_rating && low < options_.min_rating) return Dropped::kRating;
    if (options_.max_rating && (!has_both || high > options_.max_rating)) return Dropped::kRating;
    if (options_.has_gap && (!has_both || high - low > options_.max_gap)) return Dropped::kGap;
    return Dropped::kNot;
}

Dropped Filter::judge(const Record& record) {
    if (const Dropped reason = judge_ratings(record); reason != Dropped::kNot) return reason;
    if (!(options_.results >> unsigned(record.result) & 1)) return Dropped::kResult;
    const std::size_t plies = record.moves.size();
    if (plies < options_.min_plies || (options_.max_plies && plies > options_.max_plies)) return Dropped::kLength;
    if (options_.deduplicate && !seen_.insert(content_hash(record))) return Dropped::kDuplicate;
    return Dropped::kNot;
}

}  // namespace philidor::records
