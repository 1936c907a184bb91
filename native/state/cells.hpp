// The weights of many outputs in the memory of what corrections have touched.
//
// A coupled correction moves two outputs of each column of its row, and most columns are rare
// terms: of a hundred weights they hold a handful other than zero. The cells of a column are a run,
// in the order in which they were touched. What scores need lies together, the sums apart:
//   outputs[room]  w[room]    in the pool
//   u[room]                   in the sums
// Rooms are even, and a run begins at the same pair of cells in both. Where a run of all outputs
// takes no more memory, the column has one, in the order of the outputs and without their numbers.
// The bias lies by itself. What has no cell is 0, and adding 0 changes no sum: the results are
// those of a dense array, bit for bit.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "rows/rows.hpp"
#include "zeroed.hpp"

namespace hardlimit {

class Cells {
    // Cells of one column: the pair at which its run begins, and how many there are.
    struct Column {
        std::uint32_t place, count;
    };
    // Numbers of a pair of cells: in the pool two outputs and two weights, in the sums two.
    static constexpr std::size_t in_pool = 3, in_sums = 2;

  public:
    Cells(std::int64_t n_columns, std::int64_t n_outputs, bool averaged)
        : n_outputs_(static_cast<std::uint32_t>(n_outputs)),
          n_vectors_(averaged ? 2 : 1),
          columns_(static_cast<std::size_t>(n_columns)),
          bias_(static_cast<std::size_t>(n_outputs) * 2) {
        plan_rooms();
    }

    std::int64_t n_columns() const { return static_cast<std::int64_t>(columns_.size()); }
    std::int64_t n_outputs() const { return n_outputs_; }
    bool averaged() const { return n_vectors_ == 2; }
    std::size_t nbytes() const {
        return columns_.size() * sizeof(Column) + (pool_.size() + sums_.size()) * sizeof(double);
    }

    // Of the bias, by output.
    double *bias_w() { return bias_.data(); }
    double *bias_u() { return bias_.data() + n_outputs_; }
    const double *bias_w() const { return bias_.data(); }
    const double *bias_u() const { return bias_.data() + n_outputs_; }

    void grow_columns(std::int64_t n_columns) {
        equals_.reset();
        columns_.resize(static_cast<std::size_t>(n_columns));
    }

    // w += dw and u += du of one cell.
    void add(std::int64_t column, std::uint32_t output, double dw, double du) {
        if (equals_) equals_.reset();
        const Cell cell = touch(column, output);
        *cell.w += dw;
        if (n_vectors_ == 2) *cell.u += du;
    }

    // w = of_w and u = of_u of one cell.
    void assign(std::int64_t column, std::uint32_t output, double of_w, double of_u) {
        if (equals_) equals_.reset();
        const Cell cell = touch(column, output);
        *cell.w = of_w;
        if (n_vectors_ == 2) *cell.u = of_u;
    }

    // see(output, w, u) for each cell of a column, in no order.
    template <class See>
    void visit(std::int64_t column, See see) const {
        const Column &at = columns_[static_cast<std::size_t>(column)];
        if (at.count == 0) return;
        const Run run = run_of(at);
        const bool full = at.count == n_outputs_;
        for (std::uint32_t j = 0; j < at.count; ++j)
            see(full ? j : run.outputs[j], run.w[j], n_vectors_ == 2 ? run.u[j] : 0.0);
    }

    // Which columns have equal cells, as long as none moves: who packed them leaves it here for who
    // packs them again.
    struct Equals {
        Zeroed<std::uint32_t> runs;        // by column, 0 for those without cells
        std::vector<std::uint32_t> first;  // of each run from 1 on, the first column
    };
    const Equals *equals() const { return equals_.get(); }
    void keep_equals(Equals equals) { equals_ = std::make_unique<Equals>(std::move(equals)); }

    // Whether all w are numbers.
    bool finite() const {
        bool good = true;
        for (std::int64_t c = 0; c < n_columns(); ++c)
            visit(c, [&](std::uint32_t, double w, double) { good &= std::isfinite(w); });
        for (std::uint32_t k = 0; k < n_outputs_; ++k) good &= std::isfinite(bias_w()[k]);
        return good;
    }

