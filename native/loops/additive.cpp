#include "loops/additive.hpp"

#include "loops/lesson.hpp"
#include "loops/online.hpp"
#include "skipping/skipping.hpp"

namespace hardlimit {

std::int64_t present_additive(const Lesson &lesson, Skipping *skipping, std::int64_t begin,
                              std::int64_t work_limit) {
    return std::visit(
        [&]<class Rows>(const Rows &rows) {
            Additive<Rows> learner(rows, lesson.examples, lesson.state, lesson.rule);
            if (skipping) return present(learner, *skipping, begin, work_limit);
            return present(learner, begin, work_limit);
        },
        lesson.rows);
}

}  // namespace hardlimit
