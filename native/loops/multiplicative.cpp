#include "loops/multiplicative.hpp"

#include "loops/lesson.hpp"
#include "loops/online.hpp"

namespace hardlimit {

std::int64_t present_multiplicative(const Lesson &lesson, std::int64_t begin,
                                    std::int64_t work_limit) {
    return std::visit(
        [&]<class Rows>(const Rows &rows) {
            Multiplicative<Rows> learner(rows, lesson.examples, lesson.state, lesson.rule);
            return present(learner, begin, work_limit);
        },
        lesson.rows);
}

}  // namespace hardlimit
