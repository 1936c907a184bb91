// Functions of numbers whose bits are the same on every machine.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "bind/containers.hpp"
#include "bind/parts.hpp"
#include "numeric/exponential.hpp"
#include "numeric/power.hpp"

namespace hardlimit {
namespace {

namespace nb = nanobind;
using Numbers = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void raise_exponentials(Numbers numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers.data()[i] = exponential(numbers.data()[i]);
}

}  // namespace

void bind_numeric(nb::module_ &module) {
    module.def("power", &positive_power, nb::arg("base"), nb::arg("exponent"),
               "base^exponent of a base >= 0");
    module.def("exponentials", &raise_exponentials, nb::arg("numbers").noconvert(),
               "Replace each number x by e^x.");
}

}  // namespace hardlimit
