// Rows of Vowpal Wabbit's text as far as they are written plainly; readers/vw.py reads the rest.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace hardlimit {

// The names of columns, numbered as they come. They are found by a hash under a secret of the
// process, so that nobody can choose names that collide.
class ColumnNames {
  public:
    // The number of a name, or -1 where the names are closed and it is none of them. Eight bytes
    // behind the name must be readable.
    std::int32_t find(std::string_view name);
    void close() { closed_ = true; }
    const std::deque<std::string> &all() const { return names_; }

  private:
    void grow();

    std::deque<std::string> names_;
    std::vector<std::uint64_t> hashes_;  // of each name
    std::vector<std::int32_t> slots_;    // the number of a name or -1, at most half of them used
    bool closed_ = false;
};

// The rows read so far. Row i has the cells starts[i] to starts[i + 1].
struct VowpalRows {
    std::vector<double> labels, weights;
    std::vector<std::int64_t> starts{0};
    std::vector<std::int32_t> indices;  // ascending and distinct in a row
    std::vector<double> values;
    std::vector<std::int64_t> lines;  // the number of each row's line, from 1
    ColumnNames names;
    std::int64_t n_lines = 0;
    std::int64_t n_unlabelled = 0;  // rows without a label; theirs is 0
    std::int64_t n_bases = 0;       // rows with an initial prediction, which is left out
    std::int64_t n_unknown = 0;     // features with names that are none of the known ones
    bool need_label = true;

    // Reads whole lines and returns how many bytes they have. Stops before a line that is broken,
    // or that it does not know how to read; then nothing of that line is kept.
    std::size_t read(std::string_view bytes);
    // Adds a feature of the row that is being read, "namespace^name" or "name".
    void add_feature(std::string_view space, std::string_view name, double value);
    // Ends a row whose features are there.
    // False, and no row, where a feature that comes more than once has no finite sum.
    bool close_row(double label, double weight, bool labelled, bool base);

  private:
    bool read_line(const char *at, const char *end);
    bool read_features(const char *at, const char *end);
    void drop_features();

    struct Cell {
        std::int32_t index;
        double value;
    };
    std::vector<Cell> cells_;  // of the row that is being read
    std::vector<char> key_;
    std::int64_t unknown_ = 0;
    bool ascending_ = true;
};

}  // namespace hardlimit
