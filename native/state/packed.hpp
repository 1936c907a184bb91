// Weights of many outputs as files and answers hold them: the cells that are not zero, and one run
// of them for all columns whose cells are equal.
//
// Columns that occur in one row only move together: with equal values they hold equal weights, to
// the last bit, and most columns of texts are such. `runs` has the number of its run for each
// column, 0 where a column has none; run r (from 1) is at ends[r - 1] .. ends[r] - 1 of the cells,
// ascending by output. A run of as many cells as there are outputs has them all, in order.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "portability.hpp"
#include "rows/rows.hpp"
#include "text/secret.hpp"
#include "zeroed.hpp"

namespace hardlimit {

// The cells of one column on their way into a run; without padding, so that bytes can be compared.
struct LooseCell {
    std::uint64_t output;
    double w, u;
};

// Gathers columns in order, and finds those that are equal.
class Packing {
  public:
    explicit Packing(std::size_t n_columns) : table_(1024, 0) {
        runs.make_room(n_columns);
        ends.push_back(0);
    }

    Zeroed<std::uint32_t> runs;
    Zeroed<std::uint64_t> ends;  // of run 0, which has no cells, then of each
    Zeroed<std::uint32_t> outputs;
    Zeroed<double> w, u;

    std::uint32_t n_runs() const { return static_cast<std::uint32_t>(ends.size() - 1); }

    // The next column; its cells in any order, zeros among them or not.
    void add_column(std::vector<LooseCell> &cells) {
        // Neighbours came with one text: often they were touched alike, and are equal as they lie.
        const std::size_t size = cells.size() * sizeof(LooseCell);
        if (cells.size() == before_.size() &&
            (size == 0 || std::memcmp(cells.data(), before_.data(), size) == 0))
            return runs.push_back(last_);
        before_ = cells;
        put_in_order(cells);
        last_ = cells.empty() ? 0 : find_or_add(cells);
        runs.push_back(last_);
    }

    // The next run, which no other is equal to; `add_column` is not asked any more.
    void add_run(std::vector<LooseCell> &cells) {
        put_in_order(cells);
        append(cells);
    }
    // The same for the last column of all, which any run may be equal to.
    void add_last(std::vector<LooseCell> &cells) {
        put_in_order(cells);
        std::uint32_t run = cells.empty() ? 0 : 1;
        while (run && run <= n_runs() && !is_run(run, cells)) ++run;
        if (run > n_runs()) append(cells);
        runs.push_back(run);
    }

  private:
    static void put_in_order(std::vector<LooseCell> &cells) {
        std::erase_if(cells, [](const LooseCell &cell) { return cell.w == 0 && cell.u == 0; });
        std::sort(cells.begin(), cells.end(),
                  [](const LooseCell &a, const LooseCell &b) { return a.output < b.output; });
    }

    std::uint32_t find_or_add(const std::vector<LooseCell> &cells) {
        if (2 * ends.size() > table_.size()) grow();
        const std::size_t mask = table_.size() - 1;
        const std::uint64_t hash = hash_of(cells);
        for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
            const std::uint32_t run = table_[at];
            if (run == 0) {
                append(cells);
                hashes_.push_back(hash);
                return table_[at] = n_runs();
            }
            if (hashes_[run - 1] == hash && is_run(run, cells)) return run;
        }
    }

    void append(const std::vector<LooseCell> &cells) {
        if (ends.size() > 0xFFFFFFFE) throw std::length_error("too many runs of weights");
        for (const LooseCell &cell : cells) {
            outputs.push_back(static_cast<std::uint32_t>(cell.output));
            w.push_back(cell.w);
            u.push_back(cell.u);
        }
        ends.push_back(outputs.size());
    }

    // Bit for bit: 0 and -0 are not the same.
    bool is_run(std::uint32_t run, const std::vector<LooseCell> &cells) const {
        std::size_t at = ends[run - 1];
        if (ends[run] - at != cells.size()) return false;
        for (const LooseCell &cell : cells) {
            if (outputs[at] != cell.output || bits(w[at]) != bits(cell.w) ||
                bits(u[at]) != bits(cell.u))
                return false;
            ++at;
        }
        return true;
    }

    static std::uint64_t bits(double number) { return std::bit_cast<std::uint64_t>(number); }

    // Under the secret of the process: the numbers of a file, or of somebody's rows, may be chosen.
    std::uint64_t hash_of(const std::vector<LooseCell> &cells) const {
        std::uint64_t hash = cells.size() ^ secret_of_left_;
        for (const LooseCell &cell : cells) {
            const Product128 mixed =
                multiply_128(hash ^ bits(cell.w),
                             bits(cell.u) ^ (cell.output * 0xC2B2AE3D27D4EB4F) ^ secret_of_right_);
            hash = std::rotl(hash, 23) + (mixed.low ^ mixed.high);
        }
        return hash;
    }

    void grow() {
        table_.assign(2 * table_.size(), 0);
        const std::size_t mask = table_.size() - 1;
        for (std::size_t run = 1; run < ends.size(); ++run) {
            std::size_t at = hashes_[run - 1] & mask;
            while (table_[at]) at = (at + 1) & mask;
            table_[at] = static_cast<std::uint32_t>(run);
        }
    }

    std::uint64_t secret_of_left_ = text::secret_place(0);
    std::uint64_t secret_of_right_ = text::secret_place(1);
    std::vector<std::uint32_t> table_;   // open addressing: numbers of runs
    std::vector<std::uint64_t> hashes_;  // by run
    // The column before, as it came, and its run.
    std::vector<LooseCell> before_;
    std::uint32_t last_ = 0;
};

// How the runs of one set of packed weights lie; whoever makes it has checked them.
template <class Value, class Output>
struct PackedRuns {
    const std::uint32_t *runs;  // by column
    const std::uint64_t *ends;  // from run 0 on
    const Output *outputs;
    const Value *values;
    std::int64_t n_outputs;

    HARDLIMIT_INLINE void add_products(std::int64_t column, double value, double *sums) const {
        const std::uint32_t run = runs[column];
        if (run == 0) return;
        const std::uint64_t begin = ends[run - 1], end = ends[run];
        if (end - begin == static_cast<std::uint64_t>(n_outputs))
            return add_full(value, values + begin, n_outputs, sums);
        for (std::uint64_t at = begin; at < end; ++at)
            sums[outputs[at]] += static_cast<double>(values[at]) * value;
    }
    HARDLIMIT_INLINE void prefetch_column(std::int64_t column) const { prefetch(runs + column); }
    HARDLIMIT_INLINE void prefetch_run(std::int64_t column) const {
        const std::uint32_t run = runs[column];
        if (run == 0) return;
        // The starts of the runs are few enough for the caches.
        const std::uint64_t begin = ends[run - 1], end = ends[run];
        constexpr std::uint64_t line = 64 / sizeof(Value);
        for (std::uint64_t at = begin; at < end; at += line) prefetch(values + at);
        prefetch(outputs + begin);
    }
};

// Scores of the rows, n_outputs each; `bias` has the weights of the bias by output.
template <class Value, class Output>
void score_packed(const StoredRows &rows, const PackedRuns<Value, Output> &packed,
                  const double *bias, double *out);

}  // namespace hardlimit
