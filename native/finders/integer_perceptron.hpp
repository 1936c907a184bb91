// The perceptron on integer rows, exactly, and whether its weights come back.
//
// All weights and scores are at most sqrt(k) R^2 in size, for ||w||^2 <= k R^2 after k corrections;
// partial sums too, by Cauchy and Schwarz. The run gives up before that could exceed 2^62.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "numeric/fingerprint.hpp"

namespace hardlimit {

struct IntegerRows {
    const std::int64_t *starts, *columns, *values;
    std::int64_t n_rows, n_columns;

    std::int64_t dot(std::int64_t i, const std::int64_t *w) const {
        std::int64_t sum = 0;
        for (std::int64_t p = starts[i]; p < starts[i + 1]; ++p) sum += w[columns[p]] * values[p];
        return sum;
    }

    void add(std::int64_t i, std::int64_t *w) const {
        for (std::int64_t p = starts[i]; p < starts[i + 1]; ++p) w[columns[p]] += values[p];
    }
};

enum class Ended { not_yet, separated, repeated, too_large };

class IntegerPerceptron {
  public:
    static constexpr std::int64_t remembered = std::int64_t{1} << 20;

    IntegerPerceptron(IntegerRows rows, std::uint64_t seed)
        : rows_(rows),
          w(static_cast<std::size_t>(rows.n_columns)),
          counts(static_cast<std::size_t>(rows.n_rows)),
          fingerprints_(remembered) {
        const FingerprintKey key(rows.n_columns, seed);
        for (std::int64_t i = 0; i < rows.n_rows; ++i) {
            std::uint64_t h = 0;
            double square = 0;
            for (std::int64_t p = rows.starts[i]; p < rows.starts[i + 1]; ++p) {
                h = modular::add(h, key.part(rows.columns[p], rows.values[p]));
                square += static_cast<double>(rows.values[p]) * static_cast<double>(rows.values[p]);
            }
            of_row_.push_back(h);
            longest_ = std::max(longest_, square);
        }
        fingerprints_.note(0, 0);
    }

  private:
    IntegerRows rows_;

  public:
    std::vector<std::int64_t> w, counts;  // counts: N_i, or N_i(t) - N_i(s) when ended by a repeat
    std::int64_t k = 0;                   // corrections
    std::int64_t period = 0;              // corrections from one visit of w to the next
    Ended ended = Ended::not_yet;

    void advance(std::int64_t work_limit) {
        while (work_limit > 0 && ended == Ended::not_yet) {
            work_limit -= rows_.starts[at_ + 1] - rows_.starts[at_] + 4;
            if (rows_.dot(at_, w.data()) <= 0)
                correct();
            else if (++quiet_ == rows_.n_rows)
                ended = Ended::separated;
            at_ = at_ + 1 < rows_.n_rows ? at_ + 1 : 0;
        }
    }

  private:
    void correct() {
        if (longest_ * std::sqrt(static_cast<double>(k + 1)) > 0x1p61) {
            ended = Ended::too_large;
            return;
        }
        quiet_ = 0;
        ++k;
        ++counts[static_cast<std::size_t>(at_)];
        rows_.add(at_, w.data());
        fingerprint_ = modular::add(fingerprint_, of_row_[static_cast<std::size_t>(at_)]);
        if (k < remembered) log_.push_back(at_);
        const std::int64_t before = fingerprints_.note(fingerprint_, k);
        if (before >= 0) verify(before);
        if (fingerprints_.moved()) at_anchor_ = counts;
    }

    // Subtracts what had been counted by then; exact, as differences of counts times rows.
    void verify(std::int64_t before) {
        std::vector<std::int64_t> since = counts;
        if (before == fingerprints_.anchor()) {
            for (std::size_t i = 0; i < since.size(); ++i) since[i] -= at_anchor_[i];
        } else {
            for (std::int64_t s = 0; s < before; ++s)
                --since[static_cast<std::size_t>(log_[static_cast<std::size_t>(s)])];
        }
        // Modulo 2^64, for the sum is the difference of two weight vectors, which are smaller.
        std::vector<std::uint64_t> sum(w.size());
        for (std::int64_t i = 0; i < rows_.n_rows; ++i)
            for (std::int64_t p = rows_.starts[i]; p < rows_.starts[i + 1]; ++p)
                sum[static_cast<std::size_t>(rows_.columns[p])] +=
                    static_cast<std::uint64_t>(rows_.values[p]) *
                    static_cast<std::uint64_t>(since[static_cast<std::size_t>(i)]);
        for (const std::uint64_t value : sum)
            if (value != 0) return;  // two vectors with one fingerprint
        counts = since;
        period = k - before;
        ended = Ended::repeated;
    }

    double longest_ = 0;  // R^2
    std::vector<std::uint64_t> of_row_;
    std::uint64_t fingerprint_ = 0;
    Fingerprints fingerprints_;
    std::vector<std::int64_t> log_, at_anchor_;
    std::int64_t at_ = 0, quiet_ = 0;
};

}  // namespace hardlimit