    // w, or u, as the scores of rows need them.
    class View {
      public:
        HARDLIMIT_INLINE View(const Cells &cells, int vector)
            : columns_(cells.columns_.data()),
              pool_(cells.pool_.data()),
              sums_(vector ? cells.sums_.data() : nullptr),
              rooms_(cells.rooms_.data()),
              n_outputs_(cells.n_outputs_) {}

        // sums[output] += cell * value, for each cell of a column.
        HARDLIMIT_INLINE void add_products(std::int64_t column, double value, double *sums) const {
            const Column at = columns_[column];
            if (at.count == 0) return;
            const double *run = pool_ + at.place * in_pool;
            if (at.count == n_outputs_)
                return add_full(value, sums_ ? sums_ + at.place * in_sums : run, n_outputs_, sums);
            const double *cells = sums_ ? sums_ + at.place * in_sums : run + rooms_[at.count] / 2;
            const auto *outputs = reinterpret_cast<const std::uint32_t *>(run);
            for (std::uint32_t j = 0; j < at.count; ++j) sums[outputs[j]] += cells[j] * value;
        }

        // Two steps of fetching a column that will be asked for: where its run is, then the run.
        HARDLIMIT_INLINE void prefetch_column(std::int64_t column) const {
            prefetch(columns_ + column);
        }
        HARDLIMIT_INLINE void prefetch_run(std::int64_t column) const {
            const Column at = columns_[column];
            if (at.count == 0) return;
            const bool full = at.count == n_outputs_;
            const std::size_t used = full ? at.count : rooms_[at.count] / 2 + at.count;
            if (sums_) prefetch_numbers(sums_ + at.place * in_sums, at.count);
            if (!sums_ || !full) prefetch_numbers(pool_ + at.place * in_pool, used);
        }

      private:
        HARDLIMIT_INLINE static void prefetch_numbers(const double *first, std::size_t count) {
            constexpr std::size_t line = 64 / sizeof(double);
            for (std::size_t j = 0; j < count; j += line) prefetch(first + j);
            prefetch(first + count - 1);
        }

        const Column *columns_;
        const double *pool_, *sums_;
        const std::uint32_t *rooms_;
        std::uint32_t n_outputs_;
    };

  private:
    struct Run {
        double *w, *u;
        std::uint32_t *outputs;
    };
    struct Cell {
        double *w, *u;
    };
    static constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

    // Rooms of 2, 4, 6, 8, 12, 16, 24, ... cells, as long as a run of all outputs is larger.
    void plan_rooms() {
        classes_.clear();
        for (std::uint32_t room = 2; units(room) < n_outputs_ * n_vectors_;)
            classes_.push_back(room), room += room < 8                   ? 2
                                              : (room & (room - 1)) == 0 ? room / 2
                                                                         : room / 3;
        class_of_.assign(classes_.empty() ? 1 : classes_.back() + 1, 0);
        rooms_.assign(class_of_.size(), 0);
        for (std::uint32_t count = 1, kind = 0; count < class_of_.size(); ++count) {
            if (count > classes_[kind]) ++kind;
            class_of_[count] = kind;
            rooms_[count] = classes_[kind];
        }
        free_.assign(classes_.size(), nothing);
    }
    // In doubles.
    std::size_t units(std::uint32_t room) const {
        return std::size_t{room} * n_vectors_ + (room + 1) / 2;
    }

    std::uint32_t room_of(const Column &at) const {
        return at.count == n_outputs_ ? n_outputs_ : rooms_[at.count];
    }
    Run run_of(const Column &at) const {
        return run_at(at.place, at.count == n_outputs_, room_of(at));
    }
    Run run_at(std::uint32_t place, bool full, std::uint32_t room) const {
        auto *first = const_cast<double *>(pool_.data()) + place * in_pool;
        double *w = full ? first : first + room / 2;
        return {w, n_vectors_ == 2 ? const_cast<double *>(sums_.data()) + place * in_sums : w,
                reinterpret_cast<std::uint32_t *>(first)};
    }

    Cell touch(std::int64_t column, std::uint32_t output) {
        Column &at = columns_[static_cast<std::size_t>(column)];
        if (at.count != n_outputs_) {
            const Run run = run_of(at);
            for (std::uint32_t j = 0; j < at.count; ++j)
                if (run.outputs[j] == output) return {run.w + j, run.u + j};
            if (at.count == room_of(at)) widen(at);
        }
        if (at.count == n_outputs_) {
            const Run run = run_of(at);
            return {run.w + output, run.u + output};
        }
        const std::uint32_t j = at.count++;
        const Run run = run_of(at);  // of now: its room follows from the count
        run.outputs[j] = output;
        if (n_vectors_ == 2) run.u[j] = 0;
        run.w[j] = 0;
        return {run.w + j, run.u + j};
    }

