// Epochs of shards and their mixture, as Python asks for them.
#include "state/mixing.hpp"

#include "bind/packed.hpp"
#include "bind/training_state.hpp"
#include "state/acceleration.hpp"
#include "team.hpp"

namespace hardlimit {
namespace {

using CellList = VectorIn<std::int64_t>;
using CellWeights = VectorIn<double>;

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

void note_corrected(TrainingState &training) {
    training.with_lock(
        [&] { training.state().corrected = std::make_unique<std::vector<std::int64_t>>(); });
}

// Nothing where to look at `most` columns is the shorter way.
std::optional<VectorOf<std::int64_t>> corrected_columns(TrainingState &training,
                                                        ExamplesHandle &handle, std::int64_t most) {
    const InUse use(handle);
    std::optional<std::vector<std::int64_t>> columns;
    training.with_lock([&] {
        const auto numbers = std::move(training.state().corrected);
        if (!numbers) throw std::invalid_argument("nobody noted what was corrected");
        columns =
            std::visit([&](const auto &rows) { return find_columns_of(rows, *numbers, most); },
                       handle.rows.storage);
    });
    if (!columns) return std::nullopt;
    return own_vector(std::move(*columns));
}

void check_columns(const State &state, const CellList &columns) {
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns.data()[i] < 0 || columns.data()[i] >= state.n_columns ||
            (i && columns.data()[i] <= columns.data()[i - 1]))
            throw std::invalid_argument("there is no such column, or they do not ascend");
}

void keep_columns(KeptColumns *self, TrainingState &training, const CellList &columns) {
    training.with_lock([&] {
        check_columns(training.state(), columns);
        new (self) KeptColumns(training.state(), {columns.data(), columns.data() + columns.size()});
    });
}

nb::tuple take_back(KeptColumns &self, TrainingState &training,
                    const std::optional<CellList> &some) {
    Delta delta;
    std::optional<DeltaView> view;
    if (some) view = {some->data(), nullptr, nullptr, some->size()};
    training.with_lock([&] { delta = self.take_back(training.state(), view); });
    return as_tuple(std::move(delta), training.state().averaged);
}

DeltaView delta_of(const State &state, const CellList &cells, const CellWeights &w,
                   const std::optional<CellWeights> &u) {
    if (w.size() != cells.size() || u.has_value() != state.averaged ||
        (u && u->size() != cells.size()))
        throw nb::value_error("there must be a weight for each cell, and a sum where it is kept");
    return {cells.data(), w.data(), u ? u->data() : nullptr, cells.size()};
}

nb::tuple mix_cells(const TrainingState &base, const std::vector<CellList> &cells,
                    const std::vector<CellWeights> &w,
                    const std::vector<std::optional<CellWeights>> &u, const CellWeights &shares,
                    const CellWeights &clocks, double clock) {
    const State &state = base.state();
    if (w.size() != cells.size() || u.size() != cells.size() || clocks.size() != cells.size() ||
        shares.size() != cells.size() * state.counters.size())
        throw nb::value_error("there must be as many shares as shards and counters");
    std::vector<DeltaView> deltas;
    for (std::size_t i = 0; i < cells.size(); ++i)
        deltas.push_back(delta_of(state, cells[i], w[i], u[i]));
    Delta mixed;
    {
        // Without its lock: several threads mix a part of the cells each.
        Unlocked release;
        for (const DeltaView &delta : deltas) check_cells(state, delta.cells, delta.size);
        mixed = Mixing(state, deltas, shares.data(), clocks.data(), clock).mix();
    }
    return as_tuple(std::move(mixed), state.averaged);
}

// Of a mixture of equal shares: (w, u or None, lead).
nb::tuple accelerate_cells(const TrainingState &base, const std::vector<CellList> &moved,
                           const std::vector<CellWeights> &moved_w, const CellList &cells,
                           const CellWeights &w, const std::optional<CellWeights> &u,
                           const CellList &lead_cells, const CellWeights &lead, bool by_movers,
                           double momentum, double clock) {
    const State &state = base.state();
    const DeltaView mixed = delta_of(state, cells, w, u);
    if (lead.size() != lead_cells.size())
        throw nb::value_error("there must be a lead for each cell");
    const DeltaView before{lead_cells.data(), lead.data(), nullptr, lead.size()};
    std::vector<DeltaView> deltas;
    if (moved_w.size() != moved.size())
        throw nb::value_error("there must be weights for each shard");
    for (std::size_t i = 0; i < moved.size(); ++i) {
        if (moved_w[i].size() != moved[i].size())
            throw nb::value_error("there must be a weight for each cell");
        deltas.push_back({moved[i].data(), moved_w[i].data(), nullptr, moved[i].size()});
    }
    Delta ahead;
    std::vector<double> leads;
    {
        Unlocked release;
        for (const DeltaView &delta : deltas) check_cells(state, delta.cells, delta.size);
        check_cells(state, mixed.cells, mixed.size);
        check_cells(state, before.cells, before.size);
        ahead.cells.assign(mixed.cells, mixed.cells + mixed.size);
        ahead.w.assign(mixed.w, mixed.w + mixed.size);
        if (mixed.u) ahead.u.assign(mixed.u, mixed.u + mixed.size);
        leads = Acceleration(state, deltas, before, by_movers, momentum, clock).apply(ahead);
    }
    return nb::make_tuple(own_vector(std::move(ahead.w)),
                          state.averaged ? nb::cast(own_vector(std::move(ahead.u))) : nb::none(),
                          own_vector(std::move(leads)));
}

// Parts are of ascending ranges of cells; several threads assign one each, to all states.
void assign(const std::vector<TrainingState *> &trainings, const std::vector<CellList> &cells,
            const std::vector<CellWeights> &w, const std::vector<std::optional<CellWeights>> &u,
            std::size_t n_threads) {
    if (w.size() != cells.size() || u.size() != cells.size())
        throw nb::value_error("there must be as many weights as cells");
    std::vector<DeltaView> parts;
    if (trainings.empty()) return;
    for (std::size_t i = 0; i < cells.size(); ++i)
        parts.push_back(delta_of(trainings[0]->state(), cells[i], w[i], u[i]));
    Unlocked release;
    std::vector<std::unique_lock<std::mutex>> locks;
    for (TrainingState *training : trainings) {
        locks.push_back(training->lock());
        check_alike(training->state(), trainings[0]->state());
    }
    std::int64_t last = -1;
    for (const DeltaView &part : parts) {
        check_cells(trainings[0]->state(), part.cells, part.size);
        if (part.size && part.cells[0] <= last)
            throw std::invalid_argument("parts of cells that overlap");
        if (part.size) last = part.cells[part.size - 1];
    }
    // What lies in cells grows where a new one is touched.
    const bool alone = std::any_of(trainings.begin(), trainings.end(), [](TrainingState *one) {
        return one->state().touched != nullptr;
    });
    Team team(n_threads);
    if (alone) {
        team.run(trainings.size(), [&](std::size_t job, std::size_t) {
            for (const DeltaView &part : parts) assign_cells(trainings[job]->state(), part);
        });
        return;
    }
    team.run(parts.size(), [&](std::size_t job, std::size_t) {
        for (TrainingState *training : trainings) assign_cells(training->state(), parts[job]);
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
    nb::class_<KeptColumns>(module, "KeptColumns", "What columns of a state and its bias hold.")
        .def("__init__", &keep_columns, nb::arg("state"), nb::arg("columns").noconvert())
        .def("take_back", &take_back, nb::arg("state"), nb::arg("some").noconvert().none(),
             "Let them hold that again; (cells, w, u or None) that had moved, of some columns "
             "where no others can have.");
    module.def("distinct_columns", &distinct_columns, nb::arg("examples"),
               "Columns in which the rows of an epoch hold something, ascending.");
    module.def("moved_cells", &moved_cells, nb::arg("state"), nb::arg("base"),
               nb::arg("columns").noconvert(),
               "(cells, w, u or None) that differ in these columns and in the bias.");
    module.def("mix_cells", &mix_cells, nb::arg("base"), nb::arg("cells").noconvert(),
               nb::arg("w").noconvert(), nb::arg("u").noconvert(), nb::arg("shares").noconvert(),
               nb::arg("clocks").noconvert(), nb::arg("clock"),
               "(cells, w, u or None) of the mixture of what the shards moved.");
    module.def("accelerate_cells", &accelerate_cells, nb::arg("base"), nb::arg("moved").noconvert(),
               nb::arg("moved_w").noconvert(), nb::arg("cells").noconvert(),
               nb::arg("w").noconvert(), nb::arg("u").noconvert().none(),
               nb::arg("lead_cells").noconvert(), nb::arg("lead").noconvert(), nb::arg("by_movers"),
               nb::arg("momentum"), nb::arg("clock"),
               "(w, u or None, lead) of the cells of a mixture of equal shares.");
    module.def("assign_cells", &assign, nb::arg("states"), nb::arg("cells").noconvert(),
               nb::arg("w").noconvert(), nb::arg("u").noconvert(), nb::arg("n_threads"),
               "Cells of all states, which are of one shape, hold these numbers from now on.");
    module.def("note_corrected", &note_corrected, nb::arg("state"),
               "Note from now on which rows are corrected.");
    module.def(
        "corrected_columns", &corrected_columns, nb::arg("state"), nb::arg("examples"),
        nb::arg("most"),
        "Columns in which the rows that were corrected hold something, ascending; None where "
        "they hold more than so many values. Nothing is noted any more.");
    module.def("copy_cells", &copy_from, nb::arg("state"), nb::arg("source"),
               nb::arg("cells").noconvert());
}

}  // namespace hardlimit
