// Apart from the header, so that it is compiled for several register widths.
#include "loops/link.hpp"

#include "portability.hpp"

namespace hardlimit {

HARDLIMIT_CLONES void link_weights(const double *theta, std::int64_t count, double *w) {
    for (std::int64_t j = 0; j < count; ++j)
        w[j] = std::copysign(twice_sinh(std::abs(theta[j])), theta[j]);
}

}  // namespace hardlimit
