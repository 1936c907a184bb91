// Writing rows as svmlight: the shortest digits that are read back as the same doubles.
#pragma once
#include <cstdint>
#include <string>

namespace hardlimit {

// Rows of a sparse matrix, in the memory of somebody else: row i has the cells starts[i] to
// starts[i + 1].
struct LabelledCells {
    const double *labels;
    const std::int64_t *starts;
    const std::int32_t *indices;
    const double *values;
};

// Appends the rows from `first` up to `last`, each with its line end; `lowest` is the index of the
// first column.
void write_svmlight(const LabelledCells &rows, std::size_t first, std::size_t last,
                    std::int64_t lowest, std::string &text);

}  // namespace hardlimit
