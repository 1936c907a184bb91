// Rules made of a rule and something that multiplies with it: a schedule, noise guards. The loops
// see one rule, and pay only for what is there.
#pragma once
#include <limits>
#include <memory>

#include "rules/rule.hpp"
#include "rules/schedules.hpp"

namespace hardlimit {

// tau * eta(step).
class Scheduled final : public Rule {
  public:
    Scheduled(std::shared_ptr<Rule> rule, std::shared_ptr<Schedule> schedule)
        : rule_(std::move(rule)), schedule_(std::move(schedule)) {}
    double required(const Scalars &s) const override { return rule_->required(s); }
    Change change(const Scalars &s) const override {
        Change change = rule_->change(s);
        change.tau *= schedule_->eta(s, rule_->required(s));
        return change;
    }
    bool equality_violates() const override { return rule_->equality_violates(); }
    Needs needs() const override {
        Needs needs = rule_->needs();
        needs.sqnorm |= schedule_->asks_sqnorm();
        return needs;
    }
    bool is_python() const override { return rule_->is_python() || schedule_->is_python(); }
    const Rule *inner() const override { return rule_.get(); }

  private:
    std::shared_ptr<Rule> rule_;
    std::shared_ptr<Schedule> schedule_;
};

// Khardon and Wachman's guards against noise (JMLR 8, 2007), in any combination:
//   lam    the lambda-trick: the example's own margin grows by lam * alpha_i, as if it had a
//          coordinate of its own of squared length lam
//   alpha  the alpha-bound: an example that was corrected so often is left alone
//   b      a required margin, for rules that require 0
class Guarded final : public Rule {
  public:
    Guarded(std::shared_ptr<Rule> rule, double lam, double alpha, double b)
        : rule_(std::move(rule)), lam_(lam), alpha_(alpha), b_(b) {}
    double required(const Scalars &s) const override {
        if (static_cast<double>(s.n_i) >= alpha_) return -std::numeric_limits<double>::infinity();
        return rule_->required(s) + b_ - lam_ * s.alpha_i;
    }
    Change change(const Scalars &s) const override {
        Scalars extended = s;
        extended.margin += lam_ * s.alpha_i;
        extended.sqnorm += lam_;
        return rule_->change(extended);
    }
    bool equality_violates() const override { return rule_->equality_violates(); }
    Needs needs() const override {
        Needs needs = rule_->needs();
        if (by_example()) {
            needs.example = needs.changing_required = true;
            needs.steady = needs.by_target = false;
        }
        return needs;
    }
    bool is_python() const override { return rule_->is_python(); }
    const Rule *inner() const override { return rule_.get(); }
    const Rule &unguarded() const override { return *rule_; }

  private:
    bool by_example() const { return lam_ > 0 || alpha_ < std::numeric_limits<double>::infinity(); }

    std::shared_ptr<Rule> rule_;
    double lam_, alpha_, b_;
};

}  // namespace hardlimit
