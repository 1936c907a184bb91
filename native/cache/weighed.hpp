// Packed counts straight to the values of their rows: idf is looked up once a column and not once a
// cell, and in the order in which it lies.
#pragma once
#include "cache/cells.hpp"
#include "text/features.hpp"

namespace hardlimit::cache {

struct Idf {
    bool used;
    double of_unseen;
};

// The bits of `Features::weigh` on the same counts.
void unpack_weighed(Bytes packed_columns, Bytes packed_counts, std::int64_t n_rows,
                    std::int64_t n_cells, const text::Features &features,
                    const text::Weighting &weighting, Idf idf, std::int64_t *starts,
                    std::int32_t *columns, float *values);

// The largest count of a block, from its section of counts.
std::uint32_t largest_count(Bytes packed_counts, std::int64_t n_cells);

}  // namespace hardlimit::cache
