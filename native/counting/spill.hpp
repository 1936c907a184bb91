// What a vocabulary has counted, as sorted records.
#pragma once
#include <vector>

#include "counting/records.hpp"
#include "text/features.hpp"

namespace hardlimit::counting {

// How often each column occurs in rows of counts.
class Occurrences {
  public:
    void add(const text::Rows &rows);
    std::uint64_t operator[](std::size_t column) const {
        return column < counts_.size() ? counts_[column] : 0;
    }
    std::size_t n_bytes() const { return counts_.size() * sizeof(std::uint64_t); }

  private:
    Zeroed<std::uint64_t> counts_;
};

// Terms that may be added to each table of a vocabulary.
struct More {
    std::size_t words = 0, runs = 0, chars = 0;  // `words`: also n-grams of each length
};

// Bytes that the vocabulary takes, and writing its records, with so many more terms.
std::size_t count_bytes(const text::Features &features, const More &more);

class Spill {
  public:
    // The number of the run stands before places and columns, so that earlier runs come first.
    Spill(const text::Features &features, const Occurrences &occurrences, std::uint32_t run);

    // Appends the next records, until there are so many bytes or none is left.
    void write(std::size_t n_bytes, std::string &to);

  private:
    struct Entry {
        std::uint64_t hash;
        std::uint32_t id;
        std::uint8_t kind;
    };

    void add_strings(const text::StringTable &table, std::uint8_t kind);
    void add_grams(const text::PairTable &table, std::uint8_t kind, std::size_t first_prefix);
    void spell(std::uint8_t kind, std::uint32_t id, std::string &term) const;
    const text::StringTable &strings(std::uint8_t kind) const;

    const text::Features &features_;
    const Occurrences &occurrences_;
    std::uint64_t run_;
    std::vector<Entry> entries_;
    std::vector<std::vector<text::Slot>> slots_;  // by kind and number
    std::size_t next_ = 0;
    std::string term_;
};

}  // namespace hardlimit::counting
