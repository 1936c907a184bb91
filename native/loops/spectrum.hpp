// The largest eigenvalue of sum x x' / ||x||^2 over the rows that take part: what limits the plain
// sum of batch relaxation.
#pragma once
#include <cmath>
#include <vector>

#include "loops/schemes.hpp"
#include "rows/examples.hpp"

namespace hardlimit {

// By power iteration from the sum of the unit rows and of ones, to about nine digits; from below.
template <class Rows>
double largest_eigenvalue(const Rows &rows, const Examples &examples) {
    std::vector<double> v(static_cast<std::size_t>(rows.n_columns + 1), 1.0), image(v.size());
    double last = 0;
    for (int iteration = 0; iteration < 1000; ++iteration) {
        double length = 0, energy = 0;
        for (const double value : v) length += value * value;
        std::fill(image.begin(), image.end(), 0.0);
        for (std::int64_t p = 0; p < examples.n_present; ++p) {
            const std::int64_t i = examples.present_row(p);
            const double sqnorm = rows.sqnorm(i);
            if (sqnorm == 0) continue;
            const double product = rows.dot(i, v.data(), i) / std::sqrt(length);
            energy += product * product / sqnorm;
            rows.add_scaled(i, product / sqnorm, image.data(), 1);
        }
        v.swap(image);
        if (std::abs(energy - last) <= 1e-10 * energy) return energy;
        last = energy;
        if (energy == 0) return 0;
    }
    return last;
}

}  // namespace hardlimit
