// Choices as Python names them, and sizes as it gives them.
#pragma once
#include <nanobind/nanobind.h>

#include <string>

#include "loops/batch.hpp"
#include "state/state.hpp"

namespace hardlimit {

namespace nb = nanobind;

inline SchemeName parse_scheme(const std::string &name) {
    if (name == "single") return SchemeName::single;
    if (name == "independent") return SchemeName::independent;
    if (name == "coupled") return SchemeName::coupled;
    throw nb::value_error("a scheme is single, independent or coupled");
}

inline Combine parse_combine(const std::string &name) {
    if (name == "sum") return Combine::sum;
    if (name == "average") return Combine::average;
    if (name == "line-search") return Combine::line_search;
    throw nb::value_error("corrections are combined by sum, average or line-search");
}

// A size that cannot wrap when sizes are multiplied.
inline std::int64_t check_size(std::int64_t size, std::int64_t most) {
    if (size < 0 || size > most) throw nb::value_error("a state of that size is not possible");
    return size;
}

}  // namespace hardlimit
