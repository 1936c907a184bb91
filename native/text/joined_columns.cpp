#include "text/joined_columns.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

#include "text/vocabulary.hpp"

namespace hardlimit::text {

void BlockColumns::append(std::int32_t first, std::size_t n) {
    std::int32_t *const to = listed_.extend(n);
    std::iota(to, to + n, first);
}

void BlockColumns::add(std::int32_t first, std::size_t n) {
    if (!n) return;
    if (!size_) first_ = first;
    const bool follows = first == first_ + static_cast<std::int32_t>(size_);
    if (!is_listed() && !follows) append(first_, size_);
    if (is_listed()) append(first, n);
    size_ += n;
}

std::int64_t BlockColumns::find(std::int64_t column) const {
    if (!is_listed()) {
        const std::int64_t own = column - first_;
        return own >= 0 && own < static_cast<std::int64_t>(size_) ? own : -1;
    }
    const std::int32_t *const end = listed_.data() + size_;
    const std::int32_t *const at = std::lower_bound(listed_.data(), end, column);
    return at != end && *at == column ? at - listed_.data() : -1;
}

JoinedColumns::JoinedColumns(const std::vector<std::span<const std::int64_t>> &blocks,
                             std::int64_t n_columns)
    : blocks_(blocks.size()), n_columns_(n_columns) {
    std::int64_t total = 0;
    for (const auto &columns : blocks) total += static_cast<std::int64_t>(columns.size());
    std::vector<bool> seen(total == n_columns ? static_cast<std::size_t>(total) : 0);
    bool whole = total == n_columns && total <= std::numeric_limits<std::int32_t>::max();
    for (const auto &columns : blocks)
        for (std::size_t i = 0; whole && i < columns.size(); ++i) {
            whole = columns[i] >= 0 && columns[i] < total && !seen[columns[i]];
            if (whole) seen[columns[i]] = true;
        }
    if (!whole) throw std::invalid_argument("the columns of the blocks are not those of the whole");
    for (std::size_t k = 0; k < blocks.size(); ++k) {
        if (!std::is_sorted(blocks[k].begin(), blocks[k].end()))
            throw std::invalid_argument("the columns of a block are not ascending");
        for (const std::int64_t column : blocks[k])
            blocks_[k].add(static_cast<std::int32_t>(column), 1);
    }
}

void JoinedColumns::widen(std::size_t k, std::size_t size) {
    BlockColumns &block = blocks_.at(k);
    if (size <= block.size()) return;
    const std::size_t more = size - block.size();
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (more > static_cast<std::size_t>(most - n_columns_))
        throw TooManyColumns("the blocks have more than " + std::to_string(most) + " columns");
    block.add(static_cast<std::int32_t>(n_columns_), more);
    n_columns_ += static_cast<std::int64_t>(more);
}

namespace {

// A column before the bits of its value: as numbers they are ordered by column.
using Cell = std::uint64_t;

Cell make_cell(std::int32_t column, float value) {
    return static_cast<Cell>(column) << 32 | std::bit_cast<std::uint32_t>(value);
}

// The cells of one row: a few ascending runs.
class Runs {
  public:
    void clear() {
        cells_.clear();
        ends_.clear();
    }
    void push(Cell cell) {
        if (!cells_.empty() && cell < cells_.back()) ends_.push_back(cells_.size());
        cells_.push_back(cell);
    }
    // Merges neighbours until one run is left.
    const std::vector<Cell> &merge() {
        ends_.push_back(cells_.size());
        while (ends_.size() > 1) merge_pairs();
        return cells_;
    }

  private:
    void merge_pairs() {
        merged_.resize(cells_.size());
        std::size_t begin = 0, kept = 0;
        for (std::size_t i = 0; i < ends_.size(); i += 2) {
            const std::size_t middle = ends_[i], end = ends_[std::min(i + 1, ends_.size() - 1)];
            const auto at = [&](std::size_t place) {
                return cells_.begin() + static_cast<std::ptrdiff_t>(place);
            };
            std::merge(at(begin), at(middle), at(middle), at(end),
                       merged_.begin() + static_cast<std::ptrdiff_t>(begin));
            ends_[kept++] = begin = end;
        }
        ends_.resize(kept);
        cells_.swap(merged_);
    }

    std::vector<Cell> cells_, merged_;
    std::vector<std::size_t> ends_;
};

std::size_t count_rows(const std::vector<BlockRows> &parts) {
    const std::size_t n_starts = parts.empty() ? 1 : parts[0].starts.size();
    for (const BlockRows &part : parts) {
        const auto &starts = part.starts;
        if (starts.size() != n_starts || starts.empty() || starts.front() < 0 ||
            !std::is_sorted(starts.begin(), starts.end()) ||
            static_cast<std::size_t>(starts.back()) > part.columns.size())
            throw std::invalid_argument("blocks of other numbers of rows");
    }
    return n_starts - 1;
}

}  // namespace

JoinedRows JoinedColumns::join(const std::vector<BlockRows> &parts) const {
    if (parts.size() != blocks_.size()) throw std::invalid_argument("there are other blocks");
    const std::size_t n_rows = count_rows(parts);
    std::size_t n_cells = 0;
    for (const BlockRows &part : parts)
        n_cells += static_cast<std::size_t>(part.starts.back() - part.starts.front());
    JoinedRows joined;
    joined.starts.reserve(n_rows + 1);
    joined.columns.reserve(n_cells);
    joined.values.reserve(n_cells);
    joined.starts.push_back(0);
    Runs row;
    for (std::size_t r = 0; r < n_rows; ++r) {
        row.clear();
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const BlockRows &part = parts[k];
            const auto end = static_cast<std::size_t>(part.starts[r + 1]);
            for (auto i = static_cast<std::size_t>(part.starts[r]); i < end; ++i) {
                const auto own = static_cast<std::uint32_t>(part.columns[i]);
                if (own >= blocks_[k].size()) throw std::out_of_range("a column of no block");
                row.push(make_cell(blocks_[k][own], part.values[i] * part.scale));
            }
        }
        for (const Cell cell : row.merge()) {
            joined.columns.push_back(static_cast<std::int32_t>(cell >> 32));
            joined.values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(cell)));
        }
        joined.starts.push_back(static_cast<std::int64_t>(joined.columns.size()));
    }
    return joined;
}

}  // namespace hardlimit::text
