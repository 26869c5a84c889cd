// Sums of the rows of a table that sparse inputs name, and their gradient: where training on a CPU spends its time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace philidor::train {

// `indices` are `count` lists of `length` row numbers, each list ended early by the first number that is no row.
struct RowLists {
    const std::int32_t* indices;
    std::size_t count;
    std::size_t length;
    std::size_t rows;
    std::size_t width;
};

// Writes the sum of each list's rows of `table` to `sums`, [count, width].
void sum_rows(const RowLists& lists, const float* table, float* sums, int threads);

// Adds each list's row of `gradients`, [count, width], to all rows of `table` that the list names. The threads share
// the columns, not the lists, so that the result does not depend on their number.
void add_to_rows(const RowLists& lists, const float* gradients, float* table, int threads);

}  // namespace philidor::train
