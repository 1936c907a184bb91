// The compiled rules by the names of their Python twins; a contract test holds the two lists
// against each other.
#include "rules/adatron.hpp"
#include "rules/alma.hpp"
#include "rules/arow.hpp"
#include "rules/balanced_winnow.hpp"
#include "rules/dynamic_margin.hpp"
#include "rules/margin_perceptron.hpp"
#include "rules/passive_aggressive.hpp"
#include "rules/passive_aggressive2.hpp"
#include "rules/paum.hpp"
#include "rules/perceptron.hpp"
#include "rules/relaxation.hpp"
#include "rules/romma.hpp"
#include "rules/rule.hpp"
#include "rules/scw1.hpp"
#include "rules/scw2.hpp"
#include "rules/second_order_perceptron.hpp"
#include "rules/shifting_perceptron.hpp"
#include "rules/winnow1.hpp"
#include "rules/winnow2.hpp"

namespace hardlimit {
namespace {

template <class R>
class Compiled final : public Rule {
  public:
    explicit Compiled(const Parameters &parameters) : rule_(parameters) {}
    double required(const Scalars &scalars) const override { return rule_.required(scalars); }
    Change change(const Scalars &scalars) const override { return {rule_.tau(scalars)}; }
    bool equality_violates() const override { return R::equality_violates; }
    Needs needs() const override { return rule_.needs; }

  private:
    R rule_;
};

template <class R>
std::shared_ptr<Rule> make_rule_of(const Parameters &parameters) {
    return std::make_shared<Compiled<R>>(parameters);
}

using RuleMaker = std::shared_ptr<Rule> (*)(const Parameters &);

const std::map<std::string, RuleMaker> rule_makers{
    {"adatron", make_rule_of<AdaTron>},
    {"perceptron", make_rule_of<Perceptron>},
    {"margin-perceptron", make_rule_of<MarginPerceptron>},
    {"passive-aggressive", make_rule_of<PassiveAggressive>},
    {"passive-aggressive-2", make_rule_of<PassiveAggressive2>},
    {"relaxation", make_rule_of<Relaxation>},
    {"romma", make_rule_of<ROMMA>},
    {"aggressive-romma", make_rule_of<AggressiveROMMA>},
    {"alma", make_rule_of<ALMA>},
    {"dynamic-margin", make_rule_of<DynamicMargin>},
    {"paum", make_rule_of<PAUM>},
    {"shifting-perceptron", make_rule_of<ShiftingPerceptron>},
    {"balanced-winnow", make_rule_of<BalancedWinnow>},
    {"arow", make_rule_of<AROW>},
    {"scw1", make_rule_of<SCW1>},
    {"scw2", make_rule_of<SCW2>},
    {"second-order-perceptron", make_rule_of<SecondOrderPerceptron>},
    {"winnow-1", make_rule_of<Winnow1>},
    {"winnow-2", make_rule_of<Winnow2>},
};

}  // namespace

std::shared_ptr<Rule> make_rule(const std::string &name, const Parameters &parameters) {
    const auto found = rule_makers.find(name);
    return found == rule_makers.end() ? nullptr : found->second(parameters);
}

}  // namespace hardlimit
