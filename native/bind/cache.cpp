// The door to packed rows; hardlimit.streaming is its front.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <limits>
#include <memory>
#include <shared_mutex>
#include <utility>

#include "bind/containers.hpp"
#include "bind/parts.hpp"
#include "bind/unlocked.hpp"
#include "bind/vectors.hpp"
#include "cache/cells.hpp"
#include "cache/numbers.hpp"
#include "cache/weighed.hpp"
#include "text/rows.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hardlimit {
namespace {

using Octets = VectorIn<unsigned char>;

cache::Bytes bytes_of(const Octets &octets) { return {octets.data(), octets.shape(0)}; }

template <class T>
VectorOf<T> give(std::unique_ptr<T[]> items, std::size_t n) {
    T *const first = items.get();
    const nb::capsule owner(first, [](void *p) noexcept { delete[] static_cast<T *>(p); });
    items.release();
    return {first, {n}, owner};
}

// Not set to zero: all of it is written.
template <class T>
std::unique_ptr<T[]> room(std::size_t n) {
    return std::unique_ptr<T[]>(new T[n ? n : 1]);
}

nb::object give_bytes(const std::vector<unsigned char> &bytes) {
    return nb::bytes(bytes.data(), bytes.size());
}

void check_starts(const VectorIn<std::int64_t> &starts, std::size_t n_cells) {
    const std::size_t n = starts.shape(0);
    bool good = n > 0 && static_cast<std::int64_t>(n) - 1 <= cache::most_rows && starts(0) >= 0;
    for (std::size_t i = 0; good && i + 1 < n; ++i) good = starts(i) <= starts(i + 1);
    if (!good || static_cast<std::uint64_t>(starts(n - 1)) > n_cells ||
        starts(n - 1) - starts(0) > cache::most_cells)
        throw nb::value_error("starts do not say where rows begin");
}

template <class Index>
nb::tuple pack_cells(const VectorIn<std::int64_t> &starts, const VectorIn<Index> &columns,
                     std::optional<VectorIn<std::uint32_t>> counts, std::uint64_t n_columns) {
    check_starts(starts, columns.shape(0));
    if (counts && counts->shape(0) != columns.shape(0))
        throw nb::value_error("one count a cell is wanted");
    cache::Packed packed;
    bool good;
    {
        Unlocked released;
        cache::Counts of_cells;
        if (counts) of_cells.emplace(counts->data(), counts->shape(0));
        good = cache::pack_cells({starts.data(), starts.shape(0)}, columns.data(), of_cells,
                                 n_columns, packed);
    }
    if (!good)
        throw nb::value_error(
            "the columns of a row ascend below the number of columns, and counts are above 0");
    return nb::make_tuple(give_bytes(packed.columns),
                          counts ? give_bytes(packed.counts) : nb::none());
}

template <class Index>
nb::tuple unpack_into_arrays(cache::Bytes columns, std::int64_t n_rows, std::int64_t n_cells,
                             std::uint64_t n_columns) {
    const auto n = static_cast<std::size_t>(n_cells);
    std::unique_ptr<std::int64_t[]> starts;
    std::unique_ptr<Index[]> indices;
    {
        Unlocked released;
        cache::check_size(n_rows, n_cells, columns);
        starts = room<std::int64_t>(static_cast<std::size_t>(n_rows) + 1);
        indices = room<Index>(n);
        cache::unpack_cells(columns, n_rows, n_cells, n_columns, starts.get(), indices.get());
    }
    return nb::make_tuple(give(std::move(starts), static_cast<std::size_t>(n_rows) + 1),
                          give(std::move(indices), n));
}

nb::tuple unpack_cells(const Octets &columns, std::int64_t n_rows, std::int64_t n_cells,
                       std::uint64_t n_columns, bool wide) {
    if (wide)
        return unpack_into_arrays<std::int64_t>(bytes_of(columns), n_rows, n_cells, n_columns);
    return unpack_into_arrays<std::int32_t>(bytes_of(columns), n_rows, n_cells, n_columns);
}

text::Rows *unpack_counts(const Octets &columns, const Octets &counts, std::int64_t n_rows,
                          std::int64_t n_cells, std::uint64_t n_columns) {
    Unlocked released;
    cache::check_size(n_rows, n_cells, bytes_of(columns));
    auto rows = std::make_unique<text::Rows>();
    rows->starts.clear();
    const auto n = static_cast<std::size_t>(n_cells);
    cache::unpack_counts(bytes_of(columns), bytes_of(counts), n_rows, n_cells, n_columns,
                         rows->starts.extend(static_cast<std::size_t>(n_rows) + 1),
                         rows->columns.extend(n), rows->counts.extend(n));
    return rows.release();
}

// (starts, columns, values): what weighing the counts would give.
nb::tuple unpack_weighed(const Octets &columns, const Octets &counts, std::int64_t n_rows,
                         std::int64_t n_cells, const text::Features &features, int tf, bool l2,
                         bool use_idf, double idf_of_unseen, std::vector<std::uint32_t> numbers,
                         std::vector<double> logs, std::pair<double, double> of_block) {
    const auto n = static_cast<std::size_t>(n_cells);
    std::unique_ptr<std::int64_t[]> starts;
    std::unique_ptr<std::int32_t[]> indices;
    std::unique_ptr<float[]> values;
    {
        Unlocked released;
        const text::Weighting weighting{static_cast<text::Tf>(tf),
                                        l2,
                                        {std::move(numbers), std::move(logs)},
                                        {of_block.first, of_block.second}};
        cache::check_size(n_rows, n_cells, bytes_of(columns));
        starts = room<std::int64_t>(static_cast<std::size_t>(n_rows) + 1);
        indices = room<std::int32_t>(n);
        values = room<float>(n);
        const std::shared_lock lock(features.mutex);
        cache::unpack_weighed(bytes_of(columns), bytes_of(counts), n_rows, n_cells, features,
                              weighting, {use_idf, idf_of_unseen}, starts.get(), indices.get(),
                              values.get());
    }
    return nb::make_tuple(give(std::move(starts), static_cast<std::size_t>(n_rows) + 1),
                          give(std::move(indices), n), give(std::move(values), n));
}

std::uint32_t largest_count(const Octets &counts, std::int64_t n_cells) {
    Unlocked released;
    return cache::largest_count(bytes_of(counts), n_cells);
}

nb::object pack_numbers(const Octets &numbers, std::size_t item, bool floats) {
    if ((item != 4 && item != 8) || numbers.shape(0) % item)
        throw nb::value_error("numbers of 4 or 8 bytes are wanted");
    std::vector<unsigned char> packed;
    {
        Unlocked released;
        packed = cache::pack_numbers(numbers.data(), numbers.shape(0) / item, item, floats);
    }
    return give_bytes(packed);
}

VectorOf<unsigned char> unpack_numbers(const Octets &packed, std::size_t n, std::size_t item,
                                       bool may_be_one) {
    if (item != 4 && item != 8) throw nb::value_error("numbers of 4 or 8 bytes are wanted");
    if (n > std::numeric_limits<std::size_t>::max() / 64)
        throw cache::DamagedCache("more numbers than its bytes can hold");
    std::unique_ptr<unsigned char[]> numbers;
    {
        Unlocked released;
        cache::check_numbers(bytes_of(packed), n, may_be_one);
        numbers = room<unsigned char>(n * item);
        cache::unpack_numbers(bytes_of(packed), n, item, may_be_one, numbers.get());
    }
    return give(std::move(numbers), n * item);
}

void raise_as_format_error(const std::exception_ptr &thrown, void *) {
    try {
        std::rethrow_exception(thrown);
    } catch (const cache::DamagedCache &damage) {
        const nb::object error =
            nb::module_::import_("hardlimit.exceptions").attr("DataFormatError");
        PyErr_SetString(error.ptr(), damage.what());
    }
}

}  // namespace

