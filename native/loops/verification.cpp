#include "loops/verification.hpp"

#include "loops/covariance.hpp"
#include "loops/lesson.hpp"
#include "state/any_rows.hpp"

namespace hardlimit {

std::vector<std::tuple<std::int64_t, std::int64_t>> verify(const Lesson &lesson) {
    const auto rows = any_rows(lesson.rows);
    const auto with = [&](auto learner) { return verify_all(learner, lesson.rule); };
    const Needs needs = lesson.rule.needs();
    if (needs.kind != Kind::covariance)
        return with(RuleEvaluation<AnyRows>(*rows, lesson.examples, lesson.state, lesson.rule));
    if (needs.full)
        return with(
            Covariance<AnyRows, Full<AnyRows>>(*rows, lesson.examples, lesson.state, lesson.rule));
    return with(
        Covariance<AnyRows, Diagonal<AnyRows>>(*rows, lesson.examples, lesson.state, lesson.rule));
}

void end_last_life(const Lesson &lesson) {
    State &state = lesson.state;
    const auto rows = any_rows(lesson.rows);
    const ErrorsOfRows errors(*rows, lesson.examples, state);
    for (std::int64_t k = 0; k < state.n_counters(); ++k)
        state.hypotheses->end_life(state, k, state.presentations + 1, errors);
}

}  // namespace hardlimit
