#include "finders/registry.hpp"

#include "finders/adatron.hpp"
#include "finders/counted_perceptron.hpp"
#include "finders/minimum_norm.hpp"
#include "finders/normalised_perceptron.hpp"
#include "finders/rescaling.hpp"
#include "finders/smooth_perceptron.hpp"
#include "finders/von_neumann.hpp"

namespace hardlimit {
namespace {

template <class Rows>
std::unique_ptr<Search> make_search_of(const std::string &name, const Rows &rows, double parameter,
                                       std::uint64_t seed) {
    if (name == "perceptron")
        return std::make_unique<CountedPerceptron<Rows, Mistake>>(rows, Mistake{});
    if (name == "dynamic-margin")
        return std::make_unique<CountedPerceptron<Rows, ShortOfDynamicMargin>>(
            rows, ShortOfDynamicMargin{parameter});
    if (name == "von-neumann") return std::make_unique<VonNeumann<Rows>>(rows);
    if (name == "normalised-perceptron") return std::make_unique<NormalisedPerceptron<Rows>>(rows);
    if (name == "smooth-entropy") return std::make_unique<SmoothPerceptron<Rows, Entropy>>(rows);
    if (name == "smooth-euclidean")
        return std::make_unique<SmoothPerceptron<Rows, Euclidean>>(rows);
    if (name == "minimum-norm") return std::make_unique<MinimumNorm<Rows>>(rows);
    if (name == "adatron") return std::make_unique<AdaTron<Rows>>(rows, seed);
    if (name == "rescaling") return std::make_unique<Rescaling<Rows>>(rows, parameter, seed);
    return nullptr;
}

}  // namespace

std::unique_ptr<Search> make_search(const std::string &name, const StoredRows &rows,
                                    double parameter, std::uint64_t seed) {
    if (const auto *dense = std::get_if<DenseRows<double>>(&rows))
        return make_search_of(name, *dense, parameter, seed);
    if (const auto *sparse = std::get_if<SparseRows<double>>(&rows))
        return make_search_of(name, *sparse, parameter, seed);
    return nullptr;
}

}  // namespace hardlimit
