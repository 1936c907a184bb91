// Rows in the making: canonical CSR whose values are counts first and weights after `weigh`.
#pragma once
#include <bit>
#include <cmath>
#include <vector>

#include "team.hpp"
#include "text/blocks.hpp"
#include "text/growing.hpp"
#include "text/sort.hpp"

namespace hardlimit::text {

// Values of whole numbers (logarithms of counts), made by Python for exactly the numbers met.
class ValueTable {
  public:
    ValueTable() = default;
    // `numbers` ascending, as many as `values`.
    ValueTable(std::vector<std::uint32_t> numbers, std::vector<double> values)
        : numbers_(std::move(numbers)), values_(std::move(values)) {
        if (numbers_.empty()) return;
        dense_.resize(std::min<std::size_t>(numbers_.back(), 65535) + 1);
        for (std::size_t i = 0; i < numbers_.size() && numbers_[i] < dense_.size(); ++i)
            dense_[numbers_[i]] = values_[i];
    }

    double operator()(std::uint32_t number) const {
        if (number < dense_.size()) return dense_[number];
        const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), number);
        return found != numbers_.end() && *found == number ? values_[found - numbers_.begin()] : 0;
    }

  private:
    std::vector<std::uint32_t> numbers_;
    std::vector<double> values_, dense_;
};

enum class Tf { raw, binary, sublinear };

struct Weighting {
    Tf tf = Tf::sublinear;
    bool l2 = true;
    ValueTable logs;              // 1 + ln(count), for sublinear
    double of_block[2] = {1, 1};  // weights of the blocks, where rows have blocks

    // Calls `work` with the function from counts to weights: chosen once, not for every count.
    template <class Work>
    void with_function(Work &&work) const {
        if (tf == Tf::binary) return work([](std::uint32_t) { return 1.0; });
        if (tf == Tf::raw) return work([](std::uint32_t count) -> double { return count; });
        work([this](std::uint32_t count) { return logs(count); });
    }
};

// Eight partial sums by `column & 7`, added in one fixed tree: the order of every sum here.
struct EightSums {
    double sums[8] = {};
    void add(std::uint32_t column, double value) { sums[column & 7] += value; }
    double total() const {
        return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
               ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    }
};

// One row: tf * idf over the norm, in double, rounded to float32 at the end, whose bits replace the
// counts. `idf(i)` and `column(i)` are those of the row's i-th feature, in ascending column.
// Returns the length before.
template <class Of, class Idf, class Column>
HARDLIMIT_INLINE double weigh_row(Of &&of_count, const Weighting &weighting, std::size_t n,
                                  std::uint32_t *cells, std::vector<double> &buffer, Idf &&idf,
                                  Column &&column) {
    if (buffer.size() < n) buffer.resize(n);
    double *const values = buffer.data();
    EightSums squares;
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = of_count(cells[i]) * idf(i);
        squares.add(column(i), values[i] * values[i]);
    }
    const double length = weighting.l2 ? std::sqrt(squares.total()) : 1;
    const double norm = length > 0 ? length : 1;
    for (std::size_t i = 0; i < n; ++i)
        cells[i] = std::bit_cast<std::uint32_t>(static_cast<float>(values[i] / norm));
    return length;
}

// The same with each block divided by its own length and multiplied by its weight. `block(i)` is
// that of the i-th feature. Returns the length of the words before.
template <class Of, class Idf, class Column, class BlockOf>
HARDLIMIT_INLINE double weigh_row_by_blocks(Of &&of_count, const Weighting &weighting,
                                            std::size_t n, std::uint32_t *cells,
                                            std::vector<double> &buffer, Idf &&idf, Column &&column,
                                            BlockOf &&block) {
    if (buffer.size() < n) buffer.resize(n);
    double *const values = buffer.data();
    EightSums squares[2];
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = of_count(cells[i]) * idf(i);
        squares[static_cast<int>(block(i))].add(column(i), values[i] * values[i]);
    }
    double lengths[2], norms[2];
    for (int b = 0; b < 2; ++b) {
        lengths[b] = weighting.l2 ? std::sqrt(squares[b].total()) : 1;
        norms[b] = lengths[b] > 0 ? lengths[b] : 1;
    }
    for (std::size_t i = 0; i < n; ++i) {
        const int b = static_cast<int>(block(i));
        const double value = values[i] * weighting.of_block[b] / norms[b];
        cells[i] = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    }
    return lengths[static_cast<int>(Block::words)];
}

// The same of counts alone, without idf. Their squares are whole numbers, whose sum is exact in any
// order, and a row has few different counts. False, and nothing done, where the sum may be too
// large for that.
inline bool weigh_counts(const Weighting &weighting, std::size_t n, std::uint32_t *cells) {
    constexpr std::size_t most_cells = std::size_t(1) << 20;
    constexpr std::uint32_t most_of_one = 1 << 16, tabled = 8;
    if (n > most_cells) return false;
    std::uint64_t squares = 0;
    std::uint32_t all = 0;
    for (std::size_t i = 0; i < n; ++i) {
        all |= cells[i];
        squares += std::uint64_t(cells[i]) * cells[i];
    }
    if (all >= most_of_one) return false;
    const double length = weighting.l2 ? std::sqrt(static_cast<double>(squares)) : 1;
    const double norm = length > 0 ? length : 1;
    const auto value_of = [norm](std::uint32_t count) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(count / norm));
    };
    std::uint32_t values[tabled];
    for (std::uint32_t count = 0; count < tabled; ++count) values[count] = value_of(count);
    for (std::size_t i = 0; i < n; ++i)
        cells[i] = cells[i] < tabled ? values[cells[i]] : value_of(cells[i]);
    return true;
}

