#include "train/row_sums.h"

#include <algorithm>

#include "train/parallel.h"

namespace philidor::train {

namespace {

// Columns of one thread's work: a cache line, so that no two threads write to the same one.
constexpr std::size_t kColumns = 16;

bool is_row(std::int32_t index, const RowLists& lists) { return std::uint32_t(index) < lists.rows; }

}  // namespace

void sum_rows(const RowLists& lists, const float* table, float* sums, int threads) {
    in_parallel(lists.count, threads, [=](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            float* sum = sums + i * lists.width;
            std::fill_n(sum, lists.width, 0.0F);
            const std::int32_t* index = lists.indices + i * lists.length;
            for (std::size_t k = 0; k < lists.length && is_row(index[k], lists); ++k) {
                const float* row = table + std::size_t(index[k]) * lists.width;
                for (std::size_t column = 0; column < lists.width; ++column) sum[column] += row[column];
            }
        }
    });
}

void add_to_rows(const RowLists& lists, const float* gradients, float* table, int threads) {
    const std::size_t groups = (lists.width + kColumns - 1) / kColumns;
    in_parallel(groups, threads, [=](std::size_t begin, std::size_t end) {
        const std::size_t first = begin * kColumns, last = std::min(end * kColumns, lists.width);
        for (std::size_t i = 0; i < lists.count; ++i) {
            const float* gradient = gradients + i * lists.width;
            const std::int32_t* index = lists.indices + i * lists.length;
            for (std::size_t k = 0; k < lists.length && is_row(index[k], lists); ++k) {
                float* row = table + std::size_t(index[k]) * lists.width;
                for (std::size_t column = first; column < last; ++column) row[column] += gradient[column];
            }
        }
    });
}

}  // namespace philidor::train
