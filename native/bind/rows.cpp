// The border: arrays are checked once, here, and trusted from then on.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>

#include "bind/containers.hpp"
#include "bind/rows_handle.hpp"
#include "bind/unlocked.hpp"
#include "bind/vectors.hpp"
#include "numeric/generator.hpp"
#include "rows/bad_value.hpp"
#include "rows/scoring.hpp"
#include "state/any_rows.hpp"

namespace hardlimit {
namespace {

constexpr char changed[] = "the rows changed while they were looked at";

template <class Value>
[[noreturn]] void refuse_infinite(const Value *values, std::int64_t n_rows,
                                  std::int64_t n_columns) {
    for (std::int64_t i = 0; i < n_rows; ++i)
        for (std::int64_t c = 0; c < n_columns; ++c) {
            const Value value = values[i * n_columns + c];
            if (!std::isfinite(value)) throw BadValue(BadValue::Kind::not_finite, i, c, value);
        }
    throw nb::value_error(changed);
}

template <class Value>
bool are_finite(const Value *values, std::int64_t n_rows, std::int64_t n_columns) {
    for (std::int64_t i = 0; i < n_rows; ++i) {
        const Value *x = values + i * n_columns;
        // Infinite where one value is, and where the squares overflow, which is no fault.
        if (std::isfinite(dense_sqnorm(x, n_columns))) continue;
        if (!std::all_of(x, x + n_columns, [](Value value) { return std::isfinite(value); }))
            return false;
    }
    return true;
}

template <class Value>
[[noreturn]] void refuse_strange(const std::vector<std::int64_t> &starts, const Array &indices,
                                 const Value *values, std::int64_t n_columns) {
    const bool narrow = indices.dtype() == nb::dtype<Index>();
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
        for (std::int64_t p = starts[i]; p < starts[i + 1]; ++p) {
            const std::int64_t c = narrow ? static_cast<const Index *>(indices.data())[p]
                                          : static_cast<const std::int64_t *>(indices.data())[p];
            const auto row = static_cast<std::int64_t>(i);
            const double value = values[p];
            if (c < 0 || c >= n_columns) throw BadValue(BadValue::Kind::no_column, row, c, value);
            if (!std::isfinite(value)) throw BadValue(BadValue::Kind::not_finite, row, c, value);
        }
    throw nb::value_error(changed);
}

std::vector<std::int64_t> row_starts(const Array &indptr, std::size_t count) {
    std::vector<std::int64_t> starts(indptr.size());
    if (indptr.dtype() == nb::dtype<std::int32_t>())
        for (std::size_t i = 0; i < starts.size(); ++i)
            starts[i] = static_cast<const std::int32_t *>(indptr.data())[i];
    else if (indptr.dtype() == nb::dtype<std::int64_t>())
        for (std::size_t i = 0; i < starts.size(); ++i)
            starts[i] = static_cast<const std::int64_t *>(indptr.data())[i];
    else
        throw nb::type_error("indptr must be int32 or int64");
    if (starts.empty() || starts[0] != 0) throw nb::value_error("indptr must begin with 0");
    for (std::size_t i = 1; i < starts.size(); ++i)
        if (starts[i] < starts[i - 1]) throw nb::value_error("indptr must not decrease");
    if (static_cast<std::size_t>(starts.back()) > count)
        throw nb::value_error("indptr ends beyond the values");
    return starts;
}

using Handle = std::unique_ptr<RowsHandle>;

// Which rows a fit wants measured, and whether it will ask for norms.
using Wanted = std::optional<std::tuple<std::optional<VectorIn<std::int64_t>>, bool>>;

Measuring measuring_of(const Wanted &wanted, std::int64_t n_rows) {
    const auto &[present, with_norms] = *wanted;
    if (!present) return {std::nullopt, with_norms};
    const std::span rows(present->data(), present->size());
    for (std::size_t p = 0; p < rows.size(); ++p)
        if (rows[p] < (p ? rows[p - 1] + 1 : 0) || rows[p] >= n_rows)
            throw nb::value_error("present rows must ascend");
    return {rows, with_norms};
}

template <class Value>
Handle dense(const Array &values, double bias, const Wanted &wanted) {
    const auto *data = static_cast<const Value *>(values.data());
    const auto n_rows = static_cast<std::int64_t>(values.shape(0));
    const auto n_columns = static_cast<std::int64_t>(values.shape(1));
    DenseRows<Value> rows(data, n_rows, n_columns, bias);
    std::optional<Measured> measured;
    if (wanted) {
        const Measuring measuring = measuring_of(wanted, n_rows);
        Unlocked release;
        rows.keep_norms();
        measured = measure_rows(rows, measuring);
        if (!measured) refuse_infinite(data, n_rows, n_columns);
    } else {
        Unlocked release;
        if (!are_finite(data, n_rows, n_columns)) refuse_infinite(data, n_rows, n_columns);
    }
    return Handle(new RowsHandle{std::move(rows), {values}, {}, {}, measured});
}

Handle make_dense(Array values, double bias, Wanted measuring) {
    if (values.ndim() != 2) throw nb::value_error("dense rows must have two dimensions");
    if (values.dtype() == nb::dtype<float>()) return dense<float>(values, bias, measuring);
    if (values.dtype() == nb::dtype<double>()) return dense<double>(values, bias, measuring);
    throw nb::type_error("dense rows must be float32 or float64");
}

// Column numbers as the loops want them: those of int64 are copied.
struct Columns {
    explicit Columns(const Array &indices) {
        if (indices.dtype() == nb::dtype<Index>()) {
            first = static_cast<const Index *>(indices.data());
            return;
        }
        if (indices.dtype() != nb::dtype<std::int64_t>())
            throw nb::type_error("indices must be int32 or int64");
        const auto *wide = static_cast<const std::int64_t *>(indices.data());
        own.reset(new Index[indices.size()]);
        narrow_columns(wide, static_cast<std::int64_t>(indices.size()), own.get());
        first = own.get();
    }

