// Open addressing: 64-bit keys to a number and a column, sixteen bytes a slot, four a cache line.
//
// Key 0 is an empty slot. A string of up to seven bytes is its own key (bytes below, size in the
// top byte); of a longer one 63 bits of hash with the top bit set, and the bytes are compared. An
// n-gram of words is the exact pair (number of the n-gram before, number of the last word).
//
// Texts come from anybody, so that somebody may have chosen words whose searches are long. The hash
// of long strings is keyed by a secret; and a table in which one search was too long is laid out
// anew by the secret too. Until then a public multiplication finds the home, which is three times
// as fast.
#pragma once
#include <algorithm>
#include <bit>
#include <utility>

#include "text/growing.hpp"
#include "text/secret.hpp"
#include "zeroed.hpp"

namespace hardlimit::text {

inline constexpr std::uint32_t no_id = 0xFFFFFFFF;
inline constexpr std::int32_t no_column = -1;

struct Slot {
    std::uint64_t key;
    std::uint32_t id;
    std::int32_t column;
};

inline constexpr std::size_t packed_size = 7;
inline constexpr std::uint64_t long_string = std::uint64_t(1) << 63;

inline std::uint64_t packed_string(const unsigned char *at, std::size_t size) {
    return load_masked(at, size) | std::uint64_t(size) << 56;
}

// Of the tables that grow; those of a model file have a public one (frozen.hpp).
inline std::uint64_t secret_key(const Sip &sip, const unsigned char *at, std::size_t size) {
    if (size <= packed_size) return packed_string(at, size);
    return sip.of_bytes(at, size) | long_string;
}

inline std::uint64_t pair_key(std::uint32_t prefix, std::uint32_t last) {
    return (std::uint64_t(prefix) << 32 | last) + 1;
}

inline std::uint64_t spread(std::uint64_t key) { return fold(key, 0x9E3779B97F4A7C15); }

class SlotTable {
  public:
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return slots_.size(); }
    const Slot &slot(std::size_t i) const { return slots_[i]; }

    void prefetch_key(std::uint64_t key) const { prefetch(slots_.data() + home(key)); }

    // The slot of the key, or null. `same(slot)` decides between equal keys.
    template <class Same>
    const Slot *find(std::uint64_t key, Same &&same) const {
        for (std::size_t i = home(key);; i = (i + 1) & (slots_.size() - 1)) {
            const Slot &slot = slots_[i];
            if (slot.key == key && same(slot)) return &slot;
            if (!slot.key) return nullptr;
        }
    }

    // The slot of the key; a new one has id = the number of keys before it, and no column.
    template <class Same>
    Slot &find_or_add(std::uint64_t key, bool &added, Same &&same) {
        std::size_t i = home(key), steps = 1;
        for (;; i = (i + 1) & (slots_.size() - 1), ++steps) {
            Slot &slot = slots_[i];
            added = false;
            if (slot.key == key && same(slot)) return slot;
            if (!slot.key) break;
        }
        added = true;
        const bool full = (size_ + 1) * 8 > slots_.size() * 5;
        const bool too_long = steps > longest_search && !by_secret_;
        if (full || too_long) {
            lay_out(slots_.size() * (full ? 2 : 1), by_secret_ || too_long);
            for (i = home(key); slots_[i].key;) i = (i + 1) & (slots_.size() - 1);
        }
        slots_[i] = {key, static_cast<std::uint32_t>(size_++), no_column};
        return slots_[i];
    }

    // Leaves the first `size` keys. In place, so that it never fails: the rest are taken out, and
    // from a free slot on each key moves as near to its home as the others let it.
    void forget_after(std::size_t size) noexcept {
        if (size == size_) return;
        const std::size_t mask = slots_.size() - 1;
        std::size_t free = 0;
        while (slots_[free].key) ++free;
        for (std::size_t i = 0; i < slots_.size(); ++i)
            if (slots_[i].key && slots_[i].id >= size) slots_[i] = {};
        for (std::size_t step = 1; step < slots_.size(); ++step) {
            const std::size_t from = (free + step) & mask;
            if (!slots_[from].key) continue;
            const Slot moved = std::exchange(slots_[from], {});
            std::size_t to = home(moved.key);
            while (slots_[to].key) to = (to + 1) & mask;
            slots_[to] = moved;
        }
        size_ = size;
    }

