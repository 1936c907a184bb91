// A vocabulary laid out to be looked up where it lies, in a memory-mapped file, without building.
//
// Tables in the order words, runs, chars, pairs2, pairs3, ...: each an array of slots. The first
// `homes` of them are open addressing with linear steps from home = high 64 bits of spread(key) *
// homes, round the end, filled in the order of first appearance. A key that finds 64 slots taken is
// one of the slots behind the homes, which ascend by (key, bytes of a long string): a search that
// found no free slot goes on there by bisection. So any terms can be stored, those too that
// somebody chose to share a home, and a search takes O(log n) steps.
//
// A slot holds the key (slots.hpp; of a long string with the hash of hash.hpp), for a string longer
// than seven bytes its number among those, and the number of the term or -1. The id of a word or
// n-gram, from which the keys of longer ones are made, is the number of its slot. Terms are
// numbered by ascending original column.
//
//   <table>          slots, 16 bytes each
//   <table>_ends32, <table>_bytes   the long strings (narrow.hpp)
//   homes            by table (absent in version 1 of the model file: all slots)
//   probes           longest search among the homes, by table (in version 1 up to 65536)
//   origins          slot of each term, all tables in a row
//   columns          original column of each term (absent: the term's own number)
//   idf, idf_numbers factor of each term (narrow.hpp; absent: 1)
//   blocks           a bit for each term, from the lowest of each byte on, 1 for n-grams of
//                    characters (absent without blocks)
//   weight_rows      row of weights of each term or -1, and
//   used             term of each row of weights  (both absent: the term's own number)
//
// With hashing there are no tables; `columns` is searched, names are name_ends32 and name_bytes.
#pragma once
#include <optional>
#include <string_view>

#include "text/features.hpp"
#include "text/narrow.hpp"

namespace hardlimit::text {

// The tables of what has been learnt. `used`: ascending columns that have a row of weights (none
// given: all). A norm needs the other terms as well: `keep_unused`.
Tensors freeze(const Features &features, const std::optional<std::vector<std::int32_t>> &used,
               bool keep_unused, bool with_idf);

inline std::string table_name(std::size_t i) {
    return i == 0 ? "words" : i == 1 ? "runs" : i == 2 ? "chars" : "pairs" + std::to_string(i - 1);
}

inline std::size_t frozen_home(std::uint64_t key, std::size_t homes) {
    return multiply_128(spread(key), homes).high;
}

inline constexpr std::uint32_t most_probes = 64, most_probes_in_version_1 = 1 << 16;

// One table read through checked arrays: damage and lies give DamagedModel, never a crash.
class FrozenTable {
  public:
    FrozenTable() = default;
    FrozenTable(const Incoming &tensors, std::size_t number);

    std::size_t capacity() const { return slots_.size(); }
    Slot slot(std::size_t i) const { return slots_[i]; }
    HARDLIMIT_INLINE void prefetch_key(std::uint64_t key) const {
        if (homes_) prefetch(first_ + frozen_home(key, homes_) * sizeof(Slot));
    }
    // A look at the slot where the search begins, without a branch on what is there. False where it
    // settles nothing. An empty slot settles that the key is not there.
    HARDLIMIT_INLINE bool glance(std::uint64_t key, Found &found) const {
        if (!homes_ || !probes_) return false;
        const std::size_t home = frozen_home(key, homes_);
        const Slot slot = slots_[home];
        const bool met = slot.key == key && key;
        const std::uint32_t unknown = met ? 0 : no_id;
        found = {static_cast<std::uint32_t>(home) | unknown,
                 static_cast<std::int32_t>(slot.column | unknown)};
        return (met | !slot.key) & !(key & long_string);
    }
    // Of keys of long strings at these places: the bytes that a search compares come while the
    // first ones are looked up. `scratch` has room for n numbers.
    void prefetch_bytes(const std::uint64_t *keys, const std::uint32_t *places, std::size_t n,
                        std::uint32_t *scratch) const;
    // The slot's number is the id; `at` is null for keys that say all.
    Found find(std::uint64_t key, const Byte *at, std::size_t size) const;
    std::string text(const Slot &slot) const;

  private:
    CheckedArray<Slot> slots_;
    Ends ends_;
    std::shared_ptr<const CheckedBytes> bytes_;
    const unsigned char *first_ = nullptr, *first_byte_ = nullptr;  // for prefetching only
    std::size_t homes_ = 0;
    std::uint32_t probes_ = 0;

    Found find_behind(std::uint64_t key, const Byte *at, std::size_t size) const;
    bool same(const Slot &slot, const Byte *at, std::size_t size) const;
    bool precedes(const Slot &slot, std::uint64_t key, const Byte *at, std::size_t size) const;
    std::string_view long_bytes(const Slot &slot) const;
};

class Frozen {
  public:
    Frozen(const Settings &settings, const Incoming &tensors);

    HARDLIMIT_INLINE void prefetch_word(std::uint64_t key) const { tables_[0].prefetch_key(key); }
    void prefetch_word_bytes(const std::uint64_t *keys, const std::uint32_t *places, std::size_t n,
                             std::uint32_t *scratch) const {
        tables_[0].prefetch_bytes(keys, places, n, scratch);
    }
    void prefetch_behind_pair(int, std::uint64_t) const {}
    HARDLIMIT_INLINE void prefetch_pair(int n, std::uint64_t key) const {
        tables_[n + 1].prefetch_key(key);
    }
    HARDLIMIT_INLINE void prefetch_string(Strings kind, std::uint64_t key) const {
        tables_[kind == Strings::runs ? 1 : 2].prefetch_key(key);
    }
    HARDLIMIT_INLINE bool glance_at_word(std::uint64_t key, Found &found) const {
        return tables_[0].glance(key, found);
    }
    HARDLIMIT_INLINE bool glance_at_pair(int n, std::uint64_t key, Found &found) const {
        return tables_[n + 1].glance(key, found);
    }
    HARDLIMIT_INLINE bool glance_at_string(Strings kind, std::uint64_t key, Found &found) const {
        return tables_[kind == Strings::runs ? 1 : 2].glance(key, found);
    }
    Found word(std::uint64_t key, const Byte *at, std::size_t size) const {
        return tables_[0].find(key, at, size);
    }
    Found pair(int n, std::uint64_t key) const { return tables_[n + 1].find(key, nullptr, 0); }
    Found string(Strings kind, std::uint64_t key, const Byte *at, std::size_t size) const {
        return tables_[kind == Strings::runs ? 1 : 2].find(key, at, size);
    }

    // The name of a slot, numbered through all tables.
    std::string name(std::size_t slot) const;

  private:
    std::string gram(std::size_t table, std::size_t slot) const;
    std::vector<FrozenTable> tables_;
};

}  // namespace hardlimit::text
