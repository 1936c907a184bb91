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
std::shared_ptr<Guard> make(const Parameters &parameters) {
    return std::make_shared<G>(parameters);
}

using Maker = std::shared_ptr<Guard> (*)(const Parameters &);

const std::vector<std::pair<std::string, Maker>> makers{
    {"margin", make<MarginGuard>},
    {"lambda-trick", make<LambdaTrick>},
    {"alpha-bound", make<AlphaBound>},
    {"box-constraint", make<BoxConstraint>},
};

}  // namespace

std::shared_ptr<Guard> make_guard(const std::string &name, const Parameters &parameters) {
    for (const auto &[known, maker] : makers)
        if (known == name) return maker(parameters);
    return nullptr;
}

std::vector<std::string> guard_names() {
    std::vector<std::string> names;
    for (const auto &maker : makers) names.push_back(maker.first);
    return names;
}

}  // namespace hardlimit
