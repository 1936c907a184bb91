// Packed weights as Python holds them: what answers, and what files keep of a state.
#include "bind/packed.hpp"

#include <nanobind/stl/pair.h>

#include <cmath>
#include <memory>

#include "bind/containers.hpp"
#include "bind/training_state.hpp"
#include "readouts/mixture.hpp"

namespace hardlimit {
namespace {

using In = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

[[noreturn]] void contradiction(const std::string &what) {
    throw nb::value_error(("packed weights: " + what).c_str());
}

template <class Number>
const Number *numbers_of(const In &array) {
    return static_cast<const Number *>(array.data());
}

// Arrays of a file or a copy, checked once.
struct PackedArrays {
    PackedArrays(In runs_in, In starts_in, In outputs_in, std::size_t n_cells,
                 std::int64_t n_outputs)
        : runs(std::move(runs_in)), outputs(std::move(outputs_in)), n_outputs(n_outputs) {
        if (n_outputs < 1 || n_outputs > std::int64_t{1} << 20) contradiction("outputs");
        if (runs.dtype() != nb::dtype<std::uint32_t>() || runs.size() == 0) contradiction("runs");
        narrow = outputs.dtype() == nb::dtype<std::uint8_t>();
        if (!narrow && outputs.dtype() != nb::dtype<std::uint32_t>()) contradiction("outputs");
        if (outputs.size() != n_cells) contradiction("as many outputs as cells are wanted");
        if (starts_in.dtype() == nb::dtype<std::uint32_t>())
            starts.assign(numbers_of<std::uint32_t>(starts_in),
                          numbers_of<std::uint32_t>(starts_in) + starts_in.size());
        else if (starts_in.dtype() == nb::dtype<std::uint64_t>())
            starts.assign(numbers_of<std::uint64_t>(starts_in),
                          numbers_of<std::uint64_t>(starts_in) + starts_in.size());
        else
            contradiction("starts");
        Unlocked release;
        check(n_cells);
    }

    std::uint32_t output(std::size_t at) const {
        return narrow ? numbers_of<std::uint8_t>(outputs)[at]
                      : numbers_of<std::uint32_t>(outputs)[at];
    }
    std::size_t n_columns() const { return runs.size() - 1; }

    In runs, outputs;
    std::vector<std::uint64_t> starts;
    bool narrow = false;
    std::int64_t n_outputs;

  private:
    void check(std::size_t n_cells) const {
        if (starts.empty() || starts[0] != 0 || starts.back() != n_cells)
            throw std::invalid_argument("packed weights: starts do not fit the cells");
        for (std::size_t run = 1; run < starts.size(); ++run) {
            if (starts[run] <= starts[run - 1] || starts[run] > n_cells)
                throw std::invalid_argument("packed weights: starts do not ascend");
            std::int64_t before = -1;
            for (std::size_t at = starts[run - 1]; at < starts[run]; ++at) {
                const std::int64_t k = output(at);
                if (k <= before || k >= n_outputs)
                    throw std::invalid_argument("packed weights: outputs of a run do not ascend");
                before = k;
            }
        }
        const std::uint32_t *first = numbers_of<std::uint32_t>(runs);
        for (std::size_t c = 0; c < runs.size(); ++c)
            if (first[c] >= starts.size())
                throw std::invalid_argument(
                    "packed weights: a column names a run that is not there");
    }
};

class PackedWeights {
  public:
    PackedWeights(In runs, In starts, In outputs, In values, std::int64_t n_outputs)
        : arrays_(std::move(runs), std::move(starts), std::move(outputs), values.size(), n_outputs),
          values_(std::move(values)),
          single_(values_.dtype() == nb::dtype<float>()) {
        if (!single_ && values_.dtype() != nb::dtype<double>()) contradiction("values");
        bias_.assign(static_cast<std::size_t>(n_outputs), 0.0);
        visit(arrays_.n_columns(), [&](std::size_t k, double weight) { bias_[k] = weight; });
    }

    std::int64_t n_outputs() const { return arrays_.n_outputs; }
    std::size_t n_columns() const { return arrays_.n_columns(); }
    bool single() const { return single_; }

