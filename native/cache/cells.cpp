#include "cache/cells.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "cache/filling.hpp"

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

void write_lengths(std::span<const std::int64_t> starts, BitWriter &bits) {
    const std::size_t n_rows = starts.size() - 1;
    const int k = rice_parameter(static_cast<std::uint64_t>(starts[n_rows] - starts[0]), n_rows);
    bits.fixed(static_cast<std::uint64_t>(k), 6);
    for (std::size_t row = 0; row < n_rows; ++row)
        bits.rice(static_cast<std::uint64_t>(starts[row + 1] - starts[row]), k);
}

void write_rows(const Cell *first, std::size_t n, std::int64_t n_rows, BitWriter &bits) {
    bits.gamma(n);
    if (n == 1) return bits.fixed(first->row, bits_of_row(static_cast<std::uint64_t>(n_rows)));
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

template <class Index>
class Columns {
  public:
    explicit Columns(Index *columns) : columns_(columns) {}
    HARDLIMIT_INLINE void column(std::uint64_t column) { column_ = static_cast<Index>(column); }
    HARDLIMIT_INLINE void put(std::uint32_t at) { columns_[at] = column_; }
    static void put(std::uint32_t, std::uint32_t) {}

  private:
    Index *columns_;
    Index column_ = 0;
};

class Counted {
  public:
    Counted(std::int32_t *columns, std::uint32_t *counts) : columns_(columns), counts_(counts) {}
    HARDLIMIT_INLINE void column(std::uint64_t column) { columns_.column(column); }
    HARDLIMIT_INLINE void put(std::uint32_t at) {
        columns_.put(at);
        counts_[at] = 1;
    }
    HARDLIMIT_INLINE void put(std::uint32_t at, std::uint32_t count) {
        columns_.put(at);
        counts_[at] = count;
    }

  private:
    Columns<std::int32_t> columns_;
    std::uint32_t *counts_;
};

// Columns that fit into the type of their numbers.
template <class Index>
std::uint64_t most_columns(std::uint64_t n_columns) {
    return std::min(n_columns, std::uint64_t(std::numeric_limits<Index>::max()) + 1);
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
void unpack_cells(Bytes packed, std::int64_t n_rows, std::int64_t n_cells, std::uint64_t n_columns,
                  std::int64_t *starts, Index *columns) {
    check_size(n_rows, n_cells, packed);
    Filling<Columns<Index>, NoCounts>(n_rows, n_cells, most_columns<Index>(n_columns), starts,
                                      Columns(columns), NoCounts())
        .fill(packed);
}

void unpack_counts(Bytes packed_columns, Bytes packed_counts, std::int64_t n_rows,
                   std::int64_t n_cells, std::uint64_t n_columns, std::int64_t *starts,
                   std::int32_t *columns, std::uint32_t *counts) {
    check_size(n_rows, n_cells, packed_columns);
    Filling<Counted, MoreCounts>(n_rows, n_cells, most_columns<std::int32_t>(n_columns), starts,
                                 Counted(columns, counts),
                                 MoreCounts(packed_counts, static_cast<std::uint64_t>(n_cells)))
        .fill(packed_columns);
}

template bool pack_cells(std::span<const std::int64_t>, const std::int32_t *, Counts, std::uint64_t,
                         Packed &);
template bool pack_cells(std::span<const std::int64_t>, const std::int64_t *, Counts, std::uint64_t,
                         Packed &);
template void unpack_cells(Bytes, std::int64_t, std::int64_t, std::uint64_t, std::int64_t *,
                           std::int32_t *);
template void unpack_cells(Bytes, std::int64_t, std::int64_t, std::uint64_t, std::int64_t *,
                           std::int64_t *);

}  // namespace hardlimit::cache
