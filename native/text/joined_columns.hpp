// Blocks of features side by side: which of all columns are those of each block.
#pragma once
#include <cstdint>
#include <shared_mutex>
#include <span>
#include <vector>

#include "text/growing.hpp"

namespace hardlimit::text {

// The columns of one block among all, ascending. They are listed from the moment when they no
// longer follow each other: after a fit, and of hashed columns always, the first says it all.
class BlockColumns {
  public:
    std::size_t size() const { return size_; }
    std::int32_t operator[](std::size_t own) const {
        return is_listed() ? listed_[own] : first_ + static_cast<std::int32_t>(own);
    }
    // `n` more, from `first` on. Cost: `n`; once in the life of a block its size.
    void add(std::int32_t first, std::size_t n);
    // The number of a column in this block, or -1.
    std::int64_t find(std::int64_t column) const;

  private:
    bool is_listed() const { return listed_.size() > 0; }
    void append(std::int32_t first, std::size_t n);

    std::int32_t first_ = 0;
    std::size_t size_ = 0;
    Growing<std::int32_t> listed_;
};

// Rows of one block: canonical CSR, whose values are multiplied with `scale`.
struct BlockRows {
    std::span<const std::int64_t> starts;
    std::span<const std::int32_t> columns;
    const float *values;
    float scale;
};

struct JoinedRows {
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> columns;
    std::vector<float> values;
};

class JoinedColumns {
  public:
    explicit JoinedColumns(std::size_t n_blocks) : blocks_(n_blocks) {}
    // Of a file. Throws std::invalid_argument where the columns contradict each other.
    JoinedColumns(const std::vector<std::span<const std::int64_t>> &blocks, std::int64_t n_columns);

    std::size_t n_blocks() const { return blocks_.size(); }
    std::int64_t n_columns() const { return n_columns_; }
    const BlockColumns &block(std::size_t k) const { return blocks_.at(k); }
    // Block `k` has so many columns by now; the new ones stand behind all others.
    void widen(std::size_t k, std::size_t size);
    // The rows of all blocks as rows of all columns, ascending. Cost: O(features log(blocks)), of
    // blocks that have not grown between each other O(features).
    JoinedRows join(const std::vector<BlockRows> &parts) const;

    mutable std::shared_mutex mutex;  // readers share it, growing takes it alone

  private:
    std::vector<BlockColumns> blocks_;
    std::int64_t n_columns_ = 0;
};

}  // namespace hardlimit::text
