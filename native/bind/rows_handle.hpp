// Rows as Python holds them: one of the storages, and the arrays that it looks into.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "rows/measuring.hpp"
#include "rows/rows.hpp"
#include "zeroed.hpp"

namespace hardlimit {

namespace nb = nanobind;
using Array = nb::ndarray<nb::ro, nb::device::cpu, nb::c_contig>;
template <class Number>
using MatrixOf = nb::ndarray<nb::numpy, Number, nb::ndim<2>>;
using Matrix = MatrixOf<double>;

struct RowsHandle {
    StoredRows storage;
    std::vector<Array> arrays;              // kept alive
    std::vector<std::int64_t> starts;       // of sparse rows
    std::shared_ptr<void> own = {};         // columns or values, where they were made here
    std::optional<Measured> measured = {};  // of the rows of a fit, while they were checked

    bool is_sparse() const { return storage.index() > 1; }  // see the order there

    const RowSet &set() const {
        return std::visit([](const auto &rows) -> const RowSet & { return rows; }, storage);
    }
};

// A matrix of cells that Python owns from now on.
template <class Number>
MatrixOf<Number> own_matrix(Number *cells, std::size_t rows, std::size_t columns) {
    nb::capsule owner(cells, [](void *p) noexcept { delete[] static_cast<Number *>(p); });
    return MatrixOf<Number>(cells, {rows, columns}, owner);
}

// Cells that are not yet set, for own_matrix.
template <class Number>
Number *new_cells(std::size_t count) {
    auto *cells = new Number[count];
    advise_large_pages(cells, count * sizeof(Number));
    return cells;
}

template <class Number>
MatrixOf<Number> own_zeroed(Zeroed<Number> cells, std::size_t rows, std::size_t columns) {
    auto *kept = new Zeroed<Number>(std::move(cells));
    nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<Zeroed<Number> *>(p); });
    return MatrixOf<Number>(kept->data(), {rows, columns}, owner);
}

// A matrix of the given shape for Python to own; its cells are not yet set.
template <class Number>
MatrixOf<Number> make_matrix(std::size_t rows, std::size_t columns) {
    return own_matrix(new_cells<Number>(rows * columns), rows, columns);
}

class Rule;

// What a rule holds of Python, for the collector of cycles: a rule written in Python reaches its
// module, which may reach the model again.
int visit_rule(const Rule *rule, visitproc visit, void *arg);
void clear_rule(Rule *rule);

void bind_rows(nb::module_ &module);
void bind_scaling(nb::module_ &module);
void bind_rules(nb::module_ &module);
void bind_votes(nb::module_ &module);
void bind_online(nb::module_ &module);
void bind_packed(nb::module_ &module);
void bind_mixing(nb::module_ &module);
void bind_products(nb::module_ &module);
void bind_dual(nb::module_ &module);
void bind_budgets(nb::module_ &module);
void bind_finders(nb::module_ &module);

}  // namespace hardlimit
