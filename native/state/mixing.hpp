// Iterative parameter mixing: what a shard's epoch moved, and the weights that all shards make of
// it (McDonald, Hall and Mann, NAACL 2010). See engine/mixing.py for the formulas.
//
// A cell is column * n_outputs + output, the bias's column last. Deltas hold what the cells of a
// shard are at the end of its epoch and not the differences: a sum over one shard is its numbers,
// bit for bit.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rows/examples.hpp"
#include "state/state.hpp"

namespace hardlimit {

// The cells that moved, ascending, and what they hold now; u is empty where nobody sums.
struct Delta {
    std::vector<std::int64_t> cells;
    std::vector<double> w, u;

    // Memory is taken where it is written: to copy arrays that grow costs more than room for all.
    void make_room(std::size_t n_cells, bool with_sums) {
        const std::size_t n = std::min(n_cells, std::size_t{1} << 22);
        cells.reserve(n);
        w.reserve(n);
        if (with_sums) u.reserve(n);
    }
};

// The same in arrays of others.
struct DeltaView {
    const std::int64_t *cells;
    const double *w, *u;
    std::size_t size;
};

struct CellNumbers {
    double w = 0, u = 0;
};

// All outputs of a column, what has no cell as 0.
inline void read_column(const State &state, std::int64_t column, std::vector<CellNumbers> &found) {
    std::fill(found.begin(), found.end(), CellNumbers{});
    state.visit_column(column, [&](std::int64_t k, double w, double u) {
        found[static_cast<std::size_t>(k)] = {w, u};
    });
}

// By their bits: 0 and -0 differ.
inline bool differ(const CellNumbers &a, const CellNumbers &b) {
    return std::memcmp(&a, &b, sizeof a) != 0;
}

// What differs between the two states in these columns and in the bias.
class MovedCells {
  public:
    MovedCells(const State &moved, const State &base)
        : moved_(moved), base_(base), in_arrays_(!moved.touched && !base.touched) {
        if (in_arrays_) return;
        before_.resize(static_cast<std::size_t>(base.n_outputs));
        now_.resize(before_.size());
    }

    Delta find(const std::int64_t *columns, std::size_t n_columns) {
        delta_.make_room((n_columns + 1) * static_cast<std::size_t>(base_.n_outputs),
                         base_.averaged);
        for (std::size_t j = 0; j < n_columns; ++j) look(columns[j]);
        look(base_.n_columns);
        return std::move(delta_);
    }

  private:
    void look(std::int64_t column) {
        const std::int64_t outputs = base_.n_outputs, first = column * outputs;
        if (in_arrays_) {
            for (std::int64_t cell = first; cell < first + outputs; ++cell) {
                const auto j = static_cast<std::size_t>(cell);
                compare(cell, {moved_.w[j], sum_of(moved_, j)}, {base_.w[j], sum_of(base_, j)});
            }
            return;
        }
        read_column(base_, column, before_);
        read_column(moved_, column, now_);
        for (std::int64_t k = 0; k < outputs; ++k) {
            const auto j = static_cast<std::size_t>(k);
            compare(first + k, now_[j], before_[j]);
        }
    }
    double sum_of(const State &state, std::size_t j) const {
        return base_.averaged ? state.u[j] : 0.0;
    }
    void compare(std::int64_t cell, const CellNumbers &now, const CellNumbers &before) {
        if (!differ(now, before)) return;
        delta_.cells.push_back(cell);
        delta_.w.push_back(now.w);
        if (base_.averaged) delta_.u.push_back(now.u);
    }

