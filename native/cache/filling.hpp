// Unpacking the cells of a block: all its rows are filled side by side, column after column.
//
// A sink takes them: `column(c)` the next column, `put(at)` a cell of it with a count of 1, and
// `put(at, count)` one with another count.
#pragma once
#include <algorithm>
#include <limits>

#include "cache/cells.hpp"

namespace hardlimit::cache {

inline int read_parameter(BitReader &bits) {
    const auto k = static_cast<int>(bits.fixed(6));
    if (k > largest_parameter) damaged("a parameter is too large");
    return k;
}

inline int parameter_of_rows(std::uint64_t n_rows, std::uint64_t n) {
    return rice_parameter(n_rows - n, n);
}

inline unsigned bits_of_row(std::uint64_t n_rows) {
    return static_cast<unsigned>(std::bit_width(n_rows - 1));
}

// Where the counts other than 1 are, one after the other.
class MoreCounts {
  public:
    MoreCounts(Bytes bytes, std::uint64_t n_cells)
        : bits_(bytes.data(), bytes.size()), n_cells_(n_cells), k_(read_parameter(bits_)) {
        left_ = bits_.gamma() - 1;
        step();
    }
    // The number of the next such cell; that of all cells behind the last one.
    std::uint64_t next() const { return next_; }
    std::uint32_t take() {
        const std::uint64_t more = bits_.gamma();
        if (more == std::numeric_limits<std::uint32_t>::max()) damaged("a count is too large");
        after_ = next_ + 1;
        step();
        return static_cast<std::uint32_t>(more + 1);
    }
    void finish() const {
        if (next_ != n_cells_) damaged("counts of cells that are not there");
        bits_.finish();
    }

  private:
    void step() {
        if (!left_) {
            next_ = n_cells_;
            return;
        }
        --left_;
        const std::uint64_t gap = bits_.rice(k_);
        if (gap >= n_cells_ - after_) damaged("a count behind the last cell");
        next_ = after_ + gap;
    }

    BitReader bits_;
    std::uint64_t n_cells_, next_ = 0, after_ = 0, left_ = 0;
    int k_;
};

class NoCounts {
  public:
    static constexpr std::uint64_t next() { return ~std::uint64_t(0); }
    static std::uint32_t take() { return 1; }
    static void finish() {}
};

template <class Sink, class More>
class Filling {
  public:
    Filling(std::int64_t n_rows, std::int64_t n_cells, std::uint64_t n_columns,
            std::int64_t *starts, Sink sink, More more)
        : n_rows_(static_cast<std::uint64_t>(n_rows)),
          n_cells_(static_cast<std::uint64_t>(n_cells)),
          n_columns_(n_columns),
          starts_(starts),
          sink_(std::move(sink)),
          more_(std::move(more)),
          next_(static_cast<std::size_t>(n_rows)) {}

    void fill(Bytes packed) {
        BitReader bits(packed.data(), packed.size());
        read_lengths(bits);
        const int k = read_parameter(bits);
        std::uint64_t column = 0;
        for (std::uint64_t done = 0; done < n_cells_; ++column)
            done += fill_column(bits, k, column, done);
        bits.finish();
        more_.finish();
        for (std::uint64_t row = 0; row < n_rows_; ++row)
            if (next_[row] != static_cast<std::uint64_t>(starts_[row + 1]))
                damaged("a row of another length");
    }

  private:
    void read_lengths(BitReader &bits) {
        const int k = read_parameter(bits);
        std::uint64_t sum = 0;
        starts_[0] = 0;
        for (std::uint64_t row = 0; row < n_rows_; ++row) {
            next_[row] = static_cast<std::uint32_t>(sum);
            const std::uint64_t length = bits.rice(k);
            if (length > n_cells_ - sum) damaged("rows with more cells than there are");
            sum += length;
            starts_[row + 1] = static_cast<std::int64_t>(sum);
        }
        if (sum != n_cells_) damaged("rows with fewer cells than there are");
    }

    // Returns how many cells the next column has.
    HARDLIMIT_INLINE std::uint64_t fill_column(BitReader &bits, int k, std::uint64_t &column,
                                               std::uint64_t done) {
        // Most columns have one row. Their three numbers lie in one word, as a rule.
        const std::uint64_t word = bits.peek();
        const auto quotient = static_cast<unsigned>(std::countr_zero(word));
        const unsigned head = quotient + 1 + static_cast<unsigned>(k),
                       row_bits = bits_of_row(n_rows_);
        if (quotient < longest_quotient && head + 1 + row_bits <= word_bits && (word >> head & 1)) {
            begin(column, std::uint64_t(quotient) << k |
                              low_bits(word >> quotient >> 1, static_cast<unsigned>(k)));
            bits.skip(head + 1 + row_bits);
            put(low_bits(word >> head >> 1, row_bits), done);
            return 1;
        }
        begin(column, bits.rice(k));
        const std::uint64_t n = bits.gamma();
        if (n > n_rows_ || n > n_cells_ - done) damaged("more cells than there are");
        if (n == 1)
            put(bits.fixed(row_bits), done);
        else
            put_rows(bits, n, done);
        return n;
    }

    HARDLIMIT_INLINE void begin(std::uint64_t &column, std::uint64_t gap) {
        if (gap >= n_columns_ - column) damaged("a column that is not there");
        column += gap;
        sink_.column(column);
    }

    HARDLIMIT_INLINE void put(std::uint64_t row, std::uint64_t number) {
        if (row >= n_rows_) damaged("a row that is not there");
        const std::uint32_t at = next_[row]++;
        if (at >= n_cells_) damaged("a row that is too long");
        if (number == more_.next())
            sink_.put(at, more_.take());
        else
            sink_.put(at);
    }

    HARDLIMIT_INLINE void put_rows(BitReader &bits, std::uint64_t n, std::uint64_t done) {
        const int k = parameter_of_rows(n_rows_, n);
        std::uint64_t row = 0;
        for (std::uint64_t i = 0; i < n; ++i, ++row) {
            row += bits.rice(k);
            put(row, done + i);
        }
    }

    std::uint64_t n_rows_, n_cells_, n_columns_;
    std::int64_t *starts_;
    Sink sink_;
    More more_;
    std::vector<std::uint32_t> next_;  // where the next cell of each row goes
};

}  // namespace hardlimit::cache
