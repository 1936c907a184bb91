// The dual form as rows: the weights have a place for each support, an example that was corrected,
// and the row of an example holds its inner products with the supports. With that the loops, the
// schemes, the averages and the kept hypotheses of the weights serve the coefficients as they are:
//   <w, x_i> = sum_p w[p] K(x_i, support p);      w + tau x_i adds tau at the place of i
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "dual/gram.hpp"
#include "rows/rows.hpp"
#include "state/state.hpp"

namespace hardlimit {

// Which example holds which place, in the order in which they were first corrected.
class Supports {
  public:
    explicit Supports(std::int64_t n_examples) : places_(static_cast<std::size_t>(n_examples), -1) {
        examples_.reserve(places_.size());  // all may come: `spread` must not fail
    }

    std::int64_t size() const { return static_cast<std::int64_t>(examples_.size()); }
    std::int64_t n_examples() const { return static_cast<std::int64_t>(places_.size()); }
    const std::vector<std::int64_t> &examples() const { return examples_; }
    std::int64_t place(std::int64_t example) const {
        return places_[static_cast<std::size_t>(example)];
    }

    // So that the next that is let go does not fail.
    void make_room() {
        if (free_.size() == free_.capacity()) free_.reserve(2 * free_.size() + 16);
    }

    // Takes the place that was freed first, else a new one.
    void add(std::int64_t example) {
        std::int64_t &place = places_[static_cast<std::size_t>(example)];
        if (place >= 0) return;
        if (free_.empty()) {
            const std::int64_t next = size();
            examples_.push_back(example);
            place = next;
        } else {
            place = free_.front();
            free_.erase(free_.begin());
            examples_[static_cast<std::size_t>(place)] = example;
        }
    }

    // Its place, whose coefficients must be 0, is free; the example stands there until another
    // comes.
    void remove(std::int64_t example) {
        std::int64_t &place = places_[static_cast<std::size_t>(example)];
        free_.push_back(place);
        place = -1;
    }

    // The places that are not free.
    std::vector<std::int64_t> kept_places() const {
        std::vector<std::int64_t> kept;
        kept.reserve(examples_.size());
        for (std::int64_t p = 0; p < size(); ++p)
            if (std::find(free_.begin(), free_.end(), p) == free_.end()) kept.push_back(p);
        return kept;
    }

    // Each example is from now on the support at its own place, whether it was one or not; takes no
    // memory. swap(p, q) is to exchange what two places hold; those that were free hold nothing.
    template <class Swap>
    void spread(Swap swap) {
        for (const std::int64_t p : free_) examples_[static_cast<std::size_t>(p)] = -1;
        free_.clear();
        examples_.resize(places_.size(), -1);
        for (std::size_t p = 0; p < examples_.size(); ++p)
            while (examples_[p] >= 0 && static_cast<std::size_t>(examples_[p]) != p) {
                const auto q = static_cast<std::size_t>(examples_[p]);
                swap(p, q);
                std::swap(examples_[p], examples_[q]);
            }
        for (std::size_t p = 0; p < places_.size(); ++p)
            examples_[p] = places_[p] = static_cast<std::int64_t>(p);
    }

  private:
    std::vector<std::int64_t> examples_, places_, free_;
};

class KernelRows : public RowSet {
  public:
    // n_columns: the places that there is room for.
    KernelRows(Gram &gram, const Supports &supports, std::int64_t n_columns)
        : RowSet(gram.n_rows, n_columns, 0), gram_(gram), supports_(supports) {}

    double dot(std::int64_t i, const double *w, std::int64_t) const {
        const double *products = products_of(i);
        return dense_dot(products, w, supports_.size(), products) + w[n_columns] * bias;
    }

    template <class Weight>
    void dots(std::int64_t i, const Weight *w, Outputs outputs, double *sums, double *out) const {
        add_products(products_of(i), supports_.size(), w, outputs, sums);
        finish(w, outputs, sums, out);
    }

    double sqnorm(std::int64_t i) const { return gram_.diagonal(i); }

    // The example must be a support.
    void add_scaled(std::int64_t i, double scale, double *w, std::int64_t stride) const {
        w[supports_.place(i) * stride] += scale;
    }

    template <class See>
    void visit(std::int64_t i, See see) const {
        if (supports_.place(i) >= 0) see(supports_.place(i), 1.0);
    }

    std::int64_t work(std::int64_t) const { return supports_.size(); }
    void prefetch_row(std::int64_t) const {}
    void prefetch_weights(std::int64_t, const double *, std::int64_t) const {}

    // ||w||^2 = sum_p w[p] <w, support p>, of the outputs that share a counter.
    double squared_length(const State &state, std::int64_t k) const {
        const std::int64_t outputs = state.n_outputs;
        const double shrinkage = state.counter(k).shrinkage;
        size_scratch(outputs);
        double total = 0;
        for (std::int64_t p = 0; p < supports_.size(); ++p) {
            std::fill(sums_.begin(), sums_.end(), 0.0);
            const auto example = supports_.examples()[static_cast<std::size_t>(p)];
            dots(example, state.w.data(), state.outputs(), sums_.data(), scores_.data());
            for (std::int64_t output = state.first_of(k); output < state.end_of(k); ++output)
                total += state.w[static_cast<std::size_t>(p * outputs + output)] *
                         scores_[static_cast<std::size_t>(output)];
        }
        return total * shrinkage * shrinkage;
    }

    // So that a squared length of weights of so many outputs takes no memory.
    void make_room(std::int64_t outputs) const {
        size_scratch(outputs);
        if (supports_.size() > 0) products_of(supports_.examples()[0]);
    }

  private:
    void size_scratch(std::int64_t outputs) const {
        sums_.resize(static_cast<std::size_t>(8 * outputs));
        scores_.resize(static_cast<std::size_t>(outputs));
    }

    const double *products_of(std::int64_t i) const {
        products_.resize(static_cast<std::size_t>(supports_.size()));
        gram_.row(i, supports_.examples().data(), supports_.size(), products_.data());
        return products_.data();
    }

    Gram &gram_;
    const Supports &supports_;
    mutable std::vector<double> products_, sums_, scores_;
};

inline double squared_length_of(const KernelRows &rows, const State &state, std::int64_t k) {
    return rows.squared_length(state, k);
}

}  // namespace hardlimit