    const State &moved_, &base_;
    bool in_arrays_;
    std::vector<CellNumbers> before_, now_;
    Delta delta_;
};

// The columns in which the rows of an epoch hold something, ascending, without the bias.
template <class Rows>
std::vector<std::int64_t> find_columns(const Rows &rows, const Examples &examples) {
    std::vector<bool> seen(static_cast<std::size_t>(rows.n_columns), false);
    for (std::int64_t p = 0; p < examples.length; ++p)
        rows.visit_stored(examples.order ? examples.order[p] : p, [&](std::int64_t column, double) {
            seen[static_cast<std::size_t>(column)] = true;
        });
    std::vector<std::int64_t> columns;
    for (std::size_t c = 0; c < seen.size(); ++c)
        if (seen[c]) columns.push_back(static_cast<std::int64_t>(c));
    return columns;
}

// The columns in which any of these rows holds something, ascending; nothing where the rows hold
// more than so many values.
template <class Rows>
std::optional<std::vector<std::int64_t>> find_columns_of(const Rows &rows,
                                                         std::vector<std::int64_t> &numbers,
                                                         std::int64_t most) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (const std::int64_t i : numbers)
        if ((most -= rows.work(i)) < 0) return std::nullopt;
    constexpr std::size_t bits = 64;
    std::vector<std::uint64_t> seen(static_cast<std::size_t>(rows.n_columns) / bits + 1, 0);
    for (const std::int64_t i : numbers)
        rows.visit_stored(i, [&](std::int64_t column, double) {
            const auto c = static_cast<std::size_t>(column);
            seen[c / bits] |= std::uint64_t{1} << (c % bits);
        });
    std::vector<std::int64_t> columns;
    for (std::size_t word = 0; word < seen.size(); ++word)
        for (std::uint64_t rest = seen[word]; rest; rest &= rest - 1)
            columns.push_back(static_cast<std::int64_t>(word * bits) + std::countr_zero(rest));
    return columns;
}

inline CellNumbers read_cell(const State &state, std::int64_t cell) {
    if (!state.touched) {
        const auto j = static_cast<std::size_t>(cell);
        return {state.w[j], state.averaged ? state.u[j] : 0.0};
    }
    const std::int64_t column = cell / state.n_outputs, output = cell % state.n_outputs;
    CellNumbers found;
    state.visit_column(column, [&](std::int64_t k, double w, double u) {
        if (k == output) found = {w, u};
    });
    return found;
}

inline void check_cells(const State &state, const std::int64_t *cells, std::size_t size) {
    const std::int64_t end = (state.n_columns + 1) * state.n_outputs;
    for (std::size_t i = 0; i < size; ++i)
        if (cells[i] < 0 || cells[i] >= end || (i && cells[i] <= cells[i - 1]))
            throw std::invalid_argument("cells that do not ascend, or that there are not");
}

// What is summed over the shards that moved a cell, over the fixed binary tree of shard numbers:
// ((0 + 1) + (2 + 3)) + ..., whichever of them are there.
struct MixedSums {
    std::size_t place;  // in the level of the tree
    double share, w, clock, clock_w, u;
};

inline void sum_over_tree(std::vector<MixedSums> &nodes) {
    while (nodes.size() > 1) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < nodes.size();) {
            MixedSums node = nodes[i++];
            if (i < nodes.size() && nodes[i].place / 2 == node.place / 2) {
                const MixedSums &right = nodes[i++];
                node.share += right.share;
                node.w += right.w;
                node.clock += right.clock;
                node.clock_w += right.clock_w;
                node.u += right.u;
            }
            node.place /= 2;
            nodes[kept++] = node;
        }
        nodes.resize(kept);
    }
}

class Mixing {
  public:
    // shares : of each shard, a number for each counter.    clocks : of each shard at its end.
    // clock : of all shards together.
    Mixing(const State &base, const std::vector<DeltaView> &deltas, const double *shares,
           const double *clocks, double clock)
        : base_(base), deltas_(deltas), shares_(shares), clocks_(clocks), clock_(clock) {}

    Delta mix() {
        Delta mixed;
        std::size_t most = 0;
        for (const DeltaView &delta : deltas_) most += delta.size;
        mixed.make_room(most, base_.averaged);
        std::vector<std::size_t> at(deltas_.size(), 0);
        for (std::int64_t block = next_block(at); block != none; block = next_block(at)) {
            gather(block, at);
            std::size_t begin = 0;
            for (std::int64_t i = 0; i < width; ++i) {
                const std::size_t end = ends_[static_cast<std::size_t>(i)];
                if (begin == end) continue;
                const std::int64_t cell = block * width + i;
                const CellNumbers number = mix_cell(cell, begin, end);
                mixed.cells.push_back(cell);
                mixed.w.push_back(number.w);
                if (base_.averaged) mixed.u.push_back(number.u);
                begin = end;
            }
        }
        return mixed;
    }

