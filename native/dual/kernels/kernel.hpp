// A Mercer kernel: inner products of a feature space, from those of the columns.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "rules/rule.hpp"

namespace hardlimit {

class MercerKernel {
  public:
    virtual ~MercerKernel() = default;
    // Each product <x, z> becomes K(x, z); the squared lengths are those of x and of each z.
    virtual void from_products(double *products, std::int64_t count, double sqnorm_x,
                               const double *sqnorms_z) const = 0;
    virtual bool asks_sqnorms() const { return false; }
};

// Makes the compiled kernel of that name, or null where there is none.
std::shared_ptr<MercerKernel> make_kernel(const std::string &name, const Parameters &parameters);

}  // namespace hardlimit