// Writes the distinct ones of n ascending columns and how often each is there; returns how many.
// `from[n]` is one that differs. Without a branch on "repeated?": write each, and step on when the
// next one differs.
HARDLIMIT_INLINE std::size_t count_repeats(const std::uint32_t *from, std::size_t n,
                                           std::int32_t *to, std::uint32_t *count) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < n; ++i) {
        to[kept] = static_cast<std::int32_t>(from[i]);
        count[kept] = static_cast<std::uint32_t>(i);
        kept += from[i] != from[i + 1];
    }
    for (std::size_t i = kept; i-- > 1;) count[i] -= count[i - 1];
    if (kept) ++count[0];
    return kept;
}

class Rows {
  public:
    Rows() { starts.push(0); }
    std::size_t n_rows() const { return starts.size() - 1; }

    // One more row from the columns of a document's features, in any order, repeats and all.
    void add(Columns &columns, int bits) {
        const std::size_t n = columns.size(), before = this->columns.size();
        columns.push(0xFFFFFFFF);  // differs from the last one
        std::uint32_t *from = columns.data();
        sorter_.sort(from, n, bits);
        std::int32_t *to = this->columns.extend(n);
        std::uint32_t *count = counts.extend(n);
        const std::size_t kept = count_repeats(from, n, to, count);
        this->columns.shrink_to(before + kept);
        counts.shrink_to(before + kept);
        starts.push(static_cast<std::int64_t>(before + kept));
    }

    // Columns get new numbers, ascending as the old ones are; those with -1 are left out.
    void renumber(const std::vector<std::int32_t> &number) {
        std::size_t from = 0, to = 0;
        for (std::size_t row = 0; row < n_rows(); ++row) {
            for (; from < static_cast<std::size_t>(starts[row + 1]); ++from) {
                const std::int32_t column = number[columns[from]];
                if (column < 0) continue;
                columns.data()[to] = column;
                counts.data()[to++] = counts[from];
            }
            starts.data()[row + 1] = static_cast<std::int64_t>(to);
        }
        columns.shrink_to(to);
        counts.shrink_to(to);
    }

    void clear() {
        starts.shrink_to(1);
        columns.clear();
        counts.clear();
    }

    // Counts to weights, in place.
    template <class Idf>
    void weigh(const Weighting &weighting, Team &team, Idf &&idf) {
        each_row(weighting, team, [&](auto of_count, std::size_t first, std::size_t n, Values &to) {
            const std::int32_t *column = columns.data() + first;
            weigh_row(
                of_count, weighting, n, counts.data() + first, to,
                [&](std::size_t i) { return idf(column[i]); },
                [&](std::size_t i) { return column[i]; });
        });
    }

    // The same without idf.
    void weigh(const Weighting &weighting, Team &team) {
        const bool counts_alone = weighting.tf == Tf::raw;
        each_row(weighting, team, [&](auto of_count, std::size_t first, std::size_t n, Values &to) {
            std::uint32_t *const cells = counts.data() + first;
            if (counts_alone && weigh_counts(weighting, n, cells)) return;
            const std::int32_t *column = columns.data() + first;
            weigh_row(
                of_count, weighting, n, cells, to, [](std::size_t) { return 1.0; },
                [&](std::size_t i) { return column[i]; });
        });
    }

    // The same by blocks; `block(column)`.
    template <class Idf, class BlockOf>
    void weigh_by_blocks(const Weighting &weighting, Team &team, Idf &&idf, BlockOf &&block) {
        each_row(weighting, team, [&](auto of_count, std::size_t first, std::size_t n, Values &to) {
            const std::int32_t *column = columns.data() + first;
            weigh_row_by_blocks(
                of_count, weighting, n, counts.data() + first, to,
                [&](std::size_t i) { return idf(column[i]); },
                [&](std::size_t i) { return column[i]; },
                [&](std::size_t i) { return block(column[i]); });
        });
    }

    // Calls `work(part, first cell, end)` for parts of the cells, side by side.
    template <class Work>
    void each_part(Team &team, Work &&work) const {
        // Beginning a thread takes as long as some ten thousand cells.
        constexpr std::size_t worth_threads = std::size_t(1) << 18, parts_per_worker = 4;
        const std::size_t n = columns.size();
        const bool alone = team.alone() || n < worth_threads;
        const std::size_t n_parts = alone ? 1 : parts_per_worker * team.n_workers();
        team.run(n_parts, [&](std::size_t part, std::size_t) {
            work(part, n * part / n_parts, n * (part + 1) / n_parts);
        });
    }

    Growing<std::int64_t> starts;
    Growing<std::int32_t> columns;
    Growing<std::uint32_t> counts;  // the bits of float32 once weighed
    std::size_t n_columns = 0;      // of the features that weighed them

  private:
    using Values = std::vector<double>;

    // The rows that begin among the cells of a part are its own.
    template <class Weigh>
    void each_row(const Weighting &weighting, Team &team, Weigh &&weigh) {
        const std::int64_t *const all = starts.data(), *const last_row = all + n_rows();
        each_part(team, [&](std::size_t, std::size_t first, std::size_t end) {
            Values scratch;
            const auto row_at = [&](std::size_t cell) {
                return std::lower_bound(all, last_row, static_cast<std::int64_t>(cell));
            };
            const std::int64_t *at = row_at(first);
            const std::int64_t *const last = row_at(end);
            weighting.with_function([&](auto of_count) {
                for (; at < last; ++at) weigh(of_count, at[0], at[1] - at[0], scratch);
            });
        });
    }

    ColumnSorter sorter_;
};

}  // namespace hardlimit::text
