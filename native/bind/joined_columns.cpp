// Blocks of features side by side; hardlimit.text.columns is their front.
#include "text/joined_columns.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <mutex>
#include <tuple>

#include "bind/containers.hpp"
#include "bind/parts.hpp"
#include "bind/unlocked.hpp"
#include "bind/vectors.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hardlimit {
namespace {

using text::JoinedColumns;

using Vectors = std::vector<VectorIn<std::int64_t>>;

void restore(JoinedColumns *self, const Vectors &blocks, std::int64_t n_columns) {
    std::vector<std::span<const std::int64_t>> spans;
    for (const auto &columns : blocks) spans.emplace_back(columns.data(), columns.size());
    const Unlocked released;
    new (self) JoinedColumns(spans, n_columns);
}

void widen(JoinedColumns &self, std::size_t k, std::size_t size) {
    const Unlocked released;
    const std::unique_lock lock(self.mutex);
    self.widen(k, size);
}

VectorOf<std::int64_t> columns_of(const JoinedColumns &self, std::size_t k) {
    std::vector<std::int64_t> columns;
    {
        const Unlocked released;
        const std::shared_lock lock(self.mutex);
        const text::BlockColumns &block = self.block(k);
        columns.reserve(block.size());
        for (std::size_t own = 0; own < block.size(); ++own) columns.push_back(block[own]);
    }
    return own_vector(std::move(columns));
}

std::vector<std::int64_t> some_columns(const JoinedColumns &self, std::size_t k,
                                       const std::vector<std::size_t> &own) {
    const Unlocked released;
    const std::shared_lock lock(self.mutex);
    const text::BlockColumns &block = self.block(k);
    std::vector<std::int64_t> columns;
    for (const std::size_t number : own) {
        if (number >= block.size()) throw std::out_of_range("a column of no block");
        columns.push_back(block[number]);
    }
    return columns;
}

std::tuple<VectorOf<std::int64_t>, VectorOf<std::int64_t>> owners(const JoinedColumns &self,
                                                                  VectorIn<std::int64_t> columns) {
    std::vector<std::int64_t> blocks(columns.size(), -1), own(columns.size(), -1);
    {
        const Unlocked released;
        const std::shared_lock lock(self.mutex);
        for (std::size_t i = 0; i < columns.size(); ++i)
            for (std::size_t k = 0; own[i] < 0 && k < self.n_blocks(); ++k)
                if ((own[i] = self.block(k).find(columns.data()[i])) >= 0)
                    blocks[i] = static_cast<std::int64_t>(k);
    }
    return {own_vector(std::move(blocks)), own_vector(std::move(own))};
}

std::int64_t n_columns(const JoinedColumns &self) {
    const Unlocked released;
    const std::shared_lock lock(self.mutex);
    return self.n_columns();
}

// The arrays of one block, held as long as this lives.
struct HeldRows {
    VectorIn<std::int64_t> starts;
    VectorIn<std::int32_t> columns;
    VectorIn<float> values;
};

using Csr = std::tuple<VectorOf<std::int64_t>, VectorOf<std::int32_t>, VectorOf<float>>;

Csr join(const JoinedColumns &self, nb::list parts, const std::vector<double> &scales) {
    std::vector<HeldRows> held;
    std::vector<text::BlockRows> rows;
    held.reserve(parts.size());
    for (const nb::handle part : parts)
        held.push_back({nb::cast<VectorIn<std::int64_t>>(part.attr("indptr")),
                        nb::cast<VectorIn<std::int32_t>>(part.attr("indices")),
                        nb::cast<VectorIn<float>>(part.attr("data"))});
    if (held.size() != scales.size()) throw nb::value_error("a scale is needed for each block");
    for (std::size_t k = 0; k < held.size(); ++k) {
        const HeldRows &one = held[k];
        if (one.values.size() < one.columns.size()) throw nb::value_error("values are missing");
        rows.push_back({{one.starts.data(), one.starts.size()},
                        {one.columns.data(), one.columns.size()},
                        one.values.data(),
                        static_cast<float>(scales[k])});
    }
    text::JoinedRows joined;
    {
        const Unlocked released;
        const std::shared_lock lock(self.mutex);
        joined = self.join(rows);
    }
    return {own_vector(std::move(joined.starts)), own_vector(std::move(joined.columns)),
            own_vector(std::move(joined.values))};
}

}  // namespace

void bind_joined_columns(nb::module_ &module) {
    nb::class_<JoinedColumns>(module, "JoinedColumns",
                              "Which of all columns are those of each block of features.")
        .def(nb::init<std::size_t>(), "n_blocks"_a)
        .def("__init__", &restore, "blocks"_a, "n_columns"_a,
             "The columns of each block, ascending; ValueError where they contradict each other.")
        .def_prop_ro("n_columns", &n_columns)
        .def("widen", &widen, "block"_a, "size"_a,
             "The block has so many columns by now; the new ones stand behind all others.")
        .def("columns", &columns_of, "block"_a, "The columns of a block, ascending: a copy.")
        .def("columns_of", &some_columns, "block"_a, "own"_a,
             "The columns of some that the block counts itself.")
        .def("owners", &owners, "columns"_a,
             "The block of each column and its number in the block; -1 where there is none.")
        .def("join", &join, "parts"_a, "scales"_a,
             "``(indptr, indices, data)`` of rows of all blocks, columns ascending; the values of\n"
             "each block are multiplied with its scale. Cost: O(features).");
}

}  // namespace hardlimit
