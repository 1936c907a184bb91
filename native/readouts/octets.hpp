// Columns in use, renumbered without gaps by eights: column c of the r-th octet in use becomes
// 8 * r + (c & 7), so that the order of columns and the place of each in the eight partial sums of
// kernels.hpp stay what they were, and memory follows the columns in use, not their largest number.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

namespace hardlimit {

class Octets {
  public:
    Octets() = default;
    Octets(const std::vector<std::int32_t> &columns, std::int64_t n_columns)
        : words_(static_cast<std::size_t>((n_columns >> 9) + 1), 0), before_(words_.size(), 0) {
        for (const std::int32_t c : columns) words_[word(c)] |= bit(c);
        std::int32_t count = 0;
        for (std::size_t w = 0; w < words_.size(); ++w) {
            before_[w] = count;
            count += std::popcount(words_[w]);
        }
        octets_.reserve(static_cast<std::size_t>(count));
        for (std::size_t w = 0; w < words_.size(); ++w)
            for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
                octets_.push_back(static_cast<std::int32_t>(w << 6) + std::countr_zero(rest));
    }

    // The new number of a column, or -1 where its octet is not in use.
    std::int64_t place(std::int64_t column) const {
        const std::size_t w = word(column);
        const std::uint64_t here = bit(column);
        if (!(words_[w] & here)) return -1;
        const std::int64_t rank = before_[w] + std::popcount(words_[w] & (here - 1));
        return rank << 3 | (column & 7);
    }

    std::int32_t column(std::int32_t place) const {
        return octets_[static_cast<std::size_t>(place >> 3)] << 3 | (place & 7);
    }

    std::size_t n_places() const { return octets_.size() << 3; }
    std::size_t nbytes() const {
        return words_.size() * sizeof(std::uint64_t) +
               (before_.size() + octets_.size()) * sizeof(std::int32_t);
    }

  private:
    static std::size_t word(std::int64_t column) { return static_cast<std::size_t>(column >> 9); }
    static std::uint64_t bit(std::int64_t column) {
        return std::uint64_t{1} << ((column >> 3) & 63);
    }

    std::vector<std::uint64_t> words_;  // a bit for each octet
    std::vector<std::int32_t> before_;  // octets in use before a word
    std::vector<std::int32_t> octets_;  // their numbers
};

}  // namespace hardlimit
