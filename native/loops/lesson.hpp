// What the loops are asked for, whatever the layout of the rows and the kind of the rule: each is
// compiled in a file of its own.
#pragma once
#include <cstdint>
#include <tuple>
#include <vector>

#include "rows/examples.hpp"
#include "rows/rows.hpp"
#include "state/state.hpp"

namespace hardlimit {

class Skipping;
struct Batch;
struct WorstScores;
struct WorstSearch;
enum class Combine;

// A rule learns from examples, and moves a state.
struct Lesson {
    const StoredRows &rows;
    Examples &examples;
    State &state;
    const Rule &rule;
};

// Presents rows one by one, from position `begin` of the epoch on, until its end or the limit of
// non-zeros; the position reached. With `skipping`, rows that provably need no correction are left
// out, where the rule allows that.
std::int64_t present(const Lesson &lesson, Skipping *skipping, std::int64_t begin,
                     std::int64_t work_limit);
// By kind of rule.
std::int64_t present_additive(const Lesson &lesson, Skipping *skipping, std::int64_t begin,
                              std::int64_t work_limit);
std::int64_t present_multiplicative(const Lesson &lesson, std::int64_t begin,
                                    std::int64_t work_limit);
std::int64_t present_diagonal(const Lesson &lesson, std::int64_t begin, std::int64_t work_limit);
std::int64_t present_full(const Lesson &lesson, std::int64_t begin, std::int64_t work_limit);

// The same at fixed weights, for a batch: violators are gathered.
std::int64_t gather(const Lesson &lesson, Batch &batch, std::int64_t begin,
                    std::int64_t work_limit);
// Adds the corrections that were gathered: violators and whether the weights moved, for each
// counter.
std::vector<std::tuple<std::int64_t, bool>> apply(const Lesson &lesson, Batch &batch, Combine how);

// Up to so many steps of the order `worst`.
WorstSearch search_worst(const Lesson &lesson, WorstScores &kept, std::int64_t steps,
                         std::int64_t work_limit);

// For each counter: rows whose margin is at most 0, and rows short of what the rule requires.
std::vector<std::tuple<std::int64_t, std::int64_t>> verify(const Lesson &lesson);

// The last hypothesis ends its life.
void end_last_life(const Lesson &lesson);

}  // namespace hardlimit
