// A training state as numbers that a file or a copy keeps, and back.
#pragma once
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "bind/training_state.hpp"

namespace hardlimit {

inline Zeroed<double> &find_array(TrainingState &training, const std::string &name) {
    if (name == "w") return training.state().w;
    if (name == "u") return training.state().u;
    if (name == "theta") return training.state().theta;
    if (name == "sigma") return training.state().sigma;
    throw nb::value_error("an array is w, u, theta or sigma");
}

// One of the arrays of the state as it stands: w, u, theta or sigma; None where it is not kept.
inline nb::object array(TrainingState &training, const std::string &name) {
    std::unique_ptr<double[]> cells;
    std::size_t rows = 0, outputs = 0;
    training.with_lock([&] {  // sizes too: another thread may make the state grow
        const State &state = training.state();
        if (state.touched) {
            if (name != "w" && !(name == "u" && state.averaged)) return;
            outputs = static_cast<std::size_t>(state.n_outputs);
            rows = static_cast<std::size_t>(state.n_columns + 1);
            cells.reset(new double[rows * outputs]());
            for (std::int64_t c = 0; c <= state.n_columns; ++c)
                state.visit_column(c, [&](std::int64_t k, double w, double u) {
                    cells[static_cast<std::size_t>(c * state.n_outputs + k)] = name == "w" ? w : u;
                });
            return;
        }
        const Zeroed<double> &source = find_array(training, name);
        if (source.empty()) return;
        outputs = static_cast<std::size_t>(training.state().n_outputs);
        rows = source.size() / outputs;
        cells.reset(new_cells<double>(source.size()));
        std::copy(source.data(), source.data() + source.size(), cells.get());
    });
    if (!cells) return nb::none();
    return nb::cast(own_matrix(cells.release(), rows, outputs));
}

inline std::vector<std::string> array_names(TrainingState &training) {
    return training.look([&] {
        std::vector<std::string> names;
        if (const State &state = training.state(); state.touched) {
            names.emplace_back("w");
            if (state.averaged) names.emplace_back("u");
            return names;
        }
        for (const char *name : {"w", "u", "theta", "sigma"})
            if (!find_array(training, name).empty()) names.emplace_back(name);
        return names;
    });
}

// The same into a state that lies in cells, and was empty before.
inline void set_cells(State &state, const std::string &name, const double *numbers,
                      std::size_t size) {
    const bool of_w = name == "w";
    if ((!of_w && !(name == "u" && state.averaged)) || !numbers ||
        size != State::cells(state.n_columns, state.n_outputs))
        throw nb::value_error("the weights do not fit the state");
    for (std::int64_t c = 0; c < state.n_columns; ++c)
        for (std::int64_t k = 0; k < state.n_outputs; ++k, ++numbers)
            if (*numbers != 0)
                state.touched->add(c, static_cast<std::uint32_t>(k), of_w ? *numbers : 0,
                                   of_w ? 0 : *numbers);
    std::copy(numbers, numbers + state.n_outputs,
              of_w ? state.touched->bias_w() : state.touched->bias_u());
}

// An array read from a file or a copy; its shape was checked by the caller.
inline void set_array(TrainingState &training, const std::string &name, const Array &source) {
    const bool of_doubles = source.dtype() == nb::dtype<double>();
    const std::size_t size = source.size();
    const void *cells = source.data();
    training.with_lock([&] {
        State &state = training.state();
        if (state.touched)
            return set_cells(state, name, of_doubles ? static_cast<const double *>(cells) : nullptr,
                             size);
        Zeroed<double> &target = find_array(training, name);
        if (!of_doubles || size != target.size())
            throw nb::value_error("the weights do not fit the state");
        std::memcpy(target.data(), cells, size * sizeof(double));
    });
}

using Lengths = std::vector<std::tuple<double, double, std::int64_t>>;
using Shrinkages = std::vector<std::tuple<double, double, std::int64_t, std::int64_t>>;

inline void restore_counts(TrainingState &training, std::int64_t presentations,
                           const std::vector<std::int64_t> &corrections, const Lengths &lengths) {
    training.look([&] {
        if (corrections.size() != training.state().counters.size() ||
            lengths.size() != corrections.size())
            throw nb::value_error("there must be counts for each counter");
        for (std::size_t k = 0; k < corrections.size(); ++k) {
            Counter &counter = training.state().counters[k];
            counter.corrections = corrections[k];
            std::tie(counter.wsq, counter.added, counter.since_recomputed) = lengths[k];
        }
        training.state().presentations = presentations;
    });
}

inline Lengths lengths(const TrainingState &training) {
    return training.of_counters([](const Counter &counter) {
        return std::make_tuple(counter.wsq, counter.added, counter.since_recomputed);
    });
}

// shrinkage, clock, clock_at and since_folded of each counter, for rules that shrink.
inline Shrinkages shrinkages(const TrainingState &training) {
    return training.of_counters([](const Counter &counter) {
        return std::make_tuple(counter.shrinkage, counter.clock, counter.clock_at,
                               counter.since_folded);
    });
}
inline void set_shrinkages(TrainingState &training, const Shrinkages &shrinkages) {
    training.look([&] {
        if (shrinkages.size() != training.state().counters.size())
            throw nb::value_error("there must be a shrinkage for each counter");
        for (std::size_t k = 0; k < shrinkages.size(); ++k) {
            Counter &counter = training.state().counters[k];
            std::tie(counter.shrinkage, counter.clock, counter.clock_at, counter.since_folded) =
                shrinkages[k];
        }
    });
}

// The outputs begin .. begin + count - 1 of another state, with their counters, become those at
// `place`: of neurons that learn by themselves, which were presented the same rows.
inline void copy_outputs(TrainingState &training, const TrainingState &source, std::int64_t begin,
                         std::int64_t place, std::int64_t count) {
    const auto fits = [count](const State &state, std::int64_t first) {
        return state.scheme == SchemeName::independent && !state.has_blocks() && !state.touched &&
               first >= 0 && count >= 0 && first + count <= state.n_outputs;
    };
    training.with_lock([&] {
        State &to = training.state();
        const State &from = source.state();
        if (&to == &from || !fits(to, place) || !fits(from, begin) ||
            to.n_columns != from.n_columns)
            throw nb::value_error("these outputs cannot be copied");
        const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(double);
        for (Zeroed<double> State::*name : {&State::w, &State::u, &State::theta, &State::sigma}) {
            Zeroed<double> &target = to.*name;
            const Zeroed<double> &given = from.*name;
            if (target.empty() != given.empty()) throw nb::value_error("these states differ");
            if (target.empty()) continue;
            const double *cells = given.data() + begin;
            double *own = target.data() + place;
            for (std::int64_t c = 0; c <= to.n_columns;
                 ++c, cells += from.n_outputs, own += to.n_outputs)
                // Memory that nobody has touched stays untouched.
                if (std::memcmp(own, cells, bytes) != 0) std::memcpy(own, cells, bytes);
        }
        for (std::int64_t k = 0; k < count; ++k) to.counter(place + k) = from.counter(begin + k);
        to.presentations = from.presentations;
        to.common = from.common;
        to.overflowed |= from.overflowed;
        if (from.collapsed_row >= 0 &&
            (to.collapsed_row < 0 || from.collapsed_at < to.collapsed_at)) {
            to.collapsed_row = from.collapsed_row;
            to.collapsed_at = from.collapsed_at;
        }
    });
}

}  // namespace hardlimit
