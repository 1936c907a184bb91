#include "loops/batch.hpp"

#include "loops/lesson.hpp"
#include "loops/online.hpp"
#include "state/any_rows.hpp"

namespace hardlimit {

std::int64_t gather(const Lesson &lesson, Batch &batch, std::int64_t begin,
                    std::int64_t work_limit) {
    if (begin == 0) batch.violators.assign(lesson.state.counters.size(), {});
    return std::visit(
        [&]<class Rows>(const Rows &rows) {
            ViolatorGathering<Rows> learner(rows, lesson.examples, lesson.state, lesson.rule,
                                            batch);
            return present(learner, begin, work_limit);
        },
        lesson.rows);
}

std::vector<std::tuple<std::int64_t, bool>> apply(const Lesson &lesson, Batch &batch, Combine how) {
    const auto rows = any_rows(lesson.rows);
    ViolatorGathering learner(*rows, lesson.examples, lesson.state, lesson.rule, batch);
    std::vector<std::tuple<std::int64_t, bool>> found;
    for (std::int64_t k = 0; k < lesson.state.n_counters(); ++k) {
        const auto n = batch.violators.at(static_cast<std::size_t>(k)).size();
        found.emplace_back(n, n > 0 && learner.apply(k, how));
    }
    return found;
}

}  // namespace hardlimit
