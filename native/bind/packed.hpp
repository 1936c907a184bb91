// Packed weights between C++ and Python: arrays that numpy owns, and their checks.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind/rows_handle.hpp"
#include "bind/unlocked.hpp"
#include "bind/vectors.hpp"
#include "state/packed.hpp"

namespace hardlimit {

// The array itself, which lies on large pages where it is large: answers are looked up at random.
template <class Number>
VectorOf<Number> own_numbers(Zeroed<Number> numbers) {
    auto own = std::make_unique<Zeroed<Number>>(std::move(numbers));
    Number *first = own->data();
    const std::size_t size = own->size();
    nb::capsule owner(own.get(), [](void *p) noexcept { delete static_cast<Zeroed<Number> *>(p); });
    own.release();
    return VectorOf<Number>(first, {size}, owner);
}

template <class Narrow, class Wide>
nb::object narrowed(const Zeroed<Wide> &numbers) {
    Zeroed<Narrow> narrow(numbers.size());
    std::copy_n(numbers.data(), numbers.size(), narrow.data());
    return nb::cast(own_numbers(std::move(narrow)));
}

// Outputs take a byte where all numbers fit into one.
constexpr std::int64_t outputs_in_bytes = 256;

inline nb::object own_outputs(Zeroed<std::uint32_t> outputs, std::int64_t n_outputs) {
    return n_outputs <= outputs_in_bytes ? narrowed<std::uint8_t>(outputs)
                                         : nb::cast(own_numbers(std::move(outputs)));
}

inline nb::object own_starts(Zeroed<std::uint64_t> starts) {
    return starts[starts.size() - 1] >> 32 ? nb::cast(own_numbers(std::move(starts)))
                                           : narrowed<std::uint32_t>(starts);
}

// (runs, starts, outputs, values) of packed weights: of each cell what `mixed(output, w, u)` says.
// A column of which more than half is other than 0 has a run of all outputs.
template <class Value, class Mixed>
nb::tuple finish_packing(Packing packing, std::int64_t n_outputs, Mixed mixed) {
    std::vector<std::uint32_t> number(packing.ends.size(), 0);
    Zeroed<std::uint32_t> outputs;
    Zeroed<std::uint64_t> starts(1);
    Zeroed<Value> values;
    std::vector<Value> row(static_cast<std::size_t>(n_outputs));
    {
        Unlocked release;
        for (std::size_t run = 1; run < packing.ends.size(); ++run) {
            std::size_t count = 0;
            std::fill(row.begin(), row.end(), Value(0));
            for (std::size_t at = packing.ends[run - 1]; at < packing.ends[run]; ++at) {
                const std::uint32_t k = packing.outputs[at];
                row[k] = static_cast<Value>(mixed(k, packing.w[at], packing.u[at]));
                count += row[k] != 0;
            }
            if (count == 0) continue;
            const bool full = 2 * count > row.size();
            for (std::size_t k = 0; k < row.size(); ++k)
                if (full || row[k] != 0) {
                    outputs.push_back(static_cast<std::uint32_t>(k));
                    values.push_back(row[k]);
                }
            starts.push_back(values.size());
            number[run] = static_cast<std::uint32_t>(starts.size() - 1);
        }
        for (std::size_t c = 0; c < packing.runs.size(); ++c)
            packing.runs[c] = number[packing.runs[c]];
    }
    return nb::make_tuple(own_numbers(std::move(packing.runs)), own_starts(std::move(starts)),
                          own_outputs(std::move(outputs), n_outputs),
                          own_numbers(std::move(values)));
}

}  // namespace hardlimit
