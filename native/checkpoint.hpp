// What is known of each row at a checkpoint: how far it lies from being a violator.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "drift.hpp"
#include "state.hpp"

namespace hardlimit {

class Checkpoint {
  public:
    // The weights stand at a checkpoint; every row is to be set after that.
    template <class Rows>
    void begin(const Rows &rows, const State &state, double threshold) {
        if (length_.empty()) make_room(rows);
        required_ = threshold > 0 ? threshold : 0;  // a margin of 0 is a mistake, and is counted
        const double length = std::sqrt(state.squared_length(0));
        drift_.begin(length * (1 + gamma_of(state.n_columns)) + Drift::least, terms_);
        look();
    }

    // z.w of row i; its length is measured the first time.
    template <class Rows>
    void set(const Rows &rows, std::int64_t i, double margin) {
        double &length = length_[place(i)];
        if (length == 0) length = std::sqrt(rows.sqnorm(i)) * (1 + gamma_of(terms_)) + Drift::least;
        at_checkpoint_[place(i)] = margin;
        const bool certain = length > 2 * Drift::least && length < Drift::most;
        far_[place(i)] = certain ? below((margin - required_) / length) : lowest;
    }

    bool asleep(std::int64_t i) const { return far_[place(i)] > reach_; }

    // Row i was corrected: w <- w + tau z, after z.w was `margin`.
    void moved(std::int64_t i, double margin, double tau) {
        drift_.moved({margin, at_checkpoint_[place(i)], length_[place(i)], tau});
        look();
    }

  private:
    static constexpr float lowest = -std::numeric_limits<float>::infinity();
    static constexpr double most_single = 1e38;  // of what a float can hold

    static std::size_t place(std::int64_t i) { return static_cast<std::size_t>(i); }
    static double gamma_of(std::int64_t terms) {
        return 1.01 * Drift::unit * static_cast<double>(terms + 8);
    }

    template <class Rows>
    void make_room(const Rows &rows) {
        length_.resize(place(rows.n_rows));
        at_checkpoint_.resize(place(rows.n_rows));
        far_.resize(place(rows.n_rows));
        for (std::int64_t i = 0; i < rows.n_rows; ++i) terms_ = std::max(terms_, rows.work(i) + 1);
    }

    // A float that is certainly below a quotient computed in double precision, or above a number.
    static float below(double quotient) {
        if (!(std::fabs(quotient) < most_single)) return lowest;
        const double less = quotient - 4 * Drift::unit * std::fabs(quotient);
        const auto near = static_cast<float>(less);
        return static_cast<double>(near) > less ? std::nextafter(near, lowest) : near;
    }
    static float above(double number) {
        if (!(number < most_single)) return -lowest;
        const auto near = static_cast<float>(number);
        return static_cast<double>(near) < number ? std::nextafter(near, -lowest) : near;
    }

    void look() { reach_ = above(drift_.reach()); }

    Drift drift_;
    double required_ = 0;
    std::int64_t terms_ = 1;  // the most summands of a product
    std::vector<double> length_, at_checkpoint_;
    std::vector<float> far_;  // (z.w - required) / ||z|| at the checkpoint
    float reach_ = 0;
};

}  // namespace hardlimit
