// A correction costs O(columns^2): the layout of the rows is no matter.
#include "loops/covariance.hpp"
#include "loops/lesson.hpp"
#include "loops/online.hpp"
#include "state/any_rows.hpp"

namespace hardlimit {

std::int64_t present_full(const Lesson &lesson, std::int64_t begin, std::int64_t work_limit) {
    const auto rows = any_rows(lesson.rows);
    Covariance<AnyRows, Full<AnyRows>> learner(*rows, lesson.examples, lesson.state, lesson.rule);
    return present(learner, begin, work_limit);
}

}  // namespace hardlimit
