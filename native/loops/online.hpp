// The one online loop: rows are presented in order, a rule is asked, violators move the weights.
#pragma once
#include "loops/schemes.hpp"

namespace hardlimit {

// Weights larger than this lie outside the processor's caches and are worth fetching ahead.
constexpr std::size_t beyond_cache = std::size_t{8} << 20;

// Presents the rows at positions begin, begin + 1, ... of the epoch until its end, or until about
// `work_limit` non-zeros have been seen, so that the caller can look at signals; returns the
// position reached.
template <class Learner, class Scheme>
std::int64_t present(Learner &learner, Scheme scheme, std::int64_t begin, std::int64_t work_limit) {
    // Where a row begins is looked up before the row: that look-up would miss the caches, too.
    constexpr std::int64_t starts_ahead = 16, rows_ahead = 8, weights_ahead = 2;
    const auto &rows = learner.rows();
    const std::int64_t *order = learner.examples().order;
    const std::int64_t length = learner.examples().length;
    State &state = learner.state();
    const Cells *touched = state.touched.get();
    const bool far = !touched && state.w.size() * sizeof(double) > beyond_cache;
    const bool by_length = learner.needs().sqnorm, by_example = learner.needs().example;
    const auto row_at = [&](std::int64_t position) {
        const std::int64_t within = std::min(position, length - 1);
        return order ? order[within] : within;
    };
    std::int64_t position = begin;
    for (; position < length && work_limit > 0; ++position) {
        const std::int64_t i = row_at(position);
        if (far)
            rows.prefetch_weights(row_at(position + weights_ahead), state.w.data(),
                                  state.n_outputs);
        if (touched) rows.prefetch_columns(row_at(position + 1), Cells::View(*touched, 0));
        const std::int64_t coming = row_at(position + rows_ahead);
        rows.prefetch_start(row_at(position + starts_ahead));
        prefetch(learner.examples().targets_of(coming));
        if (by_length) rows.prefetch_norm(coming);
        if (by_example) learner.prefetch_example(coming);
        scheme.present(i, coming);
        learner.presented();
        work_limit -= rows.work(i) * state.n_outputs + 16;
    }
    return position;
}

// The same in the state's own scheme.
template <class Learner>
std::int64_t present(Learner &learner, std::int64_t begin, std::int64_t work_limit) {
    if (learner.state().scheme == SchemeName::single)
        return present(learner, Single<Learner>{learner}, begin, work_limit);
    return present(learner, Many<Learner>{learner, Scores(learner.state().n_outputs)}, begin,
                   work_limit);
}

}  // namespace hardlimit
