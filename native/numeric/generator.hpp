// The package's own random numbers, so that an order means the same everywhere and for ever:
// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), bounded by Lemire's method without bias
// (ACM TOMACS 29, 2019), and Fisher and Yates' shuffle from the last place down.
#pragma once
#include <cstdint>
#include <vector>

#include "portability.hpp"

namespace hardlimit {

class Generator {
  public:
    // A stream of its own for each (seed, epoch): an epoch can be repeated without its forerunners.
    Generator(std::uint64_t seed, std::uint64_t epoch) : state_(mix(seed) + mix(~epoch)) {}

    std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15ULL); }

    // Uniform in 0 .. bound - 1; bound > 0.
    std::uint64_t below(std::uint64_t bound) {
        Product128 product = multiply_128(next(), bound);
        if (product.low < bound) {
            const std::uint64_t least = (0 - bound) % bound;
            while (product.low < least) product = multiply_128(next(), bound);
        }
        return product.high;
    }

    template <class T>
    void shuffle(std::vector<T> &items) {
        for (std::size_t i = items.size(); i > 1; --i)
            std::swap(items[i - 1], items[static_cast<std::size_t>(below(i))]);
    }

  private:
    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

}  // namespace hardlimit
