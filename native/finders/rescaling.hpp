// Dunagan and Vempala's rescaling perceptron: where the cone of solutions is too narrow for the
// perceptron, a direction is looked for along which it is not, and space is stretched along it.
#pragma once
#include "finders/search.hpp"
#include "numeric/generator.hpp"

namespace hardlimit {

template <class Rows>
class Rescaling : public Search {
  public:
    // log_d: ln d, or ln 2 where d = 1.
    Rescaling(const Rows &rows, double log_d, std::uint64_t seed)
        : z_(rows),
          d_(static_cast<std::size_t>(rows.n_columns)),
          n_(static_cast<std::size_t>(rows.n_rows)),
          a_(n_ * d_),
          b_(d_ * d_),
          x_(d_),
          answer_(z_.blank()),
          seed_(seed) {
        for (std::size_t c = 0; c < d_; ++c) b_[c * d_ + c] = 1;
        for (std::size_t i = 0; i < n_; ++i)
            rows.visit(static_cast<std::int64_t>(i), [&](std::int64_t c, double value) {
                a_[i * d_ + static_cast<std::size_t>(c)] = value;
            });
        most_updates_ = 16 * square(d_);
        limit_ = 1.0 / (32.0 * static_cast<double>(d_));
        most_moves_ = log_d / square(limit_);
    }

    std::int64_t rescalings = 0;

    void advance(std::int64_t work_limit) override {
        while (work_limit > 0 && !done) {
            if (improving_)
                improve(work_limit);
            else
                learn(work_limit);
        }
    }

    std::vector<double> weighting() const override { return {}; }

  private:
    static double square(double value) { return value * value; }
    const double *row(std::size_t i) const { return a_.data() + i * d_; }
    double dot(const double *a, const double *b) const {
        return dense_dot(a, b, static_cast<std::int64_t>(d_), a);
    }

    // The perceptron, for at most 16 d^2 corrections.
    void learn(std::int64_t &work_limit) {
        while (work_limit > 0) {
            work_limit -= static_cast<std::int64_t>(d_) + 4;
            if (dot(row(at_), x_.data()) <= 0) {
                if (++updates_ > most_updates_) return begin(true);
                ++iterations;
                dense_add_scaled(row(at_), 1.0, x_.data(), static_cast<std::int64_t>(d_));
                quiet_ = 0;
            } else if (++quiet_ == n_) {
                return answer();
            }
            at_ = at_ + 1 < n_ ? at_ + 1 : 0;
        }
    }

    // A random direction is turned away from rows that lie far behind it.
    void improve(std::int64_t &work_limit) {
        while (work_limit > 0) {
            work_limit -= static_cast<std::int64_t>(d_) + 4;
            const double score = dot(row(at_), x_.data());
            if (score < -limit_ * length_) {
                if (++updates_ > most_moves_) return begin(true);
                dense_add_scaled(row(at_), -score, x_.data(), static_cast<std::int64_t>(d_));
                length_ = std::sqrt(dot(x_.data(), x_.data()));
                quiet_ = 0;
                if (!(length_ > 1e-100)) return begin(true);
            } else if (++quiet_ == n_) {
                return stretch(work_limit);
            }
            at_ = at_ + 1 < n_ ? at_ + 1 : 0;
        }
    }

    void begin(bool improving) {
        improving_ = improving;
        updates_ = 0;
        quiet_ = at_ = 0;
        std::fill(x_.begin(), x_.end(), 0.0);
        if (!improving) return;
        // Sums of twelve uniform numbers: near enough to normal for a direction drawn at random.
        Generator draw(seed_, drawn_++);
        for (double &value : x_) {
            for (int s = 0; s < 12; ++s) value += static_cast<double>(draw.next() >> 11) * 0x1p-53;
            value -= 6;
        }
        length_ = std::sqrt(dot(x_.data(), x_.data()));
    }

    // A <- rows of A (I + x x') at unit length; B <- B (I + x x').
    void stretch(std::int64_t &work_limit) {
        for (double &value : x_) value /= length_;
        bool all = true;
        for (std::size_t i = 0; i < n_; ++i) all &= dot(row(i), x_.data()) > 0;
        if (all) return answer();
        along(a_, n_);
        for (std::size_t i = 0; i < n_; ++i) {
            double *of_row = a_.data() + i * d_;
            const double size = std::sqrt(dot(of_row, of_row));
            for (std::size_t c = 0; c < d_; ++c) of_row[c] /= size;
        }
        along(b_, d_);
        ++rescalings;
        done = rescalings > 2000;  // B is then beyond floats
        work_limit -= static_cast<std::int64_t>(3 * (n_ + d_) * d_);
        begin(false);
    }

    // Each row r <- r + (r.x) x.
    void along(std::vector<double> &matrix, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            double *r = matrix.data() + i * d_;
            dense_add_scaled(x_.data(), dot(r, x_.data()), r, static_cast<std::int64_t>(d_));
        }
    }

    // B x, looked at on the rows themselves.
    void answer() {
        for (std::size_t c = 0; c < d_; ++c) answer_[c] = dot(b_.data() + c * d_, x_.data());
        const std::int64_t j = z_.look(answer_);
        measured(z_.score(j), norm(answer_), answer_);
        done = true;
    }

    SignedRows<Rows> z_;
    std::size_t d_, n_;
    std::vector<double> a_, b_, x_, answer_;
    std::uint64_t seed_, drawn_ = 0;
    double most_updates_, limit_, most_moves_, updates_ = 0, length_ = 0;
    std::size_t at_ = 0, quiet_ = 0;
    bool improving_ = false;
};

}  // namespace hardlimit
