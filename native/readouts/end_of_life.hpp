// The end of a hypothesis' life: see hypotheses.hpp.
#pragma once
#include "loops/schemes.hpp"

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
        const auto &s = scores.of(rows, i, state.w.data(), state.outputs());
        margins_of(s.data(), examples, i, state,
                   [&](std::int64_t k, double margin, double, const Moves &) {
                       mistakes += k == counter && !(margin > 0);
                   });
    }
    return mistakes;
}

inline void copy_hypothesis(const State &state, std::int64_t k, Kept &kept) {
    if (kept.w.empty()) kept.w.resize(state.w.size());
    const double shrinkage = state.counter(k).shrinkage;
    for (std::int64_t c = 0; c <= state.n_columns; ++c)
        for (std::int64_t output = state.first_of(k); output < state.end_of(k); ++output) {
            const auto j = static_cast<std::size_t>(c * state.n_outputs + output);
            kept.w[j] = shrinkage * state.w[j];
        }
}

// The hypothesis of counter k dies at presentation `now`: is it one to keep?
template <class Errors>
void end_of_life(State &state, std::int64_t k, std::int64_t now, Errors errors_of) {
    Hypotheses &h = *state.hypotheses;
    const auto at = static_cast<std::size_t>(k);
    const std::int64_t born = h.born[at], run = now - 1 - born;
    // A vector that was corrected into being counts that presentation, the one at the start not.
    const std::int64_t life = now - (born > 1 ? born : 1);
    if (h.longest.wanted && life > h.longest.record[at]) {
        h.longest.record[at] = life;
        copy_hypothesis(state, k, h.longest);
    }
    if (h.pocket.wanted && run > h.pocket.record[at]) {
        h.pocket.record[at] = run;
        copy_hypothesis(state, k, h.pocket);
    }
    if (h.ratchet.wanted && run > h.ratchet.record[at]) {
        const std::int64_t errors = errors_of(k, h.errors[at]);
        if (errors < h.errors[at]) {
            h.errors[at] = errors;
            // As if it had been asked while it lived: at the first run beyond the record, once.
            ++h.ratchet.record[at];
            copy_hypothesis(state, k, h.ratchet);
        }
    }
    if (h.random.wanted) {
        std::int64_t &lives = h.random.record[at];
        lives = (lives < 0 ? 0 : lives) + now - born;
        if (static_cast<std::int64_t>(h.chance.below(static_cast<std::uint64_t>(lives))) <
            now - born)
            copy_hypothesis(state, k, h.random);
    }
    h.born[at] = now;
}

}  // namespace hardlimit
