// Guards against noise (Khardon and Wachman, JMLR 8, 2007): what stands between the loop and a
// rule.
//
// A guard changes what is required of an example, and the scalars that its correction is made from.
// It is the twin of the Python class of its name. Several are put around a rule one after the
// other, in the order of the registry, which is part of the result: sums are not associative.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "rules/rule.hpp"

namespace hardlimit {

class Guard {
  public:
    virtual ~Guard() = default;
    // The margin required of an example, of which the rule requires that much.
    virtual double required(double of_rule, const Scalars &scalars) const = 0;
    // The scalars from which the rule is to make the correction.
    virtual Scalars extend(const Scalars &scalars) const { return scalars; }
    // Whether it asks for n_i or alpha_i.
    virtual bool by_example() const { return false; }
};

// A rule behind a guard.
class Guarded final : public Rule {
  public:
    Guarded(std::shared_ptr<Rule> rule, std::shared_ptr<Guard> guard)
        : rule_(std::move(rule)), guard_(std::move(guard)) {}

    double required(const Scalars &s) const override {
        return guard_->required(rule_->required(s), s);
    }
    Change change(const Scalars &s) const override { return rule_->change(guard_->extend(s)); }
    bool equality_violates() const override { return rule_->equality_violates(); }
    Needs needs() const override {
        Needs needs = rule_->needs();
        if (guard_->by_example()) {
            needs.example = needs.changing_required = true;
            needs.steady = needs.by_target = false;
        }
        return needs;
    }
    bool is_python() const override { return rule_->is_python(); }
    const Rule *inner() const override { return rule_.get(); }
    const Rule &unguarded() const override { return rule_->unguarded(); }

  private:
    std::shared_ptr<Rule> rule_;
    std::shared_ptr<Guard> guard_;
};

// Makes the compiled guard of that name, or null where there is none.
std::shared_ptr<Guard> make_guard(const std::string &name, const Parameters &parameters);

// All of them, in the order in which they are put around a rule: the innermost first.
std::vector<std::string> guard_names();

}  // namespace hardlimit
