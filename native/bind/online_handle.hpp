// The loops over rows as Python drives them: online, batch, worst; what they move is a training
// state.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bind/names.hpp"
#include "bind/training_state.hpp"
#include "loops/batch.hpp"
#include "loops/lesson.hpp"
#include "loops/spectrum.hpp"
#include "loops/worst.hpp"
#include "readouts/votes.hpp"
#include "skipping/skipping.hpp"

namespace hardlimit {

class Online : public TrainingState {
  public:
    Online(std::shared_ptr<Rule> rule, const std::string &scheme, std::int64_t n_columns,
           std::int64_t n_outputs, bool averaged)
        : TrainingState(std::move(rule), scheme, n_columns, n_outputs, averaged, true) {}

    std::int64_t present(ExamplesHandle &handle, std::int64_t begin, std::int64_t work_limit) {
        if (begin < 0) throw nb::value_error("an epoch begins at 0");
        const InUse use(handle);
        return learn_with_lock([&] {
            prepare(handle);
            Skipping *skipping = skipped_ == &handle ? skipping_.get() : nullptr;
            return hardlimit::present(lesson(handle), skipping, begin, work_limit);
        });
    }

    // From now on rows of these examples that provably call for nothing are not visited, where the
    // rule allows that: whether it does. `epochs` are those that will certainly be run, or 0.
    // Nothing but presentations may move the weights until the end.
    bool begin_skipping(const ExamplesHandle &handle, bool always, std::int64_t epochs) {
        return look([&] {
            if (!may_skip(*rule_, state_)) return false;
            skipping_ = std::make_unique<Skipping>(always, epochs);
            skipped_ = &handle;
            return true;
        });
    }
    void end_skipping() {
        look([&] { skipping_.reset(); });
    }
    // Products with weights since they were taken last, where rows may be skipped.
    std::optional<std::int64_t> take_products() {
        return look(
            [&] { return skipping_ ? std::optional(skipping_->take_products()) : std::nullopt; });
    }

    // The same at fixed weights, for a batch: violators are gathered from begin = 0 on.
    std::int64_t gather(ExamplesHandle &handle, std::int64_t begin, std::int64_t work_limit) {
        const InUse use(handle);
        return learn_with_lock([&] {
            state_.spread_cells();  // a batch adds up the direction of all weights
            prepare(handle);
            return hardlimit::gather(lesson(handle), batch_, begin, work_limit);
        });
    }

    // Adds the corrections that were gathered: violators and whether the weights moved, for each
    // counter.
    std::vector<std::tuple<std::int64_t, bool>> apply(ExamplesHandle &handle,
                                                      const std::string &combine) {
        const Combine how = parse_combine(combine);
        const InUse use(handle);
        return learn_with_lock([&] {
            prepare(handle);
            auto found = hardlimit::apply(lesson(handle), batch_, how);
            ++state_.presentations;
            return found;
        });
    }

    // Begins a search for the worst example, with so many bytes for rows of the Gram matrix.
    void begin_worst(const ExamplesHandle &handle, std::size_t bytes) {
        look([&] {
            worst_ = {};
            worst_.room = bytes / (8 * static_cast<std::size_t>(handle.rows.set().n_rows) + 64);
        });
    }

    // Up to `steps` steps of it: how many were made, and whether it has come to its end.
    std::tuple<std::int64_t, bool> search(ExamplesHandle &handle, std::int64_t steps,
                                          std::int64_t work_limit) {
        const InUse use(handle);
        return learn_with_lock([&] {
            prepare(handle);
            const auto [made, ended] = search_worst(lesson(handle), worst_, steps, work_limit);
            return std::make_tuple(made, ended);
        });
    }

    // The largest eigenvalue of sum x x' / ||x||^2 over the rows that are present.
    double largest_eigenvalue(ExamplesHandle &handle) {
        const InUse use(handle);
        return with_lock([&] {
            check(handle);
            return hardlimit::largest_eigenvalue(*any_rows(handle.rows.storage), handle.examples);
        });
    }

    // For each counter: rows whose margin is at most 0, and rows short of what the rule requires,
    // its noise guards left out.
    std::vector<std::tuple<std::int64_t, std::int64_t>> verify(ExamplesHandle &handle) {
        const InUse use(handle);
        return learn_with_lock([&] {
            prepare(handle);
            return hardlimit::verify(
                {handle.rows.storage, handle.examples, state_, rule_->unguarded()});
        });
    }

    // The last hypothesis ends its life; nothing is learnt after that.
    void close(ExamplesHandle &handle) {
        const InUse use(handle);
        with_lock([&] {
            if (!state_.hypotheses) return;
            check(handle);
            end_last_life(lesson(handle));
        });
    }

    // The logged hypotheses, to vote; of the rows that were learnt from only those that corrected.
    Votes votes(ExamplesHandle &handle) {
        const InUse use(handle);
        return with_lock([&] {
            if (const Needs needs = rule_->needs(); needs.kind != Kind::additive || needs.linked)
                throw nb::value_error("votes are for rules that add examples to the weights");
            check(handle);
            return votes_of(*any_rows(handle.rows.storage), state_);
        });
    }

  private:
    Lesson lesson(ExamplesHandle &handle) {
        return {handle.rows.storage, handle.examples, state_, *rule_};
    }

    void check(const ExamplesHandle &handle) const {
        if (handle.rows.set().n_columns != state_.n_columns)
            throw nb::value_error("the rows have another number of columns");
        if (!handle.fits(state_.scheme, state_.n_outputs))
            throw nb::value_error("a target has no output");
    }

    void prepare(ExamplesHandle &handle) {
        check(handle);
        // Dense rows touch every column.
        if (!handle.rows.is_sparse()) state_.spread_cells();
        make_room(handle);
    }

    Batch batch_;
    WorstScores worst_;
    std::unique_ptr<Skipping> skipping_;
    const ExamplesHandle *skipped_ = nullptr;  // whose rows these are
};

}  // namespace hardlimit
