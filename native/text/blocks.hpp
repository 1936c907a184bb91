// Words and characters as two blocks of a row, each with a length and a weight of its own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hardlimit::text {

enum class Block : std::uint8_t { words, chars };

// The block of each column, one bit a column.
class ColumnBlocks {
  public:
    Block operator[](std::size_t column) const {
        const std::size_t at = column >> 6;
        return at < bits_.size() && bits_[at] >> (column & 63) & 1 ? Block::chars : Block::words;
    }
    // Also of a column that another term had before.
    void set(std::size_t column, Block block) {
        if (column >> 6 >= bits_.size()) bits_.resize((column >> 6) + (bits_.size() / 2) + 1);
        const std::uint64_t bit = std::uint64_t(1) << (column & 63);
        std::uint64_t &bits = bits_[column >> 6];
        bits = block == Block::chars ? bits | bit : bits & ~bit;
    }

  private:
    std::vector<std::uint64_t> bits_;
};

}  // namespace hardlimit::text
