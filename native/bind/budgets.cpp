// The compiled budgets by the names of their Python twins.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <memory>

#include "bind/containers.hpp"
#include "bind/rows_handle.hpp"
#include "bind/shared_pointer.hpp"
#include "dual/budgets/forgetron.hpp"
#include "dual/budgets/projectron.hpp"
#include "dual/budgets/removing.hpp"

namespace hardlimit {
namespace {

std::size_t read_size(const Parameters &parameters) {
    const double size = parameters.at("size");
    if (!(size >= 1)) throw nb::value_error("a budget holds at least one correction");
    constexpr double most = 1LL << 53;  // of more there is no memory, and a cast means nothing
    return static_cast<std::size_t>(std::min(size, most));
}

// Or null where there is none of that name.
std::shared_ptr<Holding> make_holding(const std::string &name, const Parameters &parameters,
                                      std::uint64_t seed, double negligible) {
    const auto size = [&] { return read_size(parameters); };
    if (name == "remove-oldest") return std::make_shared<RemoveOldest>(size());
    if (name == "random-removal") return std::make_shared<RandomRemoval>(size(), seed);
    if (name == "stoptron") return std::make_shared<Stoptron>(size());
    if (name == "forgetron") return std::make_shared<Forgetron>(size());
    if (name == "projectron")
        return std::make_shared<Projectron>(parameters.at("eta"), negligible, false);
    if (name == "projectron-plus-plus")
        return std::make_shared<Projectron>(parameters.at("eta"), negligible, true);
    return nullptr;
}

}  // namespace

void bind_budgets(nb::module_ &module) {
    module.def("compiled_budget", &make_holding, nb::arg("name"), nb::arg("parameters"),
               nb::arg("seed"), nb::arg("negligible"));
}

}  // namespace hardlimit