void bind_cache(nb::module_ &module) {
    nb::register_exception_translator(raise_as_format_error);
    const char *const pack = "The packed columns and counts of CSR rows (docs/cache-format.md).";
    module.def("pack_cells", &pack_cells<std::int32_t>, "starts"_a, "columns"_a, "counts"_a.none(),
               "n_columns"_a, pack);
    module.def("pack_cells", &pack_cells<std::int64_t>, "starts"_a, "columns"_a, "counts"_a.none(),
               "n_columns"_a, pack);
    module.def("unpack_cells", &unpack_cells, "packed"_a, "n_rows"_a, "n_cells"_a, "n_columns"_a,
               "wide"_a, "``(starts, columns)``, int64 columns where ``wide``.");
    module.def("unpack_counts", &unpack_counts, "columns"_a, "counts"_a, "n_rows"_a, "n_cells"_a,
               "n_columns"_a, nb::rv_policy::take_ownership, "Rows of counts, to be weighed.");
    module.def("unpack_weighed", &unpack_weighed, "columns"_a, "counts"_a, "n_rows"_a, "n_cells"_a,
               "features"_a, "tf"_a, "l2"_a, "use_idf"_a, "idf_of_unseen"_a, "numbers"_a, "logs"_a,
               "of_block"_a, "``(starts, columns, values)``, the bits of weighing the counts.");
    module.def("largest_count", &largest_count, "counts"_a, "n_cells"_a,
               "The largest count of a packed block.");
    module.def("pack_numbers", &pack_numbers, "numbers"_a, "item"_a, "floats"_a,
               "Numbers of ``item`` bytes, packed.");
    module.def("unpack_numbers", &unpack_numbers, "packed"_a, "n"_a, "item"_a, "may_be_one"_a,
               "The bytes of ``n`` numbers.");
}

}  // namespace hardlimit
