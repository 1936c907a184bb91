// The self-tuned Forgetron: Dekel, Shalev-Shwartz and Singer, SIAM J. Comput. 37 (2008), Fig. 5.1.
#pragma once
#include <cmath>

#include "dual/budgets/entries.hpp"

namespace hardlimit {

class Forgetron final : public Counted {
  public:
    using Counted::Counted;

    // The new one comes first; the oldest is judged with it.
    void add(DualLearner &learner, std::int64_t example, std::int64_t counter, double tau,
             const Moves &moves) override {
        Told &told = of(counter);
        enter(learner, example, counter, tau, moves);
        told.mistakes += 1;
        // More than one where memory ended before one could be let go.
        while (entries_.of(counter).size() > size_) forget(learner, counter, told);
    }

    void write(Written &to) const override {
        Counted::write(to);
        to.push_back(static_cast<double>(told_.size()));
        for (const Told &told : told_) {
            to.push_back(told.damage);
            to.push_back(told.mistakes);
        }
    }

    void read(Reader &from) override {
        Counted::read(from);
        told_.resize(from.counters());
        for (Told &told : told_) {
            told.damage = from.number();
            told.mistakes = from.number();
        }
    }

  protected:
    void make_room(DualLearner &, std::int64_t) override {}

  private:
    struct Told {
        double damage = 0, mistakes = 0;  // Q and M
    };

    Told &of(std::int64_t counter) {
        const auto at = static_cast<std::size_t>(counter);
        if (at >= told_.size()) told_.resize(at + 1);
        return told_[at];
    }

    void forget(DualLearner &learner, std::int64_t counter, Told &told) {
        std::vector<Entry> &entries = entries_.of(counter);
        const Entry &oldest = entries.front();
        const Move &move = oldest.moves.share[0];
        const double s = oldest.tau;
        const double f = move.sign * learner.state().counter(counter).shrinkage *
                         learner.scores_of(oldest.example)[static_cast<std::size_t>(move.output)];
        const double phi = shrink(s, f, told.damage - 15.0 / 32 * told.mistakes);
        told.damage += (phi * s) * (phi * s) + 2 * phi * s - 2 * phi * s * (phi * f);
        if (phi != 1) {
            learner.shrink(counter, phi);
            for (Entry &entry : entries) entry.tau *= phi;
        }
        entries_.drop(learner, counter, 0);
    }

    // The largest phi up to 1 with (s^2 - 2 s f) phi^2 + 2 s phi + c <= 0.
    static double shrink(double s, double f, double c) {
        const double a = s * s - 2 * s * f, b = 2 * s, D = b * b - 4 * a * c;
        if (a == 0) return std::min(1.0, -c / b);
        if (a > 0 || (D > 0 && (-b - std::sqrt(D)) / (2 * a) > 1))
            return std::min(1.0, (-b + std::sqrt(D)) / (2 * a));
        return 1;
    }

    std::vector<Told> told_;
};

}  // namespace hardlimit