    // Steps to the furthest key from its home, for tests: O(capacity).
    std::size_t longest_distance() const {
        std::size_t longest = 0;
        for (std::size_t i = 0; i < slots_.size(); ++i)
            if (slots_[i].key)
                longest = std::max(longest, (i - home(slots_[i].key)) & (slots_.size() - 1));
        return longest;
    }

  private:
    // Of words that nobody chose, one table in a million has such a search.
    static constexpr std::size_t longest_search = 256;

    std::size_t home(std::uint64_t key) const {
        return (by_secret_ ? secret_place(key) : spread(key)) >> shift_;
    }

    // The place follows the top bits, so a doubled table is filled from front to back.
    void lay_out(std::size_t capacity, bool by_secret) {
        Zeroed<Slot> old(capacity);
        std::swap(old, slots_);
        by_secret_ = by_secret;
        shift_ = 64 - static_cast<unsigned>(std::countr_zero(capacity));
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t from = 0; from < old.size(); ++from) {
            if (!old[from].key) continue;
            std::size_t i = home(old[from].key);
            while (slots_[i].key) i = (i + 1) & mask;
            slots_[i] = old[from];
        }
    }

    std::size_t size_ = 0;
    bool by_secret_ = false;
    unsigned shift_ = 64 - 10;
    Zeroed<Slot> slots_{std::size_t(1) << 10};
};

// Strings by number, each kept once in one blob.
class StringTable {
  public:
    std::size_t size() const { return table_.size(); }
    const SlotTable &table() const { return table_; }
    void prefetch_key(std::uint64_t key) const { table_.prefetch_key(key); }

    const Slot *find(std::uint64_t key, const unsigned char *at, std::size_t size) const {
        return table_.find(key, [&](const Slot &slot) { return same(slot, at, size); });
    }

    Slot &find_or_add(std::uint64_t key, const unsigned char *at, std::size_t size, bool &added) {
        Slot &slot = table_.find_or_add(key, added,
                                        [&](const Slot &found) { return same(found, at, size); });
        if (added) {
            blob_.reserve(size + 8);  // eight bytes can be loaded from every byte of a string
            std::memcpy(blob_.extend(size), at, size);
            ends_.push(blob_.size());
        }
        return slot;
    }

    const unsigned char *bytes(std::uint32_t id) const {
        return blob_.data() + (id ? ends_.data()[id - 1] : 0);
    }
    std::size_t length(std::uint32_t id) const {
        return ends_.data()[id] - (id ? ends_.data()[id - 1] : 0);
    }
    void forget_after(std::size_t size) noexcept {
        table_.forget_after(size);
        if (size < ends_.size()) ends_.shrink_to(size);
        blob_.shrink_to(size ? ends_[size - 1] : 0);
    }
    const Growing<unsigned char> &blob() const { return blob_; }
    const Growing<std::uint64_t> &ends() const { return ends_; }

  private:
    bool same(const Slot &slot, const unsigned char *at, std::size_t size) const {
        return !(slot.key & long_string) ||
               (length(slot.id) == size && !std::memcmp(bytes(slot.id), at, size));
    }

    SlotTable table_;
    Growing<unsigned char> blob_;
    Growing<std::uint64_t> ends_;
};

// n-grams of words by number, kept as nothing but their keys.
class PairTable {
  public:
    std::size_t size() const { return table_.size(); }
    const SlotTable &table() const { return table_; }
    void prefetch_key(std::uint64_t key) const { table_.prefetch_key(key); }
    const Slot *find(std::uint64_t key) const {
        return table_.find(key, [](const Slot &) { return true; });
    }
    Slot &find_or_add(std::uint64_t key, bool &added) {
        return table_.find_or_add(key, added, [](const Slot &) { return true; });
    }
    void forget_after(std::size_t size) noexcept { table_.forget_after(size); }

  private:
    SlotTable table_;
};

}  // namespace hardlimit::text
