#include "loops/covariance.hpp"

#include "loops/lesson.hpp"
#include "loops/online.hpp"

namespace hardlimit {

std::int64_t present_diagonal(const Lesson &lesson, std::int64_t begin, std::int64_t work_limit) {
    return std::visit(
        [&]<class Rows>(const Rows &rows) {
            Covariance<Rows, Diagonal<Rows>> learner(rows, lesson.examples, lesson.state,
                                                     lesson.rule);
            return present(learner, begin, work_limit);
        },
        lesson.rows);
}

}  // namespace hardlimit
