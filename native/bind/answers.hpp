// What a training state answers: scores and weights of a mixture, and hypotheses that were kept.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bind/training_state.hpp"
#include "readouts/hypotheses.hpp"
#include "readouts/mixture.hpp"
#include "state/any_rows.hpp"

namespace hardlimit {

template <class Number, class Cell>
MatrixOf<Number> filled(TrainingState &training, const Mixture &mixture, Cell cell) {
    std::unique_ptr<Number[]> cells;
    std::size_t rows = 0, outputs = 0;
    training.with_lock([&] {
        rows = static_cast<std::size_t>(training.state().n_columns + 1);
        outputs = static_cast<std::size_t>(training.state().n_outputs);
        const Factors of(training.state(), mixture);
        cells.reset(new_cells<Number>(rows * outputs));
        for (std::size_t j = 0; j < rows * outputs; ++j)
            cells[j] = static_cast<Number>(cell(j, of));
    });
    return own_matrix(cells.release(), rows, outputs);
}

// The mixture of a state that lies in cells, as an array.
template <class Number>
MatrixOf<Number> spread(TrainingState &training, const Mixture &mixture) {
    Zeroed<Number> cells;
    std::size_t rows = 0, outputs = 0;
    training.with_lock([&] {
        const State &state = training.state();
        const Factors of(state, mixture);
        rows = static_cast<std::size_t>(state.n_columns + 1);
        outputs = static_cast<std::size_t>(state.n_outputs);
        cells.resize(rows * outputs);
        for (std::size_t c = 0; c < rows; ++c)
            state.visit_column(
                static_cast<std::int64_t>(c), [&](std::int64_t k, double w, double u) {
                    const auto output = static_cast<std::size_t>(k);
                    cells[c * outputs + output] = static_cast<Number>(of.of_cell(output, w, u));
                });
    });
    return own_zeroed(std::move(cells), rows, outputs);
}

inline Matrix score_mixture(TrainingState &training, const RowsHandle &rows, double of_last,
                            double of_sum, double divisor) {
    std::vector<double> found;
    std::size_t n_outputs = 0;
    training.with_lock([&] {
        if (rows.set().n_columns != training.state().n_columns)
            throw nb::value_error("the rows have another number of columns");
        n_outputs = static_cast<std::size_t>(training.state().n_outputs);
        found.resize(static_cast<std::size_t>(rows.set().n_rows) * n_outputs);
        mix_scores(*any_rows(rows.storage), training.state(), {of_last, of_sum, divisor},
                   found.data());
    });
    Matrix result = make_matrix<double>(static_cast<std::size_t>(rows.set().n_rows), n_outputs);
    std::copy(found.begin(), found.end(), result.data());
    return result;
}

// The mixture as (n_columns + 1, n_outputs), in double or single precision.
inline nb::object weights(TrainingState &training, double of_last, double of_sum, double divisor,
                          bool single_precision) {
    const Mixture mixture{of_last, of_sum, divisor};
    if (training.state().touched)
        return single_precision ? nb::cast(spread<float>(training, mixture))
                                : nb::cast(spread<double>(training, mixture));
    const auto cell = [&training](std::size_t j, const Factors &of) {
        return of.at(training.state(), j);
    };
    return single_precision ? nb::cast(filled<float>(training, mixture, cell))
                            : nb::cast(filled<double>(training, mixture, cell));
}

// The same for some columns only; the bias is column n_columns.
inline Matrix weights_of(TrainingState &training, const std::vector<std::int64_t> &columns,
                         double of_last, double of_sum, double divisor) {
    std::vector<double> found;
    std::size_t n_outputs = 0;
    training.with_lock([&] {
        n_outputs = static_cast<std::size_t>(training.state().n_outputs);
        const Factors of(training.state(), {of_last, of_sum, divisor});
        for (const std::int64_t column : columns) {
            if (column < 0 || column > training.state().n_columns)
                throw nb::index_error("there is no such column");
            const std::size_t first = found.size();
            found.resize(first + n_outputs);
            if (training.state().touched)
                training.state().visit_column(column, [&](std::int64_t k, double w, double u) {
                    const auto output = static_cast<std::size_t>(k);
                    found[first + output] = of.of_cell(output, w, u);
                });
            else
                for (std::size_t k = 0; k < n_outputs; ++k)
                    found[first + k] =
                        of.at(training.state(), static_cast<std::size_t>(column) * n_outputs + k);
        }
    });
    Matrix result = make_matrix<double>(columns.size(), n_outputs);
    std::copy(found.begin(), found.end(), result.data());
    return result;
}

// A kept hypothesis, in double or single precision: longest, pocket, pocket-ratchet or random.
inline nb::object hypothesis(TrainingState &training, const std::string &name,
                             bool single_precision) {
    // Looked up under the lock: the end of a fit takes the hypotheses away.
    const auto copied = [&]<class Number>(Number) {
        std::unique_ptr<Number[]> cells;
        std::size_t rows = 0, outputs = 0;
        training.with_lock([&] {
            const State &state = training.state();
            const Readout *readout = state.hypotheses ? state.hypotheses->find(name) : nullptr;
            if (!readout || !readout->weights() || readout->weights()->size() != state.w.size())
                throw nb::value_error("nothing was kept under that name");
            const Zeroed<double> &w = *readout->weights();
            outputs = static_cast<std::size_t>(state.n_outputs);
            rows = w.size() / outputs;
            cells.reset(new_cells<Number>(w.size()));
            std::transform(w.data(), w.data() + w.size(), cells.get(),
                           [](double weight) { return static_cast<Number>(weight); });
        });
        return nb::cast(own_matrix(cells.release(), rows, outputs));
    };
    return single_precision ? copied(float()) : copied(double());
}

// From now on, and before the first presentation: remember hypotheses of these kinds.
inline void watch(TrainingState &training, const std::vector<std::string> &names,
                  std::uint64_t seed) {
    training.with_lock([&] {
        State &state = training.state();
        auto hypotheses = std::make_unique<Hypotheses>(state.n_counters());
        for (const auto &name : names) {
            auto readout = make_readout(name, state.n_counters(), seed);
            if (!readout)
                throw nb::value_error(("a kept hypothesis is one of " + readout_names()).c_str());
            // Hypotheses are copied whole when they are kept.
            if (!readout->correction_log()) state.spread_cells();
            hypotheses->add(name, std::move(readout));
        }
        hypotheses->begin(state);
        state.hypotheses = std::move(hypotheses);
    });
}

}  // namespace hardlimit
