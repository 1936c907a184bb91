// The compiled kernels by the names of their Python twins; a contract test compares them.
#include "dual/kernels/kernel.hpp"
#include "dual/kernels/linear.hpp"
#include "dual/kernels/polynomial.hpp"
#include "dual/kernels/rbf.hpp"

namespace hardlimit {

std::shared_ptr<MercerKernel> make_kernel(const std::string &name, const Parameters &parameters) {
    if (name == "linear") return std::make_shared<LinearKernel>(parameters);
    if (name == "polynomial") return std::make_shared<PolynomialKernel>(parameters);
    if (name == "rbf") return std::make_shared<RBFKernel>(parameters);
    return nullptr;
}

}  // namespace hardlimit
