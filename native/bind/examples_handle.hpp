// Examples as Python holds them: rows, what they should be, how much they weigh, in
// which order they come.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <vector>

#include "bind/rows_handle.hpp"
#include "rows/examples.hpp"
#include "state/state.hpp"

namespace hardlimit {

// One class a row, or (rows, labels) zeros and ones.
using Targets = nb::ndarray<const std::int32_t, nb::c_contig, nb::device::cpu>;
using ExampleWeights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Positions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

class ExamplesHandle {
  public:
    ExamplesHandle(const RowsHandle &rows, Targets targets, std::optional<ExampleWeights> weights,
                   double tol)
        : rows(rows), targets_(std::move(targets)), weights_(std::move(weights)) {
        const auto n = static_cast<std::size_t>(rows.set().n_rows);
        if (targets_.ndim() < 1 || targets_.ndim() > 2 || targets_.shape(0) != n ||
            (weights_ && weights_->size() != n))
            throw nb::value_error("there must be a target (and a weight) for each row");
        if (targets_.ndim() == 2) {
            examples.n_labels = static_cast<std::int64_t>(targets_.shape(1));
            if (examples.n_labels == 0) throw nb::value_error("there must be a label");
        }
        examples.targets = targets_.data();
        examples.weights = weights_ ? weights_->data() : nullptr;
        examples.length = examples.n_present = rows.set().n_rows;
        examples.tol = tol;
        for (std::size_t i = 0; i < targets_.size(); ++i) {
            if (examples.targets[i] < 0) throw nb::value_error("targets must not be negative");
            highest_target = std::max(highest_target, examples.targets[i]);
        }
    }

    // Whether every class, or every label, has its output.
    bool fits(SchemeName scheme, std::int64_t n_outputs) const {
        if (examples.n_labels > 0)
            return scheme == SchemeName::independent && examples.n_labels == n_outputs &&
                   highest_target < 2;
        return highest_target < (scheme == SchemeName::single ? 2 : n_outputs);
    }

    // The rows that take part, and the order in which they come until another is given.
    void set_present(Positions present) {
        require_free();
        check(present, rows.set().n_rows);
        present_ = std::move(present);
        examples.present = present_->data();
        examples.n_present = static_cast<std::int64_t>(present_->size());
        set_order(std::nullopt);
    }

    // The rows of one epoch, by their numbers among those that are present; None: as they lie.
    void set_order(std::optional<Positions> order) {
        require_free();
        if (order) check(*order, examples.n_present);
        order_ = std::move(order);
        examples.order = order_ ? order_->data() : examples.present;
        examples.length = order_ ? static_cast<std::int64_t>(order_->size()) : examples.n_present;
        if (!order_ || !present_) return;
        through_.resize(order_->size());
        for (std::size_t p = 0; p < through_.size(); ++p)
            through_[p] = examples.present[order_->data()[p]];
        examples.order = through_.data();
    }

    // The rows at positions begin .. end - 1 of the epoch, and of those that take part.
    std::vector<std::int64_t> rows_at(std::int64_t begin, std::int64_t end) const {
        return numbered(begin, end, examples.length,
                        [&](std::int64_t p) { return examples.order ? examples.order[p] : p; });
    }
    std::vector<std::int64_t> present_at(std::int64_t begin, std::int64_t end) const {
        return numbered(begin, end, examples.n_present,
                        [&](std::int64_t p) { return examples.present_row(p); });
    }

    void require_free() const {
        if (in_use) throw nb::value_error("these examples are being presented in another call");
    }

    const RowsHandle &rows;
    Examples examples;
    std::int32_t highest_target = 0;
    bool in_use = false;  // read and written under the interpreter's lock

  private:
    template <class Number>
    static std::vector<std::int64_t> numbered(std::int64_t begin, std::int64_t end,
                                              std::int64_t length, Number number) {
        if (begin < 0 || end < begin || end > length)
            throw nb::value_error("these positions are not in the epoch");
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

// Examples belong to one call at a time: loops look into them without the interpreter's lock.
class InUse {
  public:
    explicit InUse(ExamplesHandle &handle) : handle_(handle) {
        handle.require_free();
        handle.in_use = true;
    }
    ~InUse() { handle_.in_use = false; }
    InUse(const InUse &) = delete;
    InUse &operator=(const InUse &) = delete;

  private:
    ExamplesHandle &handle_;
};

}  // namespace hardlimit
