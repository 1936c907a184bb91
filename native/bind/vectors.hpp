// Vectors of numbers between C++ and numpy.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <utility>
#include <vector>

namespace hardlimit {

namespace nb = nanobind;

// As numpy gives them.
template <class Number>
using VectorIn = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// As numpy owns them.
template <class Number>
using VectorOf = nb::ndarray<nb::numpy, Number, nb::ndim<1>>;

// Handed over without a copy.
template <class Number>
VectorOf<Number> own_vector(std::vector<Number> numbers) {
    auto own = std::make_unique<std::vector<Number>>(std::move(numbers));
    std::vector<Number> *kept = own.get();
    nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<std::vector<Number> *>(p); });
    own.release();
    return VectorOf<Number>(kept->data(), {kept->size()}, owner);
}

}  // namespace hardlimit
