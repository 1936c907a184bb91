// Blocks of features side by side; hardlimit.text.columns and hardlimit.tables are their fronts.
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
#include "text/rows.hpp"
#include "text/table_blocks.hpp"

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

// The rows of one block, held as long as this lives.
struct Part {
    VectorIn<std::int64_t> starts;
    VectorIn<std::int32_t> columns;
    VectorIn<float> values;
    std::size_t n_columns = 0;
    text::BlockRows rows;
};

// Of arrays of numpy, and as the features of texts hold them.
Part read_part(nb::handle from, double scale) {
    Part part;
    const auto by = static_cast<float>(scale);
    if (nb::isinstance<text::Rows>(from)) {
        const auto &rows = nb::cast<const text::Rows &>(from);
        part.n_columns = rows.n_columns;
        part.rows = {{rows.starts.data(), rows.starts.size()},
                     {rows.columns.data(), rows.columns.size()},
                     reinterpret_cast<const float *>(rows.counts.data()),
                     by};
        return part;
    }
    part.starts = nb::cast<VectorIn<std::int64_t>>(from.attr("indptr"));
    part.columns = nb::cast<VectorIn<std::int32_t>>(from.attr("indices"));
    part.values = nb::cast<VectorIn<float>>(from.attr("data"));
    part.n_columns = nb::cast<std::size_t>(from.attr("n_columns"));
    if (part.values.size() < part.columns.size()) throw nb::value_error("values are missing");
    part.rows = {{part.starts.data(), part.starts.size()},
                 {part.columns.data(), part.columns.size()},
                 part.values.data(),
                 by};
    return part;
}

using Csr =
    std::tuple<VectorOf<std::int64_t>, VectorOf<std::int32_t>, VectorOf<float>, std::size_t>;

Csr join(JoinedColumns &self, nb::list from, const std::vector<double> &scales, bool learnt) {
    std::vector<Part> parts;
    std::vector<text::BlockRows> rows;
    parts.reserve(from.size());
    if (from.size() != scales.size()) throw nb::value_error("a scale is needed for each block");
    for (std::size_t k = 0; k < from.size(); ++k) {
        parts.push_back(read_part(from[k], scales[k]));
        rows.push_back(parts[k].rows);
    }
    text::JoinedRows joined;
    std::size_t n_columns = 0;
    {
        const Unlocked released;
        if (learnt) {
            const std::unique_lock lock(self.mutex);
            for (std::size_t k = 0; k < parts.size(); ++k) self.widen(k, parts[k].n_columns);
        }
        const std::shared_lock lock(self.mutex);
        joined = self.join(rows);
        n_columns = static_cast<std::size_t>(self.n_columns());
    }
    return {own_vector(std::move(joined.starts)), own_vector(std::move(joined.columns)),
            own_vector(std::move(joined.values)), n_columns};
}

}  // namespace

void bind_joined_columns(nb::module_ &module) {
    module.def(
        "standardise",
        [](VectorIn<double> numbers, double mean, double deviation, bool marked) {
            const Unlocked released;
            return text::standardise({numbers.data(), numbers.size()}, mean, deviation, marked);
        },
        "numbers"_a, "mean"_a, "deviation"_a, "marked"_a,
        "Rows of ``(x - mean) / deviation`` in column 0. NaN is nothing, or, where ``marked``, 1 "
        "in\n"
        "column 1.");
    module.def(
        "indicate",
        [](const std::vector<std::int64_t> &columns, std::size_t n_columns) {
            const Unlocked released;
            return text::indicate(columns, n_columns);
        },
        "columns"_a, "n_columns"_a, "Rows of 1 in the column of each; below 0 is nothing.");
    module.def(
        "find_beyond",
        [](VectorIn<double> numbers, double most) {
            return text::find_beyond({numbers.data(), numbers.size()}, most);
        },
        "numbers"_a, "most"_a, "The places of numbers that are not between -most and most.");
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
        .def(
            "join", &join, "parts"_a, "scales"_a, "learnt"_a = false,
            "``(indptr, indices, data, n_columns)`` of rows of all blocks, columns ascending; the\n"
            "values of each block are multiplied with its scale. ``learnt``: blocks have as many\n"
            "columns as their rows say. Cost: O(features), and the new columns.");
}

}  // namespace hardlimit
