// Projectron and Projectron++: Orabona, Keshet and Caputo, JMLR 10 (2009), Figures 1 and 2.
#pragma once
#include <algorithm>
#include <vector>

#include "dual/dual.hpp"

namespace hardlimit {

class Projectron : public Holding {
  public:
    Projectron(double eta, double negligible, bool margins)
        : eta_(eta), negligible_(negligible), margins_(margins) {}

    // A mistake always; a margin between 0 and 1 where moving the supports costs nothing.
    bool takes(DualLearner &learner, std::int64_t example, std::int64_t counter, const Scalars &s,
               const Moves &, double &tau) override {
        nearest(learner, example, counter);
        on_margin_ = s.margin > 0;
        if (!on_margin_) return true;
        const double loss = 1 - s.margin, n = length_ - delta_;
        if (!margins_ || !(n > 0) || !(loss > delta_ / eta_)) return false;
        tau = std::min(std::min(loss / n, 2 * (loss - delta_ / eta_) / n), 1.0);
        return true;
    }

    void add(DualLearner &learner, std::int64_t example, std::int64_t counter, double tau,
             const Moves &moves) override {
        const bool near = delta_ <= eta_ || delta_ <= negligible_ * length_;
        if (!on_margin_ && !near) {
            grow(of(counter), example);
            learner.hold(example, counter, tau, moves);
            return;
        }
        const Span &span = of(counter);
        const Move &move = moves.share[0];
        for (std::size_t p = 0; p < span.supports.size(); ++p)
            if (d_[p] != 0)
                learner.add_at(span.supports[p], counter, move.output, tau * move.sign * d_[p]);
    }

    void renumber(const std::vector<std::int64_t> &examples) override {
        for (Span &span : spans_)
            for (std::int64_t &support : span.supports)
                support = std::find(examples.begin(), examples.end(), support) - examples.begin();
    }

    void write(Written &to) const override {
        to.push_back(static_cast<double>(spans_.size()));
        for (const Span &span : spans_) {
            to.push_back(static_cast<double>(span.supports.size()));
            for (const std::int64_t support : span.supports)
                to.push_back(static_cast<double>(support));
            for (const std::vector<double> &row : span.inverse)
                to.insert(to.end(), row.begin(), row.end());
        }
    }

    void read(Reader &from) override {
        spans_.assign(from.counters(), {});
        for (Span &span : spans_) {
            span.supports.resize(from.count());
            for (std::int64_t &support : span.supports) support = from.example();
            for (std::size_t p = 0; p < span.supports.size(); ++p) {
                std::vector<double> row;
                for (std::size_t q = 0; q < span.supports.size(); ++q) row.push_back(from.number());
                span.inverse.push_back(std::move(row));
            }
        }
    }

  private:
    struct Span {
        std::vector<std::int64_t> supports;
        std::vector<std::vector<double>> inverse;  // of their Gram matrix
    };

    Span &of(std::int64_t counter) {
        const auto at = static_cast<std::size_t>(counter);
        if (at >= spans_.size()) spans_.resize(at + 1);
        return spans_[at];
    }

    // d = K_S^-1 k and delta = K(x, x) - <k, d>; of a support they are known.
    void nearest(DualLearner &learner, std::int64_t example, std::int64_t counter) {
        const Span &span = of(counter);
        const std::size_t n = span.supports.size();
        length_ = learner.gram().at(example, example);
        d_.assign(n, 0.0);
        const auto itself = std::find(span.supports.begin(), span.supports.end(), example);
        if (itself != span.supports.end()) {
            d_[static_cast<std::size_t>(itself - span.supports.begin())] = 1;
            delta_ = 0;
            return;
        }
        k_.resize(n);
        learner.gram().row(example, span.supports.data(), static_cast<std::int64_t>(n), k_.data());
        for (std::size_t p = 0; p < n; ++p) d_[p] = product(span.inverse[p], k_);
        delta_ = length_ - product(k_, d_);
        delta_ = std::max(0.0, delta_);
    }

    static double product(const std::vector<double> &a, const std::vector<double> &b) {
        return dense_dot(a.data(), b.data(), static_cast<std::int64_t>(a.size()), a.data());
    }

    // The inverse bordered by the new support, or as it was.
    void grow(Span &span, std::int64_t example) {
        const std::size_t n = span.supports.size();
        std::vector<double> last;
        last.reserve(n + 1);
        for (std::size_t q = 0; q < n; ++q) last.push_back(-d_[q] / delta_);
        last.push_back(1 / delta_);
        for (std::vector<double> &row : span.inverse) make_room(row);
        make_room(span.inverse);
        make_room(span.supports);
        // From here on nothing fails.
        for (std::size_t p = 0; p < n; ++p) {
            for (std::size_t q = 0; q < n; ++q) span.inverse[p][q] += d_[p] * d_[q] / delta_;
            span.inverse[p].push_back(last[p]);
        }
        span.inverse.push_back(std::move(last));
        span.supports.push_back(example);
    }

    // For one more; it doubles, as a vector that grows by itself.
    template <class T>
    static void make_room(std::vector<T> &items) {
        if (items.size() == items.capacity()) items.reserve(2 * items.size() + 1);
    }

    double eta_, negligible_;
    bool margins_, on_margin_ = false;
    double length_ = 0, delta_ = 0;
    std::vector<double> d_, k_;
    std::vector<Span> spans_;
};

}  // namespace hardlimit
