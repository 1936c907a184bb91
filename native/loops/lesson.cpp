#include "loops/lesson.hpp"

namespace hardlimit {

std::int64_t present(const Lesson &lesson, Skipping *skipping, std::int64_t begin,
                     std::int64_t work_limit) {
    const Needs needs = lesson.rule.needs();
    if (needs.kind == Kind::multiplicative)
        return present_multiplicative(lesson, begin, work_limit);
    if (needs.kind == Kind::additive) return present_additive(lesson, skipping, begin, work_limit);
    return needs.full ? present_full(lesson, begin, work_limit)
                      : present_diagonal(lesson, begin, work_limit);
}

}  // namespace hardlimit
