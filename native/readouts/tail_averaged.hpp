#pragma once
#include <algorithm>

#include "readouts/hypotheses.hpp"
#include "state/state.hpp"

namespace hardlimit {

// The mean of the weights after the presentations s .. n, s the largest power of two <= n / 2.
//
// Presentations lie in windows that begin at 1, 2, 4, 8, ...; two sums are kept, of the window
// under way and of the one before it, and together they reach back to s.
class TailAveraged final : public Readout {
  public:
    TailAveraged(std::int64_t n_counters, std::uint64_t)
        : windows_(static_cast<std::size_t>(n_counters)) {}

    void end_life(const State &state, const Life &life, const TrainingErrors &) override {
        if (recent_.empty()) begin_sums(state);
        auto &window = windows_[static_cast<std::size_t>(life.counter)];
        // Presentation 0 is the weights at the start, which answered none.
        for (std::int64_t t = std::max<std::int64_t>(life.born, 1); t < life.end;) {
            while (t >= 2 * window.begin) begin_window(state, life.counter);
            const auto stop = std::min(life.end, 2 * window.begin);
            add(state, life.counter, static_cast<double>(stop - t));
            window.last = stop - 1;
            t = stop;
        }
    }

    const Zeroed<double> *weights() const override {
        if (recent_.empty()) return nullptr;
        mean_.resize(recent_.size());
        for (std::size_t j = 0; j < recent_.size(); ++j) {
            const auto &window = windows_[counter_of_[j % counter_of_.size()]];
            const auto first = std::max<std::int64_t>(window.begin / 2, 1);
            const auto count = std::max<std::int64_t>(window.last - first + 1, 1);
            mean_[j] = (older_[j] + recent_[j]) / static_cast<double>(count);
        }
        return &mean_;
    }

  private:
    struct Window {
        std::int64_t begin = 1, last = 0;
    };

    void begin_sums(const State &state) {
        recent_.resize(state.w.size());
        older_.resize(state.w.size());
        counter_of_.resize(static_cast<std::size_t>(state.n_outputs));
        for (std::size_t counter = 0; counter < windows_.size(); ++counter) {
            const auto number = static_cast<std::int64_t>(counter);
            for (auto k = state.first_of(number); k < state.end_of(number); ++k)
                counter_of_[static_cast<std::size_t>(k)] = counter;
        }
    }

    template <class F>
    void for_each_weight(const State &state, std::int64_t counter, F &&visit) {
        for (std::int64_t c = 0; c <= state.n_columns; ++c)
            for (std::int64_t k = state.first_of(counter); k < state.end_of(counter); ++k)
                visit(static_cast<std::size_t>(c * state.n_outputs + k));
    }

    void begin_window(const State &state, std::int64_t counter) {
        windows_[static_cast<std::size_t>(counter)].begin *= 2;
        for_each_weight(state, counter, [this](std::size_t j) {
            older_[j] = recent_[j];
            recent_[j] = 0;
        });
    }

    void add(const State &state, std::int64_t counter, double times) {
        const double shrinkage = state.counter(counter).shrinkage;
        for_each_weight(state, counter,
                        [&](std::size_t j) { recent_[j] += times * (shrinkage * state.w[j]); });
    }

    std::vector<Window> windows_;
    std::vector<std::size_t> counter_of_;  // by output
    Zeroed<double> recent_, older_;
    mutable Zeroed<double> mean_;
};

}  // namespace hardlimit
