#include "cache/cells.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace hardlimit::cache {
namespace {

struct Cell {
    std::uint64_t column;
    std::uint32_t row, count;
};

// By column; rows, which ascend, stay as they are.
void sort_by_column(std::vector<Cell> &cells, std::uint64_t last_column) {
    constexpr int digit = 11;
    std::vector<Cell> other(cells.size());
    for (int shift = 0; shift < 64 && last_column >> shift; shift += digit) {
        std::size_t places[std::size_t(1) << digit] = {};
        const auto digit_of = [&](const Cell &cell) {
            return cell.column >> shift & ((std::uint64_t(1) << digit) - 1);
        };
        for (const Cell &cell : cells) ++places[digit_of(cell)];
        std::size_t place = 0;
        for (std::size_t &count : places) place += std::exchange(count, place);
        for (const Cell &cell : cells) other[places[digit_of(cell)]++] = cell;
        cells.swap(other);
    }
}

int parameter_of_rows(std::uint64_t n_rows, std::uint64_t n) {
    return rice_parameter(n_rows - n, n);
}

unsigned bits_of_row(std::int64_t n_rows) {
    return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(n_rows - 1)));
}

void write_lengths(std::span<const std::int64_t> starts, BitWriter &bits) {
    const std::size_t n_rows = starts.size() - 1;
    const int k = rice_parameter(static_cast<std::uint64_t>(starts[n_rows] - starts[0]), n_rows);
    bits.fixed(static_cast<std::uint64_t>(k), 6);
    for (std::size_t row = 0; row < n_rows; ++row)
        bits.rice(static_cast<std::uint64_t>(starts[row + 1] - starts[row]), k);
}

void write_rows(const Cell *first, std::size_t n, std::int64_t n_rows, BitWriter &bits) {
    bits.gamma(n);
    if (n == 1) return bits.fixed(first->row, bits_of_row(n_rows));
    const int k = parameter_of_rows(static_cast<std::uint64_t>(n_rows), n);
    std::uint32_t next = 0;
    for (const Cell *cell = first; cell != first + n; ++cell) {
        bits.rice(cell->row - next, k);
        next = cell->row + 1;
    }
}

void write_columns(const std::vector<Cell> &cells, std::int64_t n_rows, BitWriter &bits) {
    std::uint64_t n_present = 0;
    for (std::size_t i = 0; i < cells.size(); ++i)
        n_present += !i || cells[i].column != cells[i - 1].column;
    const int k =
        cells.empty() ? 0 : rice_parameter(cells.back().column + 1 - n_present, n_present);
    bits.fixed(static_cast<std::uint64_t>(k), 6);
    std::uint64_t next = 0;
    for (std::size_t i = 0, end; i < cells.size(); i = end) {
        for (end = i + 1; end < cells.size() && cells[end].column == cells[i].column;) ++end;
        bits.rice(cells[i].column - next, k);
        next = cells[i].column + 1;
        write_rows(cells.data() + i, end - i, n_rows, bits);
    }
}

// Nearly all counts are 1: where the others are, and how large.
void write_counts(const std::vector<Cell> &cells, BitWriter &bits) {
    const auto n_more = static_cast<std::uint64_t>(
        std::count_if(cells.begin(), cells.end(), [](const Cell &cell) { return cell.count > 1; }));
    const int k = rice_parameter(cells.size() - n_more, n_more);
    bits.fixed(static_cast<std::uint64_t>(k), 6);
    bits.gamma(n_more + 1);
    std::size_t next = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i].count < 2) continue;
        bits.rice(i - next, k);
        bits.gamma(cells[i].count - 1);
        next = i + 1;
    }
}

int read_parameter(BitReader &bits) {
    const auto k = static_cast<int>(bits.fixed(6));
    if (k > largest_parameter) damaged("a parameter is too large");
    return k;
}

// Where the counts other than 1 are, one after the other.
class MoreCounts {
  public:
    MoreCounts(Bytes bytes, std::uint64_t n_cells)
        : bits_(bytes.data(), bytes.size()), n_cells_(n_cells), k_(read_parameter(bits_)) {
        left_ = bits_.gamma() - 1;
        step();
    }
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

// Fills the rows side by side, column after column.
template <class Index, class More>
class Filling {
  public:
    Filling(std::int64_t n_rows, std::int64_t n_cells, std::uint64_t n_columns, Cells cells,
            Index *columns, More &more)
        : n_rows_(static_cast<std::uint64_t>(n_rows)),
          n_cells_(static_cast<std::uint64_t>(n_cells)),
          n_columns_(n_columns),
          cells_(cells),
          columns_(columns),
          more_(more),
          next_(static_cast<std::size_t>(n_rows)) {}

    void fill(BitReader bits) {
        read_lengths(bits);
        const int k = read_parameter(bits);
        const unsigned row_bits = n_rows_ ? bits_of_row(static_cast<std::int64_t>(n_rows_)) : 0;
        std::uint64_t column = 0, done = 0;
        while (done < n_cells_) {
            const std::uint64_t gap = bits.rice(k);
            if (gap >= n_columns_ - column) damaged("a column that is not there");
            column += gap;
            const std::uint64_t n = bits.gamma();
            if (n > n_rows_ || n > n_cells_ - done) damaged("more cells than there are");
            if (n == 1)
                put(bits.fixed(row_bits), column, done);
            else
                put_rows(bits, n, column, done);
            done += n;
            ++column;
        }
        bits.finish();
        for (std::uint64_t row = 0; row < n_rows_; ++row)
            if (next_[row] != static_cast<std::uint64_t>(cells_.starts[row + 1]))
                damaged("a row of another length");
    }

