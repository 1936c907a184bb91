// Bytes between C++ and Python.
#pragma once
#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <vector>

namespace hardlimit {

inline std::string_view view_of(const nanobind::bytes &bytes) {
    return {bytes.c_str(), bytes.size()};
}

inline nanobind::bytes as_bytes(const std::string &bytes) {
    return nanobind::bytes(bytes.data(), bytes.size());
}
inline nanobind::bytes as_bytes(const std::vector<double> &numbers) {
    return nanobind::bytes(numbers.data(), numbers.size() * sizeof(double));
}

}  // namespace hardlimit
