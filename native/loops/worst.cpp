#include "loops/worst.hpp"

#include "loops/lesson.hpp"

namespace hardlimit {

WorstSearch search_worst(const Lesson &lesson, WorstScores &kept, std::int64_t steps,
                         std::int64_t work_limit) {
    const auto rows = any_rows(lesson.rows);
    Worst learner(*rows, lesson.examples, lesson.state, lesson.rule, kept);
    return learner.search(steps, work_limit);
}

}  // namespace hardlimit
