// The compiled guards by the names of their Python twins, the innermost first: what a guard adds to
// the required margin is rounded before what the next one takes away.
#include <utility>

#include "guards/alpha_bound.hpp"
#include "guards/box_constraint.hpp"
#include "guards/guard.hpp"
#include "guards/lambda_trick.hpp"
#include "guards/margin.hpp"

namespace hardlimit {
namespace {

template <class G>
std::shared_ptr<Guard> make_guard_of(const Parameters &parameters) {
    return std::make_shared<G>(parameters);
}

using GuardMaker = std::shared_ptr<Guard> (*)(const Parameters &);

const std::vector<std::pair<std::string, GuardMaker>> guard_makers{
    {"margin", make_guard_of<MarginGuard>},
    {"lambda-trick", make_guard_of<LambdaTrick>},
    {"alpha-bound", make_guard_of<AlphaBound>},
    {"box-constraint", make_guard_of<BoxConstraint>},
};

}  // namespace

std::shared_ptr<Guard> make_guard(const std::string &name, const Parameters &parameters) {
    for (const auto &[known, maker] : guard_makers)
        if (known == name) return maker(parameters);
    return nullptr;
}

std::vector<std::string> guard_names() {
    std::vector<std::string> names;
    for (const auto &maker : guard_makers) names.push_back(maker.first);
    return names;
}

}  // namespace hardlimit
