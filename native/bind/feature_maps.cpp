// Feature maps: rows in, the products of their columns out, dense or sparse.
#include "rows/feature_maps.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bind/rows_handle.hpp"
#include "bind/unlocked.hpp"
#include "bind/vectors.hpp"
#include "rows/bad_value.hpp"
#include "state/any_rows.hpp"

namespace hardlimit {
namespace {

constexpr std::int64_t cells_a_block = std::int64_t(1) << 22;

template <class Number>
VectorOf<Number> make_vector(std::size_t size) {
    auto *cells = new Number[std::max<std::size_t>(size, 1)];
    nb::capsule owner(cells, [](void *p) noexcept { delete[] static_cast<Number *>(p); });
    return VectorOf<Number>(cells, {size}, owner);
}

using Places = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig>;

std::vector<std::int64_t> listed(const Places &numbers) {
    return {numbers.data(), numbers.data() + numbers.size()};
}

// A product of finite numbers can still be too large.
void check_finite(double value, std::int64_t row, std::int64_t column) {
    if (!std::isfinite(value)) throw BadValue(BadValue::Kind::large_product, row, column, value);
}

// Calls see(i, cells of row i) for all rows; comes back to Python's signals between blocks.
template <class See>
void each_row(const RowsHandle &handle, See see) {
    const std::int64_t n_rows = handle.set().n_rows;
    const auto rows = any_rows(handle.storage);
    RowCells cells;
    for (std::int64_t next = 0; next < n_rows;) {
        if (PyErr_CheckSignals()) throw nb::python_error();
        Unlocked released;
        for (std::int64_t work = 0; next < n_rows && work < cells_a_block; ++next) {
            cells.clear();
            rows->visit(next, [&](std::int64_t c, double x) { cells.push_back({c, x}); });
            work += 1 + see(next, cells);
        }
    }
}

template <class Map>
double count_cells(const Map &map, const RowsHandle &handle) {
    double cells = 0;
    each_row(handle, [&](std::int64_t, const RowCells &row) {
        cells += map.count(static_cast<std::int64_t>(row.size()));
        return static_cast<std::int64_t>(row.size());
    });
    return cells;
}

// Python has checked that there is memory for n_cells; `Column` holds every column's number.
template <class Column, class Map>
nb::tuple sparse_as(const Map &map, const RowsHandle &handle, std::int64_t n_cells) {
    VectorOf<std::int64_t> starts =
        make_vector<std::int64_t>(static_cast<std::size_t>(handle.set().n_rows) + 1);
    VectorOf<Column> columns = make_vector<Column>(static_cast<std::size_t>(n_cells));
    VectorOf<double> values = make_vector<double>(static_cast<std::size_t>(n_cells));
    Column *column = columns.data();
    double *value = values.data();
    std::int64_t *start = starts.data(), at = 0;
    start[0] = 0;
    each_row(handle, [&](std::int64_t i, const RowCells &row) {
        map.expand(row, [&](std::int64_t c, double x) {
            check_finite(x, i, c);
            column[at] = static_cast<Column>(c);
            value[at++] = x;
        });
        start[i + 1] = at;
        return at - start[i];
    });
    return nb::make_tuple(starts, columns, values);
}

template <class Map>
nb::tuple expand_sparse(const Map &map, const RowsHandle &handle, bool wide) {
    const auto n_cells = static_cast<std::int64_t>(count_cells(map, handle));
    return wide ? sparse_as<std::int64_t>(map, handle, n_cells)
                : sparse_as<std::int32_t>(map, handle, n_cells);
}

template <class Map>
Matrix expand_dense(const Map &map, const RowsHandle &handle, std::int64_t n_columns) {
    const auto n_rows = static_cast<std::size_t>(handle.set().n_rows);
    Matrix result = make_matrix<double>(n_rows, static_cast<std::size_t>(n_columns));
    double *out = result.data();
    std::fill(out, out + result.size(), 0.0);
    each_row(handle, [&](std::int64_t i, const RowCells &row) {
        map.expand(row, [&](std::int64_t c, double x) {
            check_finite(x, i, c);
            out[i * n_columns + c] = x;
        });
        return n_columns;
    });
    return result;
}

template <class Map>
void bind_map(nb::class_<Map> &map) {
    map.def("count", &count_cells<Map>, nb::arg("rows"), "Cells of the sparse rows, or a few more.")
        .def("sparse", &expand_sparse<Map>, nb::arg("rows"), nb::arg("wide"),
             "indptr, indices (int64 if wide) and data; the latter two may be longer than needed.")
        .def("dense", &expand_dense<Map>, nb::arg("rows"), nb::arg("n_columns"));
}

}  // namespace

void bind_products(nb::module_ &module) {
    nb::class_<Monomials> monomials(module, "Monomials", "The map of the polynomial kernel.");
    monomials.def(nb::init<std::int64_t, int, double>(), nb::arg("n_columns"), nb::arg("degree"),
                  nb::arg("c"));
    bind_map(monomials);
    nb::class_<Pairs> pairs(module, "Pairs", "Products of two columns each.");
    pairs.def(
        "__init__",
        [](Pairs *self, std::int64_t n_columns, Places places, bool singles, int bits) {
            if (places.size() != 0 && static_cast<std::int64_t>(places.size()) != n_columns)
                throw nb::value_error("there must be a place for each column, or none");
            new (self) Pairs(n_columns, listed(places), singles, bits);
        },
        nb::arg("n_columns"), nb::arg("places"), nb::arg("singles"), nb::arg("bits"));
    pairs.def(
        "see",
        [](Pairs &self, Places starts, Places partners) {
            auto from = listed(starts);
            const bool whole = static_cast<std::int64_t>(from.size()) == self.chosen() + 1 &&
                               from.front() == 0 && std::is_sorted(from.begin(), from.end()) &&
                               from.back() == static_cast<std::int64_t>(partners.size());
            if (!whole) throw nb::value_error("starts must lead from 0 to the last partner");
            self.see(std::move(from), listed(partners));
        },
        nb::arg("starts"), nb::arg("partners"), "Number these pairs only.");
    bind_map(pairs);
}

}  // namespace hardlimit