    // Moves a column whose run is used up to one with room for one more.
    void widen(Column &at) {
        const bool full = at.count + 1 >= class_of_.size();
        const std::uint32_t kind = full ? 0 : class_of_[at.count + 1];
        const std::uint32_t room = full ? n_outputs_ : classes_[kind];
        const Column wide{full ? take((n_outputs_ + 1) / 2) : take_class(kind, room / 2),
                          full ? n_outputs_ : at.count};
        const Run from = run_of(at), to = run_at(wide.place, full, room);
        if (full) std::fill_n(to.w, n_outputs_, 0.0);
        if (full && n_vectors_ == 2) std::fill_n(to.u, n_outputs_, 0.0);
        for (std::uint32_t j = 0; j < at.count; ++j) {
            const std::uint32_t k = full ? from.outputs[j] : j;
            if (n_vectors_ == 2) to.u[k] = from.u[j];
            to.w[k] = from.w[j];
            if (!full) to.outputs[j] = from.outputs[j];
        }
        if (at.count) give_back(class_of_[at.count], at.place);
        at = wide;
    }

    std::uint32_t take(std::uint32_t pairs) {
        const std::size_t place = pool_.size() / in_pool, end = place + pairs;
        if (end >= nothing) throw std::bad_alloc();
        // Both or none.
        pool_.make_room(end * in_pool);
        if (n_vectors_ == 2) sums_.resize(end * in_sums);
        pool_.resize(end * in_pool);
        return static_cast<std::uint32_t>(place);
    }
    // Runs that were given back are a list, each with the place of the next in its first number.
    std::uint32_t take_class(std::uint32_t kind, std::uint32_t pairs) {
        const std::uint32_t place = free_[kind];
        if (place == nothing) return take(pairs);
        free_[kind] = static_cast<std::uint32_t>(pool_[place * in_pool]);
        return place;
    }
    void give_back(std::uint32_t kind, std::uint32_t place) {
        pool_[place * in_pool] = free_[kind];
        free_[kind] = place;
    }

    std::uint32_t n_outputs_, n_vectors_;
    Zeroed<Column> columns_;
    Zeroed<double> pool_, sums_, bias_;
    std::unique_ptr<Equals> equals_;
    std::vector<std::uint32_t> classes_, free_;    // rooms; lists of free runs of each
    std::vector<std::uint32_t> class_of_, rooms_;  // by count: the number of its room, the room
};

// <w_k, x> of row i for each output k, or <u_k, x>: in the order of summation of everything else.
template <class Rows>
void dots(const Rows &rows, std::int64_t i, const Cells &cells, int vector, double *sums,
          double *out) {
    const std::int64_t outputs = cells.n_outputs();
    const Cells::View view(cells, vector);
    rows.visit_ahead(i, view, [&](std::int64_t column, double value) {
        view.add_products(column, value, sums + (column & 7) * outputs);
    });
    const double *bias = vector ? cells.bias_u() : cells.bias_w();
    for (std::int64_t k = 0; k < outputs; ++k)
        out[k] = tree(sums + k, outputs) + bias[k] * rows.bias;
}

// What a correction adds to one output: w += of_w * x and u += of_u * x.
struct CellMove {
    std::uint32_t output;
    double of_w, of_u;
};

// The moves of a correction by row i, in one look at its columns.
template <class Rows, class Moves>
void add_scaled(const Rows &rows, std::int64_t i, const Moves &moves, Cells &cells) {
    // Runs may move meanwhile: what is fetched is a guess.
    rows.visit_ahead(i, Cells::View(cells, 1), [&](std::int64_t column, double value) {
        if (value == 0) return;
        for (const CellMove &move : moves)
            cells.add(column, move.output, move.of_w * value, move.of_u * value);
    });
    for (const CellMove &move : moves) {
        cells.bias_w()[move.output] += move.of_w * rows.bias;
        if (cells.averaged()) cells.bias_u()[move.output] += move.of_u * rows.bias;
    }
}

}  // namespace hardlimit