  private:
    void read_lengths(BitReader &bits) {
        const int k = read_parameter(bits);
        std::uint64_t sum = 0;
        cells_.starts[0] = 0;
        for (std::uint64_t row = 0; row < n_rows_; ++row) {
            next_[row] = static_cast<std::uint32_t>(sum);
            const std::uint64_t length = bits.rice(k);
            if (length > n_cells_ - sum) damaged("rows with more cells than there are");
            sum += length;
            cells_.starts[row + 1] = static_cast<std::int64_t>(sum);
        }
        if (sum != n_cells_) damaged("rows with fewer cells than there are");
    }

    HARDLIMIT_INLINE void put(std::uint64_t row, std::uint64_t column, std::uint64_t number) {
        if (row >= n_rows_) damaged("a row that is not there");
        const std::uint32_t at = next_[row]++;
        if (at >= n_cells_) damaged("a row that is too long");
        columns_[at] = static_cast<Index>(column);
        if (number == more_.next()) cells_.counts[at] = more_.take();
    }

    HARDLIMIT_INLINE void put_rows(BitReader &bits, std::uint64_t n, std::uint64_t column,
                                   std::uint64_t done) {
        const int k = parameter_of_rows(n_rows_, n);
        std::uint64_t row = 0;
        for (std::uint64_t i = 0; i < n; ++i, ++row) {
            const std::uint64_t gap = bits.rice(k);
            if (gap >= n_rows_ - row) damaged("a row that is not there");
            row += gap;
            put(row, column, done + i);
        }
    }

    std::uint64_t n_rows_, n_cells_, n_columns_;
    Cells cells_;
    Index *columns_;
    More &more_;
    std::vector<std::uint32_t> next_;  // where the next cell of each row goes
};

template <class Index, class More>
void fill(Bytes packed, std::int64_t n_rows, std::int64_t n_cells, std::uint64_t n_columns,
          Cells cells, Index *columns, More more) {
    Filling<Index, More>(n_rows, n_cells, n_columns, cells, columns, more)
        .fill(BitReader(packed.data(), packed.size()));
    more.finish();
}

}  // namespace

template <class Index>
bool pack_cells(std::span<const std::int64_t> starts, const Index *columns, Counts counts,
                std::uint64_t n_columns, Packed &packed) {
    std::vector<Cell> cells;
    cells.reserve(static_cast<std::size_t>(starts.back() - starts.front()));
    std::uint64_t last_column = 0;
    for (std::size_t row = 0; row + 1 < starts.size(); ++row)
        for (std::int64_t i = starts[row]; i < starts[row + 1]; ++i) {
            const auto column = static_cast<std::uint64_t>(columns[i]);
            const std::uint32_t count = counts ? (*counts)[static_cast<std::size_t>(i)] : 1;
            const bool ascends = i == starts[row] || columns[i] > columns[i - 1];
            if (column >= n_columns || !ascends || !count) return false;
            last_column = std::max(last_column, column);
            cells.push_back({column, static_cast<std::uint32_t>(row), count});
        }
    sort_by_column(cells, last_column);
    BitWriter bits;
    write_lengths(starts, bits);
    write_columns(cells, static_cast<std::int64_t>(starts.size()) - 1, bits);
    packed.columns = bits.finish();
    if (counts) {
        write_counts(cells, bits);
        packed.counts = bits.finish();
    }
    return true;
}

void check_size(std::int64_t n_rows, std::int64_t n_cells, Bytes columns) {
    // Each row and each cell has a bit at least.
    const auto bits = static_cast<std::int64_t>(columns.size()) * 8;
    if (n_rows < 0 || n_cells < 0 || n_rows > most_rows || n_cells > most_cells ||
        n_rows + n_cells > bits)
        damaged("more rows or cells than its bytes can hold");
}

template <class Index>
void unpack_cells(Bytes packed_columns, Bytes packed_counts, std::int64_t n_rows,
                  std::int64_t n_cells, std::uint64_t n_columns, Cells cells, Index *columns) {
    check_size(n_rows, n_cells, packed_columns);
    n_columns = std::min(n_columns, std::uint64_t(std::numeric_limits<Index>::max()) + 1);
    if (cells.counts) {
        std::fill_n(cells.counts, n_cells, 1u);
        fill(packed_columns, n_rows, n_cells, n_columns, cells, columns,
             MoreCounts(packed_counts, static_cast<std::uint64_t>(n_cells)));
    } else {
        fill(packed_columns, n_rows, n_cells, n_columns, cells, columns, NoCounts());
    }
}

template bool pack_cells(std::span<const std::int64_t>, const std::int32_t *, Counts, std::uint64_t,
                         Packed &);
template bool pack_cells(std::span<const std::int64_t>, const std::int64_t *, Counts, std::uint64_t,
                         Packed &);
template void unpack_cells(Bytes, Bytes, std::int64_t, std::int64_t, std::uint64_t, Cells,
                           std::int32_t *);
template void unpack_cells(Bytes, Bytes, std::int64_t, std::int64_t, std::uint64_t, Cells,
                           std::int64_t *);

}  // namespace hardlimit::cache
