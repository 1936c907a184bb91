#pragma once
#include "dual/kernels/kernel.hpp"

namespace hardlimit {

// (c + <x, z>)^degree, multiplied out one factor after the other.
class PolynomialKernel final : public MercerKernel {
  public:
    explicit PolynomialKernel(const Parameters &parameters)
        : degree_(static_cast<int>(parameters.at("degree"))), c_(parameters.at("c")) {}
    void from_products(double *products, std::int64_t count, double,
                       const double *) const override {
        for (std::int64_t j = 0; j < count; ++j) {
            const double base = products[j] + c_;
            double power = base;
            for (int factor = 1; factor < degree_; ++factor) power *= base;
            products[j] = power;
        }
    }

  private:
    int degree_;
    double c_;
};

}  // namespace hardlimit
