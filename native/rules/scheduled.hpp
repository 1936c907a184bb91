// A rule and a schedule that multiplies its corrections. The loops see one rule, and pay only for
// what is there.
#pragma once
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
    const Schedule *schedule() const override { return schedule_.get(); }

  private:
    std::shared_ptr<Rule> rule_;
    std::shared_ptr<Schedule> schedule_;
};

}  // namespace hardlimit
