// What is known of each row at an anchor: how far it lies from being a violator.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "skipping/blocks.hpp"
#include "skipping/drift.hpp"
#include "state/state.hpp"

namespace hardlimit {

class Anchor {
  public:
    // The weights stand at an anchor; every row is to be set after that. The products that
    // directions took, where they are to be found.
    template <class Learner>
    std::int64_t begin(Learner &learner, bool find_blocks) {
        const auto &rows = learner.rows();
        const State &state = learner.state();
        if (length_.empty()) make_room(rows);
        // A margin of 0 is a mistake, and is counted, whatever is required.
        required_of_positive_ = std::max(0.0, learner.fixed_threshold(1));
        required_of_negative_ = std::max(0.0, learner.fixed_threshold(-1));
        const double length = std::sqrt(state.squared_length(0));
        drift_.begin(length * (1 + Drift::gamma_of(state.n_columns)) + Drift::least, terms_);
        reach_ = float_above(drift_.reach());
        recording_ = find_blocks;
        const std::int64_t products = find_blocks ? blocks_.find(rows, learner.examples()) : 0;
        finer_ = blocks_.has_records();
        if (finer_) blocks_.begin(state, drift_);
        return products;
    }

    // z.w of row i, z = sign * x; its length and coordinates are measured the first time.
    template <class Rows>
    void set(const Rows &rows, std::int64_t i, double sign, double margin) {
        double &length = length_[place(i)];
        if (length == 0)
            length = std::sqrt(rows.sqnorm(i)) * (1 + Drift::gamma_of(terms_)) + Drift::least;
        if (recording_) blocks_.record(rows, i, sign, length);
        at_anchor_[place(i)] = margin;
        const bool certain = length > 2 * Drift::least && length < Drift::most;
        const double required = sign > 0 ? required_of_positive_ : required_of_negative_;
        // The roundings of this quotient are far smaller than those to a float.
        far_[place(i)] = float_below(certain ? (margin - required) / length : -Drift::unknown);
    }

    bool has_lengths() const { return !length_.empty(); }

    bool is_asleep(std::int64_t i) const { return far_[place(i)] > reach_; }

    // Finer and dearer bounds, for rows that the first leaves awake; or not, until the next
    // anchor.
    bool finer() const { return finer_; }
    void disable_finer() { finer_ = false; }
    bool has_blocks() const { return blocks_.has_records(); }
    std::int64_t numbers() const { return blocks_.numbers(); }
    bool is_asleep_finer(std::int64_t i) const { return blocks_.is_asleep(i, far_[place(i)]); }

    // Row i was corrected: w <- w + tau z, after z.w was `margin`.
    void note_correction(const State &state, std::int64_t i, double margin, double tau) {
        const double length = length_[place(i)];
        drift_.note_correction({margin, at_anchor_[place(i)], length, tau});
        reach_ = float_above(drift_.reach());
        if (finer_) blocks_.note_correction(state, i, length, tau, drift_);
    }

  private:
    static std::size_t place(std::int64_t i) { return static_cast<std::size_t>(i); }

    template <class Rows>
    void make_room(const Rows &rows) {
        length_.resize(place(rows.n_rows));
        at_anchor_.resize(place(rows.n_rows));
        far_.resize(place(rows.n_rows));
        for (std::int64_t i = 0; i < rows.n_rows; ++i) terms_ = std::max(terms_, rows.work(i) + 1);
    }

    Drift drift_;
    Blocks blocks_;
    bool recording_ = false, finer_ = false;
    double required_of_positive_ = 0, required_of_negative_ = 0;
    std::int64_t terms_ = 1;  // the most summands of a product
    std::vector<double> length_, at_anchor_;
    std::vector<float> far_;  // (z.w - required) / ||z|| at the anchor
    float reach_ = 0;
};

}  // namespace hardlimit
