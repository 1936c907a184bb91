// Corrections on top of a base that never changes.
//
//   score_k = base_k + (sum over the row, in the order of row.hpp, of cell(key, k) * value)
//
// With two classes there is one score, that of the second class, whose cells are those of output 1:
// score > threshold means the second class. When a third class comes, the base's scores are
// (threshold, score), whose difference is what it was. A class that the base does not know begins
// with the mean of the base's scores, which is never above the best of them.
#pragma once
#include <optional>

#include "live/cells.hpp"
#include "live/terms.hpp"

namespace hardlimit::live {

class Overlay {
  public:
    Overlay(std::size_t base_classes, double threshold, double bias)
        : base_classes_(base_classes),
          n_classes_(base_classes),
          threshold_(threshold),
          bias_(bias) {}

    std::size_t base_outputs() const { return base_classes_ <= 2 ? 1 : base_classes_; }
    std::size_t n_classes() const { return n_classes_; }
    void set_classes(std::size_t n) { n_classes_ = n; }
    std::size_t n_outputs() const { return n_classes_ <= 2 ? 1 : n_classes_; }
    double bias() const { return bias_; }
    double threshold() const { return threshold_; }
    void set_threshold(double threshold) { threshold_ = threshold; }

    // `out` has n_outputs() numbers, and `base` base_outputs().
    void scores(const Row &row, double *out) const;
    // Adds what `sums` (n_classes) says to the base's scores.
    void total(const double *base, const double *sums, double *out) const;
    std::size_t decide(const double *scores) const;
    // By how much class y beats its best rival.
    double margin(const double *scores, std::size_t y) const;

    // The smallest change of the weights (sum of squares over all outputs, the bias included) after
    // which this row has the margin, in the arithmetic of `scores`. Nothing where it has.
    std::vector<Step> correct(const Row &row, std::size_t y, double margin,
                              std::vector<double> &before);
    // w_output += step * row; appends the values of before, step by step in the row's order.
    void add(const Row &row, const std::vector<Step> &steps, std::vector<double> &before);
    // Puts them back, bit for bit, as long as nothing was added since.
    void rewind(const Row &row, const std::vector<Step> &steps, const double *before);

    Cells cells;
    Terms terms;

  private:
    std::vector<Step> plan(const double *scores, std::size_t y, double margin, double q) const;

    std::size_t base_classes_, n_classes_;
    double threshold_, bias_;
};

}  // namespace hardlimit::live