    const Index *first;
    std::shared_ptr<Index[]> own;
};

// Calls work(starts, columns, values) with the type of the values.
template <class Work>
auto with_sparse(const Array &indptr, const Array &indices, const Array &values,
                 std::int64_t n_columns, Work work) {
    if (indices.size() != values.size())
        throw nb::value_error("there must be as many indices as values");
    if (n_columns > most_columns) throw BadValue(BadValue::Kind::too_wide, 0, n_columns, 0);
    auto starts = row_starts(indptr, values.size());
    if (values.dtype() == nb::dtype<float>())
        return work(std::move(starts), Columns(indices), static_cast<const float *>(values.data()));
    if (values.dtype() == nb::dtype<double>())
        return work(std::move(starts), Columns(indices),
                    static_cast<const double *>(values.data()));
    throw nb::type_error("values must be float32 or float64");
}

// None where rows are not sorted or hold a column twice.
Handle make_sparse(Array indptr, Array indices, Array values, std::int64_t n_columns, double bias,
                   Wanted measuring) {
    const auto make = [&]<class Value>(std::vector<std::int64_t> starts, const Columns &columns,
                                       const Value *data) -> Handle {
        const auto n_rows = static_cast<std::int64_t>(starts.size()) - 1;
        SparseRows<Value> rows(starts.data(), columns.first, data, n_rows, n_columns, bias);
        std::optional<Measured> measured;
        if (measuring) {
            const Measuring wanted = measuring_of(measuring, n_rows);
            Unlocked release;
            rows.keep_norms();
            measured = measure_rows(rows, wanted);
        }
        if (!measured) {
            std::optional<bool> canonical;
            if (n_rows > 1) {
                Unlocked release;
                canonical = rows.check(0, n_rows);
            } else {
                canonical = rows.check(0, n_rows);
            }
            if (!canonical) refuse_strange(starts, indices, data, n_columns);
            if (!*canonical) return nullptr;
            if (measuring) throw nb::value_error(changed);
        }
        // The numbers of a vector that is moved stay where they are.
        Handle handle(
            new RowsHandle{std::move(rows), {values}, std::move(starts), columns.own, measured});
        if (!columns.own) handle->arrays.push_back(indices);
        return handle;
    };
    return with_sparse(indptr, indices, values, n_columns, make);
}

// Scores of all rows for weights of shape (n_columns + 1, n_outputs), the bias last.
Matrix score_rows(const RowsHandle &handle, Array weights) {
    const RowSet &set = handle.set();
    if (weights.ndim() != 2 || static_cast<std::int64_t>(weights.shape(0)) != set.n_columns + 1)
        throw nb::value_error("the weights need a row per column, and one for the bias");
    const auto n_outputs = static_cast<std::int64_t>(weights.shape(1));
    Matrix result = make_matrix<double>(static_cast<std::size_t>(set.n_rows), weights.shape(1));
    double *out = result.data();
    const void *w = weights.data();
    using TextRows = SparseRows<float>;
    if (weights.dtype() == nb::dtype<double>()) {
        Unlocked release;
        fill_scores(handle.storage, static_cast<const double *>(w), n_outputs, out);
    } else if (weights.dtype() == nb::dtype<float>() &&
               std::holds_alternative<TextRows>(handle.storage)) {
        Unlocked release;
        fill_scores(std::get<TextRows>(handle.storage), 0, set.n_rows,
                    static_cast<const float *>(w), n_outputs, out);
    } else {
        throw nb::type_error("the weights must be float64, or float32 for rows of text");
    }
    return result;
}

// The same of sparse rows that nobody has looked at yet: each block is checked while it is on its
// way through the caches anyway. None where rows are not sorted or hold a column twice.
std::optional<Matrix> sparse_scores(Array indptr, Array indices, Array values,
                                    std::int64_t n_columns, double bias, Array weights) {
    if (weights.ndim() != 2 || static_cast<std::int64_t>(weights.shape(0)) != n_columns + 1 ||
        weights.dtype() != nb::dtype<double>())
        throw nb::value_error("the weights need a row per column, and one for the bias");
    const auto *w = static_cast<const double *>(weights.data());
    const auto n_outputs = static_cast<std::int64_t>(weights.shape(1));
    const auto scored = [&]<class Value>(std::vector<std::int64_t> starts, const Columns &columns,
                                         const Value *data) -> std::optional<Matrix> {
        constexpr std::size_t block = 64;
        const std::size_t n_rows = starts.size() - 1;
        Matrix result = make_matrix<double>(n_rows, weights.shape(1));
        double *out = result.data();
        const SparseRows<Value> rows(starts.data(), columns.first, data,
                                     static_cast<std::int64_t>(n_rows), n_columns, bias);
        std::optional<bool> canonical = true;
        {
            Unlocked release;
            for (std::size_t begin = 0; canonical && *canonical && begin < n_rows; begin += block) {
                const std::size_t end = std::min(begin + block, n_rows);
                canonical =
                    rows.check(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
                if (canonical && *canonical)
                    fill_scores(rows, static_cast<std::int64_t>(begin),
                                static_cast<std::int64_t>(end), w, n_outputs,
                                out + begin * weights.shape(1));
            }
        }
        if (!canonical) refuse_strange(starts, indices, data, n_columns);
        if (!*canonical) return std::nullopt;
        return result;
    };
    return with_sparse(indptr, indices, values, n_columns, scored);
}

// Row, column and value of the first negative value, or None.
std::optional<std::tuple<std::int64_t, std::int64_t, double>> first_negative(
    const RowsHandle &handle) {
    std::optional<std::tuple<std::int64_t, std::int64_t, double>> found;
    const auto rows = any_rows(handle.storage);
    for (std::int64_t i = 0; i < rows->n_rows && !found; ++i)
        rows->visit_stored(i, [&](std::int64_t c, double x) {
            if (x < 0 && !found) found = {i, c, x};
        });
    return found;
}

// The rows begin .. end - 1 as they lie: nothing is copied, the whole is kept alive.
Handle part_of(const RowsHandle &handle, std::int64_t begin, std::int64_t end) {
    if (begin < 0 || end < begin || end > handle.set().n_rows)
        throw nb::index_error("there are no such rows");
    return std::visit(
        [&](const auto &rows) { return Handle(new RowsHandle{rows.part(begin, end), {}, {}}); },
        handle.storage);
}

const char *name_of(BadValue::Kind kind) {
    switch (kind) {
        case BadValue::Kind::no_column:
            return "no column";
        case BadValue::Kind::beyond_scale:
            return "beyond scale";
        case BadValue::Kind::large_product:
            return "large product";
        case BadValue::Kind::too_wide:
            return "too wide";
        default:
            return "not finite";
    }
}

// BadValue(kind, row, column, value): Python makes the sentence.
void raise_bad_value(const std::exception_ptr &thrown, void *type) {
    try {
        std::rethrow_exception(thrown);
    } catch (const BadValue &bad) {
        const nb::tuple fields = nb::make_tuple(name_of(bad.kind), bad.row, bad.column, bad.value);
        PyErr_SetObject(static_cast<PyObject *>(type), fields.ptr());
    }
}

VectorOf<std::int64_t> shuffle(std::int64_t n, std::uint64_t seed, std::uint64_t epoch) {
    std::vector<std::int64_t> items(static_cast<std::size_t>(n));
    std::iota(items.begin(), items.end(), std::int64_t{0});
    Generator(seed, epoch).shuffle(items);
    return own_vector(std::move(items));
}

// n draws out of 0 .. n - 1, with replacement.
VectorOf<std::int64_t> draw_with_replacement(std::int64_t n, std::uint64_t seed,
                                             std::uint64_t epoch) {
    std::vector<std::int64_t> items(static_cast<std::size_t>(n));
    Generator generator(seed, epoch);
    for (std::int64_t &item : items)
        item = static_cast<std::int64_t>(generator.below(static_cast<std::uint64_t>(n)));
    return own_vector(std::move(items));
}

}  // namespace

void bind_rows(nb::module_ &module) {
    const nb::exception<BadValue> bad_value(module, "BadValue", PyExc_ValueError);
    nb::register_exception_translator(raise_bad_value, bad_value.ptr());
    nb::class_<RowsHandle>(module, "Rows", "Checked rows of examples, dense or sparse.")
        .def_static("dense", &make_dense, nb::arg("values").noconvert(), nb::arg("bias"),
                    nb::arg("measuring") = nb::none())
        .def_static("sparse", &make_sparse, nb::arg("indptr").noconvert(),
                    nb::arg("indices").noconvert(), nb::arg("values").noconvert(),
                    nb::arg("n_columns"), nb::arg("bias"), nb::arg("measuring") = nb::none())
        .def("keep_norms",
             [](RowsHandle &handle) {
                 std::visit([](auto &rows) { rows.keep_norms(); }, handle.storage);
             })
        .def("scores", &score_rows, nb::arg("weights").noconvert())
        .def("part", &part_of, nb::arg("begin"), nb::arg("end"), nb::keep_alive<0, 1>(),
             "The rows begin .. end - 1 as they lie: nothing is copied.")
        .def("first_negative", &first_negative,
             "Row, column and value of the first negative value, or None.")
        .def_prop_ro("n_rows", [](const RowsHandle &handle) { return handle.set().n_rows; })
        .def_prop_ro("n_columns", [](const RowsHandle &handle) { return handle.set().n_columns; })
        .def_prop_ro(
            "n_values",
            [](const RowsHandle &handle) {
                const RowSet &set = handle.set();
                if (!handle.is_sparse()) return set.n_rows * set.n_columns;
                const auto rows = any_rows(handle.storage);
                std::int64_t values = 0;
                for (std::int64_t i = 0; i < set.n_rows; ++i) values += rows->work(i);
                return values;
            },
            "Values that are looked at in a pass over all rows.");
    module.def("sparse_scores", &sparse_scores, nb::arg("indptr").noconvert(),
               nb::arg("indices").noconvert(), nb::arg("values").noconvert(), nb::arg("n_columns"),
               nb::arg("bias"), nb::arg("weights").noconvert());
    module.def("draw_with_replacement", &draw_with_replacement, nb::arg("n"), nb::arg("seed"),
               nb::arg("epoch"));
    module.def("shuffle", &shuffle, nb::arg("n"), nb::arg("seed"), nb::arg("epoch"));
}

}  // namespace hardlimit
