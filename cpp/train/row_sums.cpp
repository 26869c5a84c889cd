#include "train/row_sums.h"

#include <algorithm>

#include "train/lanes.h"
#include "train/parallel.h"

namespace philidor::train {

namespace {

// Columns that are summed at a time: they stay in registers while all rows of a list pass, and so many columns of a
// whole table stay in a core's own cache while all lists of a block do.
constexpr std::size_t kVectors = 8, kColumns = kVectors * kLanes;
constexpr std::size_t kBlock = 512;

// Where a list ends, at the latest.
bool is_row(std::int32_t index, const RowLists& lists) { return std::uint32_t(index) < lists.rows; }

// The columns from `first` to `last` of one list, at most kColumns.
void sum_columns(const RowLists& lists, std::size_t list, const float* table, float* sums, std::size_t first,
                 std::size_t last) {
    const std::int32_t* index = lists.indices + list * lists.length;
    float* to = sums + list * lists.width;
    if (last - first == kColumns) {
        Lanes sum[kVectors] = {};
        for (std::size_t k = 0; k < lists.length && is_row(index[k], lists); ++k) {
            const float* row = table + std::size_t(index[k]) * lists.width + first;
            for (std::size_t v = 0; v < kVectors; ++v) sum[v] += lanes(row + v * kLanes);
        }
        for (std::size_t v = 0; v < kVectors; ++v) lanes(to + first + v * kLanes) = sum[v];
        return;
    }
    std::fill(to + first, to + last, 0.0F);
    for (std::size_t k = 0; k < lists.length && is_row(index[k], lists); ++k) {
        const float* row = table + std::size_t(index[k]) * lists.width;
        for (std::size_t column = first; column < last; ++column) to[column] += row[column];
    }
}

void add_columns(const RowLists& lists, std::size_t list, const float* gradients, float* table, std::size_t first,
                 std::size_t last) {
    const std::int32_t* index = lists.indices + list * lists.length;
    const float* gradient = gradients + list * lists.width;
    if (last - first == kColumns) {
        Lanes share[kVectors];
        for (std::size_t v = 0; v < kVectors; ++v) share[v] = lanes(gradient + first + v * kLanes);
        for (std::size_t k = 0; k < lists.length && is_row(index[k], lists); ++k) {
            float* row = table + std::size_t(index[k]) * lists.width + first;
            for (std::size_t v = 0; v < kVectors; ++v) lanes(row + v * kLanes) += share[v];
        }
        return;
    }
    for (std::size_t k = 0; k < lists.length && is_row(index[k], lists); ++k) {
        float* row = table + std::size_t(index[k]) * lists.width;
        for (std::size_t column = first; column < last; ++column) row[column] += gradient[column];
    }
}

}  // namespace

void sum_rows(const RowLists& lists, const float* table, float* sums, int threads) {
    in_parallel(lists.count, threads, [=](std::size_t begin, std::size_t end) {
        for (std::size_t block = begin; block < end; block += kBlock)
            for (std::size_t first = 0; first < lists.width; first += kColumns)
                for (std::size_t list = block; list < std::min(block + kBlock, end); ++list)
                    sum_columns(lists, list, table, sums, first, std::min(first + kColumns, lists.width));
    });
}

void add_to_rows(const RowLists& lists, const float* gradients, float* table, int threads) {
    const std::size_t groups = (lists.width + kColumns - 1) / kColumns;
    in_parallel(groups, threads, [=](std::size_t begin, std::size_t end) {
        for (std::size_t group = begin; group < end; ++group)
            for (std::size_t list = 0; list < lists.count; ++list)
                add_columns(lists, list, gradients, table, group * kColumns,
                            std::min((group + 1) * kColumns, lists.width));
    });
}

}  // namespace philidor::train
