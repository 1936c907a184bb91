// Scores of rows for weights in an array (n_columns + 1, n_outputs), the bias last.
#pragma once
#include <cstdint>

#include "rows/rows.hpp"

namespace hardlimit {

void fill_scores(const StoredRows &rows, const double *w, std::int64_t n_outputs, double *out);

// Of the rows begin .. end - 1; `out` begins with those of row `begin`.
template <class Weight, class Rows>
void fill_scores(const Rows &rows, std::int64_t begin, std::int64_t end, const Weight *w,
                 std::int64_t n_outputs, double *out);

}  // namespace hardlimit