    // see(output, weight) for the cells of a column; n_columns is the bias.
    template <class See>
    void visit(std::size_t column, See see) const {
        const std::uint32_t run = numbers_of<std::uint32_t>(arrays_.runs)[column];
        if (run == 0) return;
        for (std::size_t at = arrays_.starts[run - 1]; at < arrays_.starts[run]; ++at)
            see(static_cast<std::size_t>(arrays_.output(at)), value(at));
    }

    Matrix scores(const RowsHandle &handle) const {
        const RowSet &set = handle.set();
        if (static_cast<std::size_t>(set.n_columns) != n_columns())
            throw nb::value_error("the rows have another number of columns");
        Matrix result = make_matrix<double>(static_cast<std::size_t>(set.n_rows),
                                            static_cast<std::size_t>(n_outputs()));
        double *out = result.data();
        Unlocked release;
        single_ ? score_as<float>(handle, out) : score_as<double>(handle, out);
        return result;
    }

    // All weights as an array (n_columns + 1, n_outputs).
    nb::object dense() const {
        return single_ ? nb::cast(spread<float>()) : nb::cast(spread<double>());
    }

    // Those of some columns.
    Matrix rows_of(const std::vector<std::int64_t> &columns) const {
        const auto outputs = static_cast<std::size_t>(n_outputs());
        Matrix result = make_matrix<double>(columns.size(), outputs);
        double *out = result.data();
        std::fill(out, out + columns.size() * outputs, 0.0);
        for (const std::int64_t column : columns) {
            if (column < 0 || static_cast<std::size_t>(column) > n_columns())
                throw nb::index_error("there is no such column");
            visit(static_cast<std::size_t>(column), [&](std::size_t k, double w) { out[k] = w; });
            out += outputs;
        }
        return result;
    }

    // Of each output up to `top` of the columns with the largest weights above 0, largest first;
    // the earlier column among equals.
    std::vector<std::vector<std::pair<std::int64_t, double>>> largest(std::size_t top) const {
        using Found = std::pair<std::int64_t, double>;
        const auto better = [](const Found &a, const Found &b) {
            return a.second != b.second ? a.second > b.second : a.first < b.first;
        };
        std::vector<std::vector<Found>> heaps(static_cast<std::size_t>(n_outputs()));
        Unlocked release;
        for (std::size_t c = 0; top && c < n_columns(); ++c)
            visit(c, [&](std::size_t k, double weight) {
                auto &heap = heaps[k];
                const Found found{static_cast<std::int64_t>(c), weight};
                if (!(weight > 0) || (heap.size() == top && !better(found, heap.front()))) return;
                if (heap.size() == top) {
                    std::pop_heap(heap.begin(), heap.end(), better);
                    heap.back() = found;
                } else {
                    heap.push_back(found);
                }
                std::push_heap(heap.begin(), heap.end(), better);
            });
        for (auto &heap : heaps) std::sort_heap(heap.begin(), heap.end(), better);
        return heaps;
    }

    // Of each output the sum of |w| and of w^2, in the order of the columns.
    std::pair<std::vector<double>, std::vector<double>> sums() const {
        const auto outputs = static_cast<std::size_t>(n_outputs());
        std::vector<double> sizes(outputs), squares(outputs);
        Unlocked release;
        for (std::size_t c = 0; c <= n_columns(); ++c)
            visit(c, [&](std::size_t k, double weight) {
                sizes[k] += std::fabs(weight);
                squares[k] += weight * weight;
            });
        return {sizes, squares};
    }

    bool finite() const {
        Unlocked release;
        for (std::size_t at = 0; at < values_.size(); ++at)
            if (!std::isfinite(value(at))) return false;
        return true;
    }

  private:
    double value(std::size_t at) const {
        return single_ ? static_cast<double>(numbers_of<float>(values_)[at])
                       : numbers_of<double>(values_)[at];
    }

    template <class Value>
    void score_as(const RowsHandle &handle, double *out) const {
        const auto with = [&](const auto *outputs) {
            using Output = std::remove_cvref_t<decltype(*outputs)>;
            score_packed(handle.storage,
                         PackedRuns<Value, Output>{numbers_of<std::uint32_t>(arrays_.runs),
                                                   arrays_.starts.data(), outputs,
                                                   numbers_of<Value>(values_), n_outputs()},
                         bias_.data(), out);
        };
        if (arrays_.narrow)
            with(numbers_of<std::uint8_t>(arrays_.outputs));
        else
            with(numbers_of<std::uint32_t>(arrays_.outputs));
    }