  private:
    static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    static constexpr std::int64_t width = 1 << 14;  // cells that are looked at together

    struct Said {
        std::size_t shard, at;
    };

    // The block of the first cell that nobody has looked at.
    std::int64_t next_block(const std::vector<std::size_t> &at) const {
        std::int64_t block = none;
        for (std::size_t i = 0; i < at.size(); ++i)
            if (at[i] < deltas_[i].size) block = std::min(block, deltas_[i].cells[at[i]] / width);
        return block;
    }

    // What the shards say of each cell of the block, by cell, of each cell by shard.
    void gather(std::int64_t block, std::vector<std::size_t> &at) {
        const std::int64_t first = block * width, end = first + width;
        const auto place = [first](std::int64_t cell) {
            return static_cast<std::size_t>(cell - first);
        };
        ends_.assign(static_cast<std::size_t>(width) + 1, 0);
        std::vector<std::size_t> stops(at);
        std::size_t count = 0;
        for (std::size_t i = 0; i < at.size(); ++i) {
            const DeltaView &delta = deltas_[i];
            for (; stops[i] < delta.size && delta.cells[stops[i]] < end; ++stops[i], ++count)
                ++ends_[place(delta.cells[stops[i]]) + 1];
        }
        for (std::size_t j = 1; j < ends_.size(); ++j) ends_[j] += ends_[j - 1];
        said_.resize(count);
        for (std::size_t i = 0; i < at.size(); ++i)
            for (; at[i] < stops[i]; ++at[i])
                said_[ends_[place(deltas_[i].cells[at[i]])]++] = {i, at[i]};
    }

    CellNumbers mix_cell(std::int64_t cell, std::size_t begin, std::size_t end) {
        nodes_.clear();
        for (std::size_t j = begin; j < end; ++j) add_shard(said_[j], cell);
        if (end - begin > 1) sum_over_tree(nodes_);  // most cells are those of one shard
        const MixedSums &sums = nodes_[0];
        const CellNumbers before = read_cell(base_, cell);
        const double more = static_cast<double>(end - begin) - 1;
        const double left = 1 - sums.share, late = sums.clock - clock_;
        CellNumbers number;
        // Nothing is added where nothing is left: the numbers of a single shard stay as they are.
        number.w = left == 0 ? sums.w : sums.w + left * before.w;
        number.u = sums.u;
        if (more != 0) number.u -= more * before.u;
        if (const double moved = clock_ * number.w - sums.clock_w; moved != 0) number.u += moved;
        if (late != 0) number.u += late * before.w;
        return number;
    }

    void add_shard(const Said &said, std::int64_t cell) {
        const std::size_t counters = base_.counters.size(), i = said.shard;
        const std::size_t k = counters == 1 ? 0 : static_cast<std::size_t>(cell % base_.n_outputs);
        const double share = shares_[i * counters + k], clock = clocks_[i];
        const double w = deltas_[i].w[said.at], u = deltas_[i].u ? deltas_[i].u[said.at] : 0.0;
        nodes_.push_back({i, share, share * w, clock, clock * w, u});
    }

    const State &base_;
    const std::vector<DeltaView> &deltas_;
    const double *shares_, *clocks_;
    double clock_;
    std::vector<std::size_t> ends_;
    std::vector<Said> said_;
    std::vector<MixedSums> nodes_;
};

// Cells hold these numbers from now on.
inline void assign_cells(State &state, const DeltaView &delta) {
    if (!state.touched) {
        for (std::size_t i = 0; i < delta.size; ++i) {
            const auto j = static_cast<std::size_t>(delta.cells[i]);
            state.w[j] = delta.w[i];
            if (delta.u) state.u[j] = delta.u[i];
        }
        return;
    }
    for (std::size_t i = 0; i < delta.size; ++i)
        state.assign_weight(delta.cells[i] / state.n_outputs, delta.cells[i] % state.n_outputs,
                            delta.w[i], delta.u ? delta.u[i] : 0.0);
}

