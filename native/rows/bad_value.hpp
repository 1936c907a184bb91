// A value that cannot be learnt from, and where it stands.
#pragma once
#include <cstdint>
#include <stdexcept>

namespace hardlimit {

// Python sees it as an exception with these fields, and makes the sentence.
class BadValue : public std::invalid_argument {
  public:
    enum class Kind {
        not_finite,     // NaN or infinite
        no_column,      // a column that is not there
        beyond_scale,   // infinite in the units of its column
        large_product,  // a product of columns that is infinite
        too_wide,       // more columns than can be numbered; their number stands for the column
    };

    BadValue(Kind kind, std::int64_t row, std::int64_t column, double value)
        : std::invalid_argument("a value that cannot be learnt from"),
          kind(kind),
          row(row),
          column(column),
          value(value) {}

    const Kind kind;
    const std::int64_t row, column;
    const double value;
};

}  // namespace hardlimit
