// The border: arrays are checked once, here, and trusted from then on.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>

#include "bind/containers.hpp"
#include "bind/rows_handle.hpp"
#include "bind/unlocked.hpp"
#include "numeric/generator.hpp"
#include "rows/bad_value.hpp"

namespace hardlimit {
namespace {

template <class Value>
void check_dense(const Value *values, std::int64_t n_rows, std::int64_t n_columns) {
    for (std::int64_t i = 0; i < n_rows; ++i) {
        const Value *x = values + i * n_columns;
        // 0 * value is 0 for every finite value and NaN for the others: one sum finds them all.
        double sums[8] = {};
        for (std::int64_t c = 0; c < n_columns; ++c) sums[c & 7] += 0.0 * static_cast<double>(x[c]);
        if (tree(sums) == 0) continue;
        for (std::int64_t c = 0; c < n_columns; ++c)
            if (!std::isfinite(x[c])) throw BadValue(BadValue::Kind::not_finite, i, c, x[c]);
    }
}

template <class Value, class Index>
[[noreturn]] void refuse_strange(const std::vector<std::int64_t> &starts, const Index *columns,
                                 const Value *values, std::int64_t n_columns) {
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
        for (std::int64_t p = starts[i]; p < starts[i + 1]; ++p) {
            const std::int64_t c = columns[p];
            const auto row = static_cast<std::int64_t>(i);
            const double value = values[p];
            if (c < 0 || c >= n_columns) throw BadValue(BadValue::Kind::no_column, row, c, value);
            if (!std::isfinite(value)) throw BadValue(BadValue::Kind::not_finite, row, c, value);
        }
    throw nb::value_error("the rows changed while they were looked at");
}

// True where the rows begin .. end - 1 are sorted without duplicates; refuses what cannot be.
template <class Value, class Index>
bool check_sparse(const std::vector<std::int64_t> &starts, std::size_t begin, std::size_t end,
                  const Index *columns, const Value *values, std::int64_t n_columns) {
    const std::int64_t first = starts[begin];
    const Inspection seen =
        inspect_values(columns + first, values + first, starts[end] - first, n_columns);
    if (!seen.sound) refuse_strange(starts, columns, values, n_columns);
    // From one row to the next a column may fall.
    std::int64_t between = 0, last = -1;
    for (std::size_t i = begin; i < end; ++i) {
        if (starts[i] == starts[i + 1]) continue;
        between += last >= 0 && columns[starts[i]] <= last;
        last = columns[starts[i + 1] - 1];
    }
    return seen.descents == between;
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

template <class Value>
Handle dense(const Array &values, double bias) {
    const auto *data = static_cast<const Value *>(values.data());
    const auto n_rows = static_cast<std::int64_t>(values.shape(0));
    const auto n_columns = static_cast<std::int64_t>(values.shape(1));
    {
        Unlocked release;
        check_dense(data, n_rows, n_columns);
    }
    return Handle(new RowsHandle{DenseRows<Value>(data, n_rows, n_columns, bias), {values}, {}});
}

Handle make_dense(Array values, double bias) {
    if (values.ndim() != 2) throw nb::value_error("dense rows must have two dimensions");
    if (values.dtype() == nb::dtype<float>()) return dense<float>(values, bias);
    if (values.dtype() == nb::dtype<double>()) return dense<double>(values, bias);
    throw nb::type_error("dense rows must be float32 or float64");
}

template <class Value, class Index>
Handle sparse(std::vector<std::int64_t> starts, const Array &indices, const Array &values,
              std::int64_t n_columns, double bias) {
    const auto *columns = static_cast<const Index *>(indices.data());
    const auto *data = static_cast<const Value *>(values.data());
    bool canonical;
    if (starts.size() > 2) {
        Unlocked release;
        canonical = check_sparse(starts, 0, starts.size() - 1, columns, data, n_columns);
    } else {
        canonical = check_sparse(starts, 0, starts.size() - 1, columns, data, n_columns);
    }
    if (!canonical) return nullptr;
    const auto n_rows = static_cast<std::int64_t>(starts.size()) - 1;
    Handle handle(new RowsHandle{SparseRows<Value, Index>(nullptr, columns, data, 0, 0, 0),
                                 {indices, values},
                                 std::move(starts)});
    handle->storage =
        SparseRows<Value, Index>(handle->starts.data(), columns, data, n_rows, n_columns, bias);
    return handle;
}

// Calls work(starts, columns, values) with the types of sparse rows.
template <class Work>
auto with_sparse(const Array &indptr, const Array &indices, const Array &values, Work work) {
    if (indices.size() != values.size())
        throw nb::value_error("there must be as many indices as values");
    auto starts = row_starts(indptr, values.size());
    const bool narrow = indices.dtype() == nb::dtype<std::int32_t>();
    if (!narrow && indices.dtype() != nb::dtype<std::int64_t>())
        throw nb::type_error("indices must be int32 or int64");
    const auto *few = static_cast<const std::int32_t *>(indices.data());
    const auto *many = static_cast<const std::int64_t *>(indices.data());
    if (values.dtype() == nb::dtype<float>()) {
        const auto *data = static_cast<const float *>(values.data());
        return narrow ? work(std::move(starts), few, data) : work(std::move(starts), many, data);
    }
    if (values.dtype() == nb::dtype<double>()) {
        const auto *data = static_cast<const double *>(values.data());
        return narrow ? work(std::move(starts), few, data) : work(std::move(starts), many, data);
    }
    throw nb::type_error("values must be float32 or float64");
}

// None where rows are not sorted or hold a column twice.
Handle make_sparse(Array indptr, Array indices, Array values, std::int64_t n_columns, double bias) {
    return with_sparse(
        indptr, indices, values,
        [&](std::vector<std::int64_t> starts, const auto *columns, const auto *data) {
            using Index = std::remove_cvref_t<decltype(*columns)>;
            using Value = std::remove_cvref_t<decltype(*data)>;
            return sparse<Value, Index>(std::move(starts), indices, values, n_columns, bias);
        });
}

// Scores of the rows begin .. end - 1; `out` begins with those of row `begin`.
template <class Weight, class Rows>
void fill_scores(const Rows &rows, std::int64_t begin, std::int64_t end, const Weight *w,
                 std::int64_t n_outputs, double *out) {
    if constexpr (std::is_same_v<Weight, double>)
        if (n_outputs == 1) return rows.dots_in_order(begin, end, w, out);
    constexpr std::int64_t rows_ahead = 8;
    std::vector<double> sums(static_cast<std::size_t>(8 * n_outputs));
    for (std::int64_t i = begin; i < end; ++i, out += n_outputs) {
        rows.prefetch_row(std::min(i + rows_ahead, end - 1));
        rows.prefetch_weights(std::min(i + 1, end - 1), w, n_outputs);
        std::fill(sums.begin(), sums.end(), 0.0);
        rows.dots(i, w, {n_outputs, n_outputs}, sums.data(), out);
    }
}

// Scores of all rows for weights of shape (n_columns + 1, n_outputs), the bias last.
Matrix scores(const RowsHandle &handle, Array weights) {
    const RowSet &set = handle.set();
    if (weights.ndim() != 2 || static_cast<std::int64_t>(weights.shape(0)) != set.n_columns + 1)
        throw nb::value_error("the weights need a row per column, and one for the bias");
    const auto n_outputs = static_cast<std::int64_t>(weights.shape(1));
    Matrix result = make_matrix<double>(static_cast<std::size_t>(set.n_rows), weights.shape(1));
    double *out = result.data();
    const void *w = weights.data();
    using TextRows = SparseRows<float, std::int32_t>;
    if (weights.dtype() == nb::dtype<double>()) {
        Unlocked release;
        std::visit(
            [&](const auto &rows) {
                fill_scores(rows, 0, rows.n_rows, static_cast<const double *>(w), n_outputs, out);
            },
            handle.storage);
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
    const auto scored = [&](std::vector<std::int64_t> starts, const auto *columns,
                            const auto *data) -> std::optional<Matrix> {
        constexpr std::size_t block = 64;
        const std::size_t n_rows = starts.size() - 1;
        Matrix result = make_matrix<double>(n_rows, weights.shape(1));
        double *out = result.data();
        const SparseRows rows(starts.data(), columns, data, static_cast<std::int64_t>(n_rows),
                              n_columns, bias);
        bool canonical = true;
        {
            Unlocked release;
            for (std::size_t begin = 0; canonical && begin < n_rows; begin += block) {
                const std::size_t end = std::min(begin + block, n_rows);
                canonical = check_sparse(starts, begin, end, columns, data, n_columns);
                if (canonical)
                    fill_scores(rows, static_cast<std::int64_t>(begin),
                                static_cast<std::int64_t>(end), w, n_outputs,
                                out + begin * weights.shape(1));
            }
        }
        if (!canonical) return std::nullopt;
        return result;
    };
    return with_sparse(indptr, indices, values, scored);
}

// Row, column and value of the first negative value, or None.
std::optional<std::tuple<std::int64_t, std::int64_t, double>> first_negative(
    const RowsHandle &handle) {
    std::optional<std::tuple<std::int64_t, std::int64_t, double>> found;
    std::visit(
        [&](const auto &rows) {
            for (std::int64_t i = 0; i < rows.n_rows && !found; ++i)
                rows.visit(i, [&](std::int64_t c, double x) {
                    if (x < 0 && c < rows.n_columns && !found) found = {i, c, x};
                });
        },
        handle.storage);
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

using Permutation = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

template <class Fill>
Permutation filled(std::int64_t n, Fill fill) {
    auto *items = new std::vector<std::int64_t>(static_cast<std::size_t>(n));
    nb::capsule owner(items, [](void *p) noexcept { delete static_cast<decltype(items)>(p); });
    fill(*items);
    return Permutation(items->data(), {items->size()}, owner);
}

Permutation shuffle(std::int64_t n, std::uint64_t seed, std::uint64_t epoch) {
    return filled(n, [&](std::vector<std::int64_t> &items) {
        for (std::int64_t i = 0; i < n; ++i) items[static_cast<std::size_t>(i)] = i;
        Generator(seed, epoch).shuffle(items);
    });
}

// n draws out of 0 .. n - 1, with replacement.
Permutation draw_with_replacement(std::int64_t n, std::uint64_t seed, std::uint64_t epoch) {
    return filled(n, [&](std::vector<std::int64_t> &items) {
        Generator generator(seed, epoch);
        for (std::int64_t &item : items)
            item = static_cast<std::int64_t>(generator.below(static_cast<std::uint64_t>(n)));
    });
}

}  // namespace

void bind_rows(nb::module_ &module) {
    const nb::exception<BadValue> bad_value(module, "BadValue", PyExc_ValueError);
    nb::register_exception_translator(raise_bad_value, bad_value.ptr());
    nb::class_<RowsHandle>(module, "Rows", "Checked rows of examples, dense or sparse.")
        .def_static("dense", &make_dense, nb::arg("values").noconvert(), nb::arg("bias"))
        .def_static("sparse", &make_sparse, nb::arg("indptr").noconvert(),
                    nb::arg("indices").noconvert(), nb::arg("values").noconvert(),
                    nb::arg("n_columns"), nb::arg("bias"))
        .def("keep_norms",
             [](RowsHandle &handle) {
                 std::visit([](auto &rows) { rows.keep_norms(); }, handle.storage);
             })
        .def("scores", &scores, nb::arg("weights").noconvert())
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
                return std::visit(
                    [&](const auto &rows) {
                        std::int64_t values = 0;
                        for (std::int64_t i = 0; i < set.n_rows; ++i) values += rows.work(i);
                        return values;
                    },
                    handle.storage);
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
