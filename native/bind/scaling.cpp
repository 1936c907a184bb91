// Rows in other units, and what is measured of their columns.
#include "rows/scaling.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <tuple>
#include <type_traits>

#include "bind/containers.hpp"
#include "bind/examples_handle.hpp"
#include "bind/rows_handle.hpp"
#include "bind/unlocked.hpp"
#include "bind/vectors.hpp"

namespace hardlimit {
namespace {

using Handle = std::unique_ptr<RowsHandle>;

void check_length(const VectorIn<double> &numbers, const RowSet &set) {
    if (static_cast<std::int64_t>(numbers.size()) != set.n_columns)
        throw nb::value_error("there must be a number for each column");
}

using Before =
    std::tuple<Positions, VectorIn<double>, VectorIn<double>, VectorIn<double>, VectorIn<double>>;

ColumnSums known(const Before &before, const RowSet &set) {
    const auto &[counts, lowest, highest, sums, squares] = before;
    const std::size_t n = counts.size();
    if (lowest.size() != n || highest.size() != n || sums.size() != n || squares.size() != n ||
        static_cast<std::int64_t>(n) > set.n_columns)
        throw nb::value_error("what is known of columns does not fit the rows");
    ColumnSums found;
    found.counts.assign(counts.data(), counts.data() + n);
    found.lowest.assign(lowest.data(), lowest.data() + n);
    found.highest.assign(highest.data(), highest.data() + n);
    found.sums.assign(sums.data(), sums.data() + n);
    found.squares.assign(squares.data(), squares.data() + n);
    return found;
}

using Sums = std::tuple<VectorOf<std::int64_t>, VectorOf<double>, VectorOf<double>,
                        VectorOf<double>, VectorOf<double>>;

// Calls work(rows, the numbers of those that count).
template <class Work>
auto over(const RowsHandle &handle, const std::optional<Positions> &present, Work work) {
    const std::int64_t n_rows = handle.set().n_rows;
    for (std::size_t p = 0; present && p < present->size(); ++p)
        if (present->data()[p] < 0 || present->data()[p] >= n_rows)
            throw nb::value_error("there is no such row");
    Unlocked release;
    return std::visit(
        [&](const auto &rows) {
            if (!present) return work(rows, std::views::iota(std::int64_t{0}, n_rows));
            return work(rows, std::span(present->data(), present->size()));
        },
        handle.storage);
}

// Of the values of each column other than 0: count, lowest, highest, sum, sum of squares.
// `before`: what is known of rows that came before these, which may have had fewer columns.
Sums column_sums(const RowsHandle &handle, std::optional<VectorIn<double>> center,
                 std::optional<Positions> present, std::optional<Before> before) {
    if (center) check_length(*center, handle.set());
    const double *around = center ? center->data() : nullptr;
    ColumnSums found = before ? known(*before, handle.set()) : ColumnSums();
    over(handle, present, [&](const auto &rows, auto positions) {
        found.add(rows, around, positions);
        return 0;
    });
    return {own_vector(std::move(found.counts)), own_vector(std::move(found.lowest)),
            own_vector(std::move(found.highest)), own_vector(std::move(found.sums)),
            own_vector(std::move(found.squares))};
}

// The largest squared length of a column and its number, then the smallest above 0.
std::tuple<double, std::int64_t, double, std::int64_t> spread_of_columns(const RowsHandle &handle) {
    if (!handle.measured) throw nb::value_error("the rows were not measured");
    const auto &[most, least, largest] = *handle.measured;
    return {most.square, most.column, least.square, least.column};
}

// Without the bias.
double largest_of(const RowsHandle &handle, std::optional<Positions> present) {
    const double bias = handle.set().bias;
    const auto look = [&] {
        return over(handle, present, [](const auto &rows, auto positions) {
            return largest_sqnorm(rows, positions);
        });
    };
    return (handle.measured ? handle.measured->largest_sqnorm : look()) - bias * bias;
}

// Dense rows keep their shape: scale.row(i)(c, x) takes the place of each x.
template <class Value, class Scale>
Handle remake(const DenseRows<Value> &rows, const Scale &scale) {
    auto own = std::make_shared<std::vector<double>>();
    own->reserve(static_cast<std::size_t>(rows.n_rows * rows.n_columns));
    for (std::int64_t i = 0; i < rows.n_rows; ++i) {
        const auto scaled = scale.row(i);
        rows.visit_stored(i, [&](std::int64_t c, double x) { own->push_back(scaled(c, x)); });
    }
    return Handle(new RowsHandle{
        DenseRows<double>(own->data(), rows.n_rows, rows.n_columns, rows.bias), {}, {}, own});
}

// Sparse rows keep their columns, and gain those that the scale shifts.
template <class Value, class Scale>
Handle remake(const SparseRows<Value> &rows, const Scale &scale) {
    struct Own {
        std::vector<double> values;
        std::vector<Index> columns;
    };
    auto own = std::make_shared<Own>();
    std::vector<std::int64_t> starts{0};
    const std::vector<std::int64_t> &shifted = scale.shifted();
    for (std::int64_t i = 0; i < rows.n_rows; ++i) {
        const auto scaled = scale.row(i);
        auto next = shifted.begin();
        const auto put = [&](std::int64_t c, double x) {
            own->columns.push_back(static_cast<Index>(c));
            own->values.push_back(scaled(c, x));
        };
        rows.visit_stored(i, [&](std::int64_t c, double x) {
            for (; next != shifted.end() && *next < c; ++next) put(*next, 0.0);
            if (next != shifted.end() && *next == c) ++next;
            put(c, x);
        });
        for (; next != shifted.end(); ++next) put(*next, 0.0);
        starts.push_back(static_cast<std::int64_t>(own->values.size()));
    }
    Handle made(new RowsHandle{
        SparseRows<double>(nullptr, nullptr, nullptr, 0, 0, 0), {}, std::move(starts), own});
    made->storage = SparseRows<double>(made->starts.data(), own->columns.data(), own->values.data(),
                                       rows.n_rows, rows.n_columns, rows.bias);
    return made;
}

struct ByColumn {
    const ColumnUnits &units;
    const std::vector<std::int64_t> &shifted() const { return units.shifted; }
    auto row(std::int64_t i) const {
        return [this, i](std::int64_t c, double x) { return units.of(i, c, x); };
    }
};

template <class Rows>
struct ByLength {
    const Rows &rows;
    std::vector<std::int64_t> none = {};
    const std::vector<std::int64_t> &shifted() const { return none; }
    auto row(std::int64_t i) const {
        const RowLength length(rows, i);
        return [length](std::int64_t, double x) { return length.of(x); };
    }
};

ColumnUnits column_units(VectorIn<double> shifts, VectorIn<double> units) {
    if (shifts.size() != units.size())
        throw nb::value_error("there must be a shift and a unit for each column");
    const auto copied = [](const VectorIn<double> &numbers) {
        return std::vector<double>(numbers.data(), numbers.data() + numbers.size());
    };
    return ColumnUnits(copied(shifts), copied(units));
}

Handle scaled(const ColumnUnits &units, const RowsHandle &handle) {
    if (static_cast<std::int64_t>(units.units.size()) != handle.set().n_columns)
        throw nb::value_error("the rows have another number of columns");
    Unlocked release;
    return std::visit([&](const auto &rows) { return remake(rows, ByColumn{units}); },
                      handle.storage);
}

Handle to_unit_length(const RowsHandle &handle) {
    Unlocked release;
    return std::visit(
        [&](const auto &rows) {
            return remake(rows, ByLength<std::decay_t<decltype(rows)>>{rows});
        },
        handle.storage);
}

}  // namespace

void bind_scaling(nb::module_ &module) {
    module.def("column_sums", &column_sums, nb::arg("rows"), nb::arg("center").noconvert().none(),
               nb::arg("present").noconvert().none(),
               nb::arg("before").noconvert().none() = nb::none());
    module.def("column_spread", &spread_of_columns, nb::arg("rows"));
    module.def("largest_sqnorm", &largest_of, nb::arg("rows"),
               nb::arg("present").noconvert().none());
    nb::class_<ColumnUnits>(module, "ColumnUnits", "Shift and unit of each column.")
        .def(nb::new_(&column_units), nb::arg("shifts").noconvert(), nb::arg("units").noconvert())
        .def("rows", &scaled, nb::arg("rows"));
    module.def("to_unit_length", &to_unit_length, nb::arg("rows"));
}

}  // namespace hardlimit
