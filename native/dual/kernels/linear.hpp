#pragma once
#include "dual/kernels/kernel.hpp"

namespace hardlimit {

// <x, z>.
class LinearKernel final : public MercerKernel {
  public:
    explicit LinearKernel(const Parameters &) {}
    void from_products(double *, std::int64_t, double, const double *) const override {}
};

}  // namespace hardlimit
