#pragma once
#include <algorithm>

#include "dual/kernels/kernel.hpp"
#include "numeric/exponential.hpp"

namespace hardlimit {

// exp(-gamma ||x - z||^2), by ||x - z||^2 = ||x||^2 + ||z||^2 - 2 <x, z>: the same for dense and
// sparse rows, and exactly 1 for equal ones.
class RBFKernel final : public MercerKernel {
  public:
    explicit RBFKernel(const Parameters &parameters) : gamma_(parameters.at("gamma")) {}
    void from_products(double *products, std::int64_t count, double sqnorm_x,
                       const double *sqnorms_z) const override {
        for (std::int64_t j = 0; j < count; ++j) {
            const double distance = (sqnorm_x + sqnorms_z[j]) - 2 * products[j];
            products[j] = exponential(-gamma_ * std::max(0.0, distance));
        }
    }
    bool asks_sqnorms() const override { return true; }

  private:
    double gamma_;
};

}  // namespace hardlimit
