// Rows of an svmlight file as far as they are written plainly; readers/svmlight.py reads the rest.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace hardlimit {

// The rows read so far. Row i has the cells starts[i] to starts[i + 1].
struct SvmlightRows {
    std::vector<double> labels;
    std::vector<std::int64_t> starts{0};
    std::vector<std::int32_t> indices;  // as they stand in the file; ascending in a row
    std::vector<double> values;
    std::vector<std::int64_t> lines;  // the number of each row's line, from 1
    std::int64_t n_lines = 0;
    std::int64_t n_queries = 0;     // rows with a qid
    std::int64_t n_unlabelled = 0;  // rows that begin with index:value; their label is 0
    bool need_label = true;

    // Reads whole lines and returns how many bytes they have. Stops before a line that is broken,
    // or that it does not know how to read; then nothing of that line is kept.
    std::size_t read(std::string_view bytes);
    // Ends a row whose cells are there.
    void close_row(double label, bool labelled, bool query);

  private:
    bool read_line(const char *at, const char *end);
    bool read_cells(const char *at, const char *end);
    bool sort_row(std::size_t first);
};

}  // namespace hardlimit
