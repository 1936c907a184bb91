// One round of examples as Python holds it: rows, what they should be, how much they weigh, in
// which order they come.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <vector>

#include "bind/rows_handle.hpp"
#include "round.hpp"
#include "state.hpp"

namespace hardlimit {

// One class a row, or (rows, labels) zeros and ones.
using Targets = nb::ndarray<const std::int32_t, nb::c_contig, nb::device::cpu>;
using ExampleWeights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Positions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

class RoundHandle {
  public:
    RoundHandle(const RowsHandle &rows, Targets targets, std::optional<ExampleWeights> weights,
                double tol)
        : rows(rows), targets_(std::move(targets)), weights_(std::move(weights)) {
        const auto n = static_cast<std::size_t>(rows.set().n_rows);
        if (targets_.ndim() < 1 || targets_.ndim() > 2 || targets_.shape(0) != n ||
            (weights_ && weights_->size() != n))
            throw nb::value_error("there must be a target (and a weight) for each row");
        if (targets_.ndim() == 2) {
            round.n_labels = static_cast<std::int64_t>(targets_.shape(1));
            if (round.n_labels == 0) throw nb::value_error("there must be a label");
        }
        round.targets = targets_.data();
        round.weights = weights_ ? weights_->data() : nullptr;
        round.length = round.n_present = rows.set().n_rows;
        round.tol = tol;
        for (std::size_t i = 0; i < targets_.size(); ++i) {
            if (round.targets[i] < 0) throw nb::value_error("targets must not be negative");
            highest_target = std::max(highest_target, round.targets[i]);
        }
    }

    // Whether every class, or every label, has its output.
    bool fits(SchemeName scheme, std::int64_t n_outputs) const {
        if (round.n_labels > 0)
            return scheme == SchemeName::independent && round.n_labels == n_outputs &&
                   highest_target < 2;
        return highest_target < (scheme == SchemeName::single ? 2 : n_outputs);
    }

    // The rows that take part, and the order in which they come until another is given.
    void set_present(Positions present) {
        check(present, rows.set().n_rows);
        present_ = std::move(present);
        round.present = present_->data();
        round.n_present = static_cast<std::int64_t>(present_->size());
        set_order(std::nullopt);
    }

    // The rows of one round, by their numbers among those that are present; None: as they lie.
    void set_order(std::optional<Positions> order) {
        if (order) check(*order, round.n_present);
        order_ = std::move(order);
        round.order = order_ ? order_->data() : round.present;
        round.length = order_ ? static_cast<std::int64_t>(order_->size()) : round.n_present;
        if (!order_ || !present_) return;
        through_.resize(order_->size());
        for (std::size_t p = 0; p < through_.size(); ++p)
            through_[p] = round.present[order_->data()[p]];
        round.order = through_.data();
    }

    // The rows at positions begin .. end - 1 of the round, and of those that take part.
    std::vector<std::int64_t> rows_at(std::int64_t begin, std::int64_t end) const {
        return numbered(begin, end, round.length,
                        [&](std::int64_t p) { return round.order ? round.order[p] : p; });
    }
    std::vector<std::int64_t> present_at(std::int64_t begin, std::int64_t end) const {
        return numbered(begin, end, round.n_present,
                        [&](std::int64_t p) { return round.present_row(p); });
    }

    const RowsHandle &rows;
    Round round;
    std::int32_t highest_target = 0;

  private:
    template <class Number>
    static std::vector<std::int64_t> numbered(std::int64_t begin, std::int64_t end,
                                              std::int64_t length, Number number) {
        if (begin < 0 || end < begin || end > length)
            throw nb::value_error("these positions are not in the round");
        std::vector<std::int64_t> found;
        for (std::int64_t p = begin; p < end; ++p) found.push_back(number(p));
        return found;
    }

    static void check(const Positions &positions, std::int64_t n) {
        const std::int64_t *first = positions.data(), *last = first + positions.size();
        bool there = true;
        for (const std::int64_t *p = first; p != last; ++p) there &= 0 <= *p && *p < n;
        if (!there) throw nb::value_error("the order names a row that is not there");
    }

    Targets targets_;
    std::optional<ExampleWeights> weights_;
    std::optional<Positions> order_, present_;
    std::vector<std::int64_t> through_;
};

}  // namespace hardlimit
