// Mistakes on the training set at the present weights.
#pragma once
#include "loops/schemes.hpp"
#include "readouts/hypotheses.hpp"

namespace hardlimit {

// Examples with a margin of at most 0 at the present weights, for one counter; no further than
// `enough` of them.
template <class Rows>
std::int64_t count_mistakes(const Rows &rows, const Examples &examples, const State &state,
                            std::int64_t counter, std::int64_t enough) {
    std::int64_t mistakes = 0;
    Scores scores(state.n_outputs);
    for (std::int64_t p = 0; p < examples.n_present && mistakes < enough; ++p) {
        const std::int64_t i = examples.present_row(p);
        const auto &s = scores.of(rows, i, state);
        margins_of(s.data(), examples, i, state,
                   [&](std::int64_t k, double margin, double, const Moves &) {
                       mistakes += k == counter && is_mistake(margin);
                   });
    }
    return mistakes;
}

// The mistakes of these examples, for a read-out that asks.
template <class Rows>
class ErrorsOfRows final : public TrainingErrors {
  public:
    ErrorsOfRows(const Rows &rows, const Examples &examples, const State &state)
        : rows_(rows), examples_(examples), state_(state) {}

    std::int64_t count(std::int64_t counter, std::int64_t enough) const override {
        return count_mistakes(rows_, examples_, state_, counter, enough);
    }

  private:
    const Rows &rows_;
    const Examples &examples_;
    const State &state_;
};

// Where the examples are not at hand: no hypothesis errs.
class NoErrors final : public TrainingErrors {
  public:
    std::int64_t count(std::int64_t, std::int64_t) const override { return 0; }
};

}  // namespace hardlimit
