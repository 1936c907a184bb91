// The compiled kernels by the names of their Python twins; a contract test compares them.
#include "mercer/kernel.hpp"
#include "mercer/linear.hpp"
#include "mercer/polynomial.hpp"
#include "mercer/rbf.hpp"

namespace hardlimit {

std::shared_ptr<MercerKernel> make_kernel(const std::string &name, const Parameters &parameters) {
    if (name == "linear") return std::make_shared<LinearKernel>(parameters);
    if (name == "polynomial") return std::make_shared<PolynomialKernel>(parameters);
    if (name == "rbf") return std::make_shared<RBFKernel>(parameters);
    return nullptr;
}

}  // namespace hardlimit
