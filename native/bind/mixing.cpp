// Epochs of shards and their mixture, as Python asks for them.
#include "state/mixing.hpp"

#include "bind/packed.hpp"
#include "bind/training_state.hpp"

namespace hardlimit {
namespace {

using CellList = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Number>
VectorOf<Number> own_vector(std::vector<Number> numbers) {
    auto own = std::make_unique<std::vector<Number>>(std::move(numbers));
    Number *first = own->data();
    const std::size_t size = own->size();
    nb::capsule owner(own.get(),
                      [](void *p) noexcept { delete static_cast<std::vector<Number> *>(p); });
    own.release();
    return VectorOf<Number>(first, {size}, owner);
}

nb::tuple as_tuple(Delta delta, bool averaged) {
    return nb::make_tuple(own_vector(std::move(delta.cells)), own_vector(std::move(delta.w)),
                          averaged ? nb::cast(own_vector(std::move(delta.u))) : nb::none());
}

void check_alike(const State &one, const State &other) {
    if (one.n_columns != other.n_columns || one.n_outputs != other.n_outputs ||
        one.averaged != other.averaged)
        throw std::invalid_argument("these states differ in shape");
}

VectorOf<std::int64_t> distinct_columns(ExamplesHandle &handle) {
    const InUse use(handle);
    std::vector<std::int64_t> columns;
    {
        Unlocked release;
        columns = std::visit([&](const auto &rows) { return find_columns(rows, handle.examples); },
                             handle.rows.storage);
    }
    return own_vector(std::move(columns));
}

nb::tuple moved_cells(TrainingState &training, const TrainingState &base, const CellList &columns) {
    Delta delta;
    training.with_lock([&] {
        check_alike(training.state(), base.state());
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (columns.data()[i] < 0 || columns.data()[i] >= base.state().n_columns)
                throw std::invalid_argument("there is no such column");
        delta = MovedCells(training.state(), base.state()).find(columns.data(), columns.size());
    });
    return as_tuple(std::move(delta), base.state().averaged);
}

DeltaView view_of(const State &state, const CellList &cells, const Numbers &w,
                  const std::optional<Numbers> &u) {
    if (w.size() != cells.size() || u.has_value() != state.averaged ||
        (u && u->size() != cells.size()))
        throw nb::value_error("there must be a weight for each cell, and a sum where it is kept");
    return {cells.data(), w.data(), u ? u->data() : nullptr, cells.size()};
}

nb::tuple mix_cells(const TrainingState &base, const std::vector<CellList> &cells,
                    const std::vector<Numbers> &w, const std::vector<std::optional<Numbers>> &u,
                    const Numbers &shares, const Numbers &clocks, double clock) {
    const State &state = base.state();
    if (w.size() != cells.size() || u.size() != cells.size() || clocks.size() != cells.size() ||
        shares.size() != cells.size() * state.counters.size())
        throw nb::value_error("there must be as many shares as shards and counters");
    std::vector<DeltaView> deltas;
    for (std::size_t i = 0; i < cells.size(); ++i)
        deltas.push_back(view_of(state, cells[i], w[i], u[i]));
    Delta mixed;
    {
        // Without its lock: several threads mix a part of the cells each.
        Unlocked release;
        for (const DeltaView &delta : deltas) check_cells(state, delta.cells, delta.size);
        mixed = Mixing(state, deltas, shares.data(), clocks.data(), clock).mix();
    }
    return as_tuple(std::move(mixed), state.averaged);
}

void assign(TrainingState &training, const CellList &cells, const Numbers &w,
            const std::optional<Numbers> &u) {
    const DeltaView delta = view_of(training.state(), cells, w, u);
    training.with_lock([&] {
        check_cells(training.state(), delta.cells, delta.size);
        assign_cells(training.state(), delta);
    });
}

void copy_from(TrainingState &training, const TrainingState &source, const CellList &cells) {
    training.with_lock([&] {
        check_alike(training.state(), source.state());
        check_cells(source.state(), cells.data(), cells.size());
        copy_cells(training.state(), source.state(), cells.data(), cells.size());
    });
}

}  // namespace

void bind_mixing(nb::module_ &module) {
    module.def("distinct_columns", &distinct_columns, nb::arg("examples"),
               "Columns in which the rows of an epoch hold something, ascending.");
    module.def("moved_cells", &moved_cells, nb::arg("state"), nb::arg("base"),
               nb::arg("columns").noconvert(),
               "(cells, w, u or None) that differ in these columns and in the bias.");
    module.def("mix_cells", &mix_cells, nb::arg("base"), nb::arg("cells").noconvert(),
               nb::arg("w").noconvert(), nb::arg("u").noconvert(), nb::arg("shares").noconvert(),
               nb::arg("clocks").noconvert(), nb::arg("clock"),
               "(cells, w, u or None) of the mixture of what the shards moved.");
    module.def("assign_cells", &assign, nb::arg("state"), nb::arg("cells").noconvert(),
               nb::arg("w").noconvert(), nb::arg("u").noconvert().none());
    module.def("copy_cells", &copy_from, nb::arg("state"), nb::arg("source"),
               nb::arg("cells").noconvert());
}

}  // namespace hardlimit
