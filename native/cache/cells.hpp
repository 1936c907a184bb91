// The cells of a block of sparse rows, column by column: which rows have a column costs hardly more
// than the entropy of its frequency in the block, without any knowledge of other blocks. Columns
// ascend, so that rows which are filled side by side have theirs in order.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cache/bits.hpp"

namespace hardlimit::cache {

inline constexpr std::int64_t most_rows = std::int64_t(1) << 20;  // of a block
inline constexpr std::int64_t most_cells = 0x7FFFFFFF;

using Bytes = std::span<const unsigned char>;

struct Packed {
    std::vector<unsigned char> columns, counts;
};

// Rows as CSR, with counts or without. False where columns of a row do not ascend, one is outside,
// or a count is 0.
using Counts = std::optional<std::span<const std::uint32_t>>;
template <class Index>
bool pack_cells(std::span<const std::int64_t> starts, const Index *columns, Counts counts,
                std::uint64_t n_columns, Packed &packed);

// What the stated numbers of rows and cells may be, by the bytes that hold them.
void check_size(std::int64_t n_rows, std::int64_t n_cells, Bytes columns);

// `starts` has n_rows + 1 numbers; the others n_cells.
template <class Index>
void unpack_cells(Bytes packed, std::int64_t n_rows, std::int64_t n_cells, std::uint64_t n_columns,
                  std::int64_t *starts, Index *columns);
void unpack_counts(Bytes packed_columns, Bytes packed_counts, std::int64_t n_rows,
                   std::int64_t n_cells, std::uint64_t n_columns, std::int64_t *starts,
                   std::int32_t *columns, std::uint32_t *counts);

}  // namespace hardlimit::cache