    template <class Number>
    MatrixOf<Number> spread() const {
        const auto outputs = static_cast<std::size_t>(n_outputs());
        Zeroed<Number> cells((n_columns() + 1) * outputs);
        for (std::size_t c = 0; c <= n_columns(); ++c)
            visit(c, [&](std::size_t k, double weight) {
                cells[c * outputs + k] = static_cast<Number>(weight);
            });
        return own_zeroed(std::move(cells), n_columns() + 1, outputs);
    }

    PackedArrays arrays_;
    In values_;
    bool single_;
    std::vector<double> bias_;
};

// What a state is at one moment.
struct PackedState {
    Packing packing;
    std::int64_t n_outputs;
    bool averaged;
    Factors factors;
};

// The cells of columns, one after another.
class ColumnCells {
  public:
    explicit ColumnCells(const State &state) : state_(state) {}

    std::vector<LooseCell> &of(std::int64_t column) {
        cells_.clear();
        state_.visit_column(column, [&](std::int64_t k, double w, double u) {
            cells_.push_back({static_cast<std::uint64_t>(k), w, u});
        });
        return cells_;
    }

  private:
    const State &state_;
    std::vector<LooseCell> cells_;
};

// Where nothing moved since the columns were packed before, those that are equal are known.
void pack_known(const State &state, const Cells::Equals &equals, Packing &packing) {
    ColumnCells cells(state);
    for (const std::uint32_t column : equals.first) packing.add_run(cells.of(column));
    packing.runs.resize(equals.runs.size());
    std::copy_n(equals.runs.data(), equals.runs.size(), packing.runs.data());
    packing.add_last(cells.of(state.n_columns));
}

void pack_columns(const State &state, Packing &packing) {
    constexpr std::int64_t ahead = 16;
    ColumnCells cells(state);
    std::vector<std::uint32_t> first;
    for (std::int64_t c = 0; c < state.n_columns; ++c) {
        if (state.touched && c + ahead < state.n_columns)
            Cells::View(*state.touched, 1).prefetch_run(c + ahead);
        packing.add_column(cells.of(c));
        if (state.touched && packing.n_runs() > first.size())
            first.push_back(static_cast<std::uint32_t>(c));
    }
    if (state.touched) {
        Zeroed<std::uint32_t> runs(packing.runs.size());
        std::copy_n(packing.runs.data(), packing.runs.size(), runs.data());
        state.touched->keep_equals({std::move(runs), std::move(first)});
    }
    packing.add_column(cells.of(state.n_columns));
}

// All weights and sums of a state, column by column, the bias last.
PackedState pack_state(TrainingState &training, const Mixture &mixture) {
    std::optional<PackedState> found;
    training.with_lock([&] {
        const State &state = training.state();
        found.emplace(PackedState{Packing(static_cast<std::size_t>(state.n_columns + 1)),
                                  state.n_outputs, state.averaged, Factors(state, mixture)});
        const Cells::Equals *equals = state.touched ? state.touched->equals() : nullptr;
        if (equals)
            pack_known(state, *equals, found->packing);
        else
            pack_columns(state, found->packing);
    });
    return std::move(*found);
}

// (runs, starts, outputs, w, u or None): what a file or a copy keeps.
nb::tuple packed(TrainingState &training) {
    PackedState state = pack_state(training, {1, 0, 1});
    Packing &packing = state.packing;
    return nb::make_tuple(
        own_numbers(std::move(packing.runs)), own_starts(std::move(packing.ends)),
        own_outputs(std::move(packing.outputs), state.n_outputs), own_numbers(std::move(packing.w)),
        state.averaged ? nb::cast(own_numbers(std::move(packing.u))) : nb::none());
}

// Into a state of that size that holds nothing yet.
void set_packed(TrainingState &training, In runs, In starts, In outputs, In w,
                std::optional<In> u) {
    const PackedArrays arrays(std::move(runs), std::move(starts), std::move(outputs), w.size(),
                              training.state().n_outputs);
    if (w.dtype() != nb::dtype<double>() ||
        (u && (u->dtype() != nb::dtype<double>() || u->size() != w.size())))
        contradiction("w and u");
    training.with_lock([&] {
        State &state = training.state();
        if (static_cast<std::int64_t>(arrays.n_columns()) != state.n_columns ||
            u.has_value() != state.averaged)
            throw std::invalid_argument("packed weights: they do not fit the state");
        const std::uint32_t *run_of = numbers_of<std::uint32_t>(arrays.runs);
        for (std::int64_t c = 0; c <= state.n_columns; ++c) {
            const std::uint32_t run = run_of[c];
            if (run == 0) continue;
            for (std::size_t at = arrays.starts[run - 1]; at < arrays.starts[run]; ++at)
                state.set_weight(c, arrays.output(at), numbers_of<double>(w)[at],
                                 u ? numbers_of<double>(*u)[at] : 0);
        }
    });
}

// The mixture of a state as the arrays of packed weights.
nb::tuple packed_weights(TrainingState &training, double of_last, double of_sum, double divisor,
                         bool single_precision) {
    PackedState state = pack_state(training, {of_last, of_sum, divisor});
    const auto mixed = [&](std::size_t k, double w, double u) {
        return state.factors.of_cell(k, w, u);
    };
    return single_precision
               ? finish_packing<float>(std::move(state.packing), state.n_outputs, mixed)
               : finish_packing<double>(std::move(state.packing), state.n_outputs, mixed);
}

template <class Number>
nb::tuple pack_array(const Array &weights) {
    const std::size_t rows = weights.shape(0), outputs = weights.shape(1);
    const auto *numbers = static_cast<const Number *>(weights.data());
    Packing packing(rows);
    {
        Unlocked release;
        std::vector<LooseCell> cells;
        for (std::size_t c = 0; c < rows; ++c) {
            cells.clear();
            for (std::size_t k = 0; k < outputs; ++k, ++numbers)
                if (*numbers != 0) cells.push_back({k, *numbers, 0});
            packing.add_column(cells);
        }
    }
    return finish_packing<Number>(std::move(packing), static_cast<std::int64_t>(outputs),
                                  [](std::size_t, double w, double) { return w; });
}

// The arrays of packed weights for an array (n_columns + 1, n_outputs).
nb::tuple pack(Array weights) {
    if (weights.ndim() != 2 || weights.shape(1) == 0) contradiction("two dimensions are wanted");
    if (weights.dtype() == nb::dtype<float>()) return pack_array<float>(weights);
    if (weights.dtype() == nb::dtype<double>()) return pack_array<double>(weights);
    throw nb::type_error("the weights must be float32 or float64");
}

}  // namespace

void bind_packed(nb::module_ &module) {
    nb::class_<PackedWeights>(
        module, "PackedWeights",
        "Weights of many outputs: the cells that are not zero, and one run of\n"
        "them for all columns whose cells are equal.")
        .def(nb::init<In, In, In, In, std::int64_t>(), nb::arg("runs").noconvert(),
             nb::arg("starts").noconvert(), nb::arg("outputs").noconvert(),
             nb::arg("values").noconvert(), nb::arg("n_outputs"),
             "Everything is checked, for files may be hostile; ValueError says what is wrong.")
        .def("scores", &PackedWeights::scores, nb::arg("rows"))
        .def("dense", &PackedWeights::dense, "An array (n_columns + 1, n_outputs).")
        .def("rows_of", &PackedWeights::rows_of, nb::arg("columns"))
        .def("largest", &PackedWeights::largest, nb::arg("top"))
        .def("sums", &PackedWeights::sums, "Of each output the sums of abs(w) and of w**2.")
        .def_prop_ro("finite", &PackedWeights::finite)
        .def_prop_ro("n_columns", &PackedWeights::n_columns)
        .def_prop_ro("n_outputs", &PackedWeights::n_outputs);
    module.def("packed_state", &packed, nb::arg("state"));
    module.def("set_packed_state", &set_packed, nb::arg("state"), nb::arg("runs").noconvert(),
               nb::arg("starts").noconvert(), nb::arg("outputs").noconvert(),
               nb::arg("w").noconvert(), nb::arg("u").noconvert().none());
    module.def("packed_weights", &packed_weights, nb::arg("state"), nb::arg("of_last"),
               nb::arg("of_sum"), nb::arg("divisor"), nb::arg("single_precision"));
    module.def("pack_weights", &pack, nb::arg("weights").noconvert());
}

}  // namespace hardlimit