// Cells hold what they hold in the other state.
inline void copy_cells(State &state, const State &source, const std::int64_t *cells,
                       std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        const CellNumbers number = read_cell(source, cells[i]);
        const auto j = static_cast<std::size_t>(cells[i]);
        if (state.touched) {
            state.assign_weight(cells[i] / state.n_outputs, cells[i] % state.n_outputs, number.w,
                                number.u);
            continue;
        }
        state.w[j] = number.w;
        if (state.averaged) state.u[j] = number.u;
    }
}

// What some columns and the bias hold, kept while an epoch moves them: less than another state.
class KeptColumns {
  public:
    KeptColumns(const State &state, std::vector<std::int64_t> columns)
        : n_columns_(state.n_columns),
          n_outputs_(state.n_outputs),
          averaged_(state.averaged),
          columns_(std::move(columns)),
          now_(static_cast<std::size_t>(state.n_outputs)),
          before_(now_.size()) {
        columns_.push_back(n_columns_);
        const std::size_t room = state.touched ? 0 : columns_.size() * now_.size();
        w_.reserve(room);
        if (averaged_) u_.reserve(room);
        if (state.touched) starts_.reserve(columns_.size());
        for (const std::int64_t column : columns_) keep(state, column);
    }

    // Lets the columns hold that again; which cells had moved. Of `some` of the columns, ascending,
    // where no other can have moved.
    Delta take_back(State &state, const std::optional<DeltaView> &some) {
        if (state.n_columns != n_columns_ || state.n_outputs != n_outputs_ ||
            state.averaged != averaged_ || (state.touched != nullptr) == starts_.empty())
            throw std::invalid_argument("these states differ in shape");
        Delta moved;
        const std::size_t most = some ? some->size + 1 : columns_.size();
        moved.make_room(most * now_.size(), averaged_);
        std::size_t next = 0;
        for (std::size_t j = 0; j < columns_.size(); ++j) {
            const std::int64_t column = columns_[j];
            if (some && column < n_columns_) {
                while (next < some->size && some->cells[next] < column) ++next;
                if (next == some->size || some->cells[next] != column) continue;
            }
            look(state, j, moved);
        }
        return moved;
    }

  private:
    void keep(const State &state, std::int64_t column) {
        if (state.touched) starts_.push_back(w_.size());
        state.visit_column(column, [&](std::int64_t k, double w, double u) {
            if (state.touched) outputs_.push_back(static_cast<std::uint32_t>(k));
            w_.push_back(w);
            if (averaged_) u_.push_back(u);
        });
    }

    void look(State &state, std::size_t j, Delta &moved) {
        const std::int64_t column = columns_[j];
        read_column(state, column, now_);
        read_kept(j);
        for (std::size_t k = 0; k < now_.size(); ++k) {
            if (!differ(now_[k], before_[k])) continue;
            const auto output = static_cast<std::int64_t>(k);
            moved.cells.push_back(column * n_outputs_ + output);
            moved.w.push_back(now_[k].w);
            if (averaged_) moved.u.push_back(now_[k].u);
            state.assign_weight(column, output, before_[k].w, before_[k].u);
        }
    }
    void read_kept(std::size_t j) {
        const auto number = [&](std::size_t i) {
            return CellNumbers{w_[i], averaged_ ? u_[i] : 0.0};
        };
        if (starts_.empty()) {
            for (std::size_t k = 0; k < before_.size(); ++k)
                before_[k] = number(j * before_.size() + k);
            return;
        }
        std::fill(before_.begin(), before_.end(), CellNumbers{});
        const std::size_t end = j + 1 < starts_.size() ? starts_[j + 1] : w_.size();
        for (std::size_t i = starts_[j]; i < end; ++i) before_[outputs_[i]] = number(i);
    }

    std::int64_t n_columns_, n_outputs_;
    bool averaged_;
    std::vector<std::int64_t> columns_;
    // Of states in cells, where each column begins, and the outputs of its cells.
    std::vector<std::size_t> starts_;
    std::vector<std::uint32_t> outputs_;
    std::vector<double> w_, u_;
    std::vector<CellNumbers> now_, before_;
};

}  // namespace hardlimit
