// Open addressing: 64-bit keys to a number and a column, sixteen bytes a slot, four a cache line.
//
// Key 0 is an empty slot. A string of up to seven bytes is its own key (bytes below, size in the
// top byte); of a longer one 63 bits of hash with the top bit set, and the bytes are compared. An
// n-gram of words is the exact pair (number of the n-gram before, number of the last word).
//
// Texts come from anybody, so that somebody may have chosen words whose searches are long. What
// places them is public, and three times as fast as a keyed hash; the secret of the process
// (secret.hpp) steps in where it does not serve. A table in which one search was too long is laid
// out anew by the secret. Two long strings of one public key are never met by chance: at the first
// two, the long strings of their table get keys of the secret.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

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

// The public key of a string, without a surprise for the branch predictor up to sixteen bytes.
HARDLIMIT_INLINE std::uint64_t string_key(const unsigned char *at, std::size_t size) {
    const std::uint64_t hash = hash_string(P2, at, size) | long_string;
    const std::size_t packed = size <= packed_size ? size : packed_size;
    return size <= packed_size ? packed_string(at, packed) : hash;
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

    HARDLIMIT_INLINE void prefetch_key(std::uint64_t key) const {
        prefetch(slots_.data() + home(key));
    }

    // A search that goes on beyond its first slots often needs the next line.
    HARDLIMIT_INLINE void prefetch_behind(std::uint64_t key) const {
        prefetch(slots_.data() + ((home(key) + 3) & (slots_.size() - 1)));
    }

    const Slot &home_slot(std::uint64_t key) const { return slots_[home(key)]; }

    // The slot of the key, or null. `same(slot)` decides between equal keys.
    template <class Same>
    HARDLIMIT_INLINE const Slot *find(std::uint64_t key, Same &&same) const {
        const Slot *const slots = slots_.data();
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t i = home(key);; i = (i + 1) & mask) {
            const Slot &slot = slots[i];
            if (slot.key == key && same(slot)) return &slot;
            if (!slot.key) return nullptr;
        }
    }

    // The slot of the key; a new one has id = the number of keys before it, and no column.
    template <class Same>
    HARDLIMIT_INLINE Slot &find_or_add(std::uint64_t key, bool &added, Same &&same) {
        Slot *const slots = slots_.data();
        const std::size_t mask = slots_.size() - 1;
        const std::size_t first = home(key);
        for (std::size_t i = first;; i = (i + 1) & mask) {
            Slot &slot = slots[i];
            if (slot.key == key && same(slot)) {
                added = false;
                return slot;
            }
            if (!slot.key) {
                added = true;
                return add(key, i, (i - first) & mask);
            }
        }
    }

    // Gives every slot the key that `key_of(slot)` says.
    template <class KeyOf>
    void change_keys(KeyOf &&key_of) {
        Zeroed<Slot> old(slots_.size());
        std::swap(old, slots_);
        for (std::size_t i = 0; i < old.size(); ++i) {
            if (!old[i].key) continue;
            old[i].key = key_of(old[i]);
            slots_[free_place(old[i].key)] = old[i];
        }
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
            slots_[free_place(moved.key)] = moved;
        }
        size_ = size;
    }

    // Without keys, in the memory that is there.
    void clear() noexcept {
        if (size_) std::memset(static_cast<void *>(slots_.data()), 0, capacity() * sizeof(Slot));
        size_ = 0;
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

    // The last bits, so that in a table of twice the size a key stays or lies one half higher.
    HARDLIMIT_INLINE std::size_t home(std::uint64_t key) const {
        return (by_secret_ ? secret_place(key) : spread(key)) & (slots_.size() - 1);
    }

    // Where a search for the key ends that is not there.
    std::size_t free_place(std::uint64_t key) const {
        std::size_t i = home(key);
        while (slots_[i].key) i = (i + 1) & (slots_.size() - 1);
        return i;
    }

    // Into the free slot i, where the search ended, unless there must be more room.
    HARDLIMIT_INLINE Slot &add(std::uint64_t key, std::size_t i, std::size_t distance) {
        const bool full = (size_ + 1) * 8 > slots_.size() * 5;
        const bool too_long = distance >= longest_search && !by_secret_;
        if (full || too_long) i = make_room(key, full, by_secret_ || too_long);
        slots_[i] = {key, static_cast<std::uint32_t>(size_++), no_column};
        return slots_[i];
    }

    // Out of line: the loops that add stay small.
    HARDLIMIT_NOINLINE std::size_t make_room(std::uint64_t key, bool full, bool by_secret) {
        if (by_secret != by_secret_)
            lay_out(slots_.size() * (full ? 2 : 1), by_secret);
        else
            make_twice_as_large();
        return free_place(key);
    }

    void lay_out(std::size_t capacity, bool by_secret) {
        Zeroed<Slot> old(capacity);
        std::swap(old, slots_);
        by_secret_ = by_secret;
        for (std::size_t i = 0; i < old.size(); ++i)
            if (old[i].key) slots_[free_place(old[i].key)] = old[i];
    }

    // In place: no second table is cleared and read at random. From front to back, so that those
    // that came first, which texts hold most often, stay the nearest to their homes. What has not
    // been moved yet lies behind what has, where no search looks: only the keys before the first
    // free slot, some of which went round the end, wait aside.
    void make_twice_as_large() {
        const std::size_t before = slots_.size();
        std::size_t free = 0;
        while (slots_[free].key) ++free;
        const std::vector<Slot> aside(slots_.data(), slots_.data() + free);
        slots_.resize(2 * before);
        std::fill_n(slots_.data(), free, Slot{});
        for (std::size_t i = free + 1; i < before; ++i) {
            if (!slots_[i].key) continue;
            const Slot moved = std::exchange(slots_[i], {});
            slots_[free_place(moved.key)] = moved;
        }
        for (const Slot &slot : aside) slots_[free_place(slot.key)] = slot;
    }

    std::size_t size_ = 0;
    bool by_secret_ = false;
    Zeroed<Slot> slots_{std::size_t(1) << 10};
};

// Strings by number, each kept once in one blob.
class StringTable {
  public:
    std::size_t size() const { return table_.size(); }
    const SlotTable &table() const { return table_; }
    HARDLIMIT_INLINE void prefetch_key(std::uint64_t key) const { table_.prefetch_key(key); }

    // Asks memory for the bytes that the long ones among the strings at `n` places will be compared
    // with.
    void prefetch_bytes(const std::uint64_t *keys, const std::uint32_t *places, std::size_t n,
                        std::uint32_t *scratch) const {
        std::size_t n_found = 0;
        for (std::size_t j = 0; j < n; ++j) {
            const std::uint64_t key = keys[places[j]];
            const Slot &slot = table_.home_slot(key);
            scratch[n_found] = slot.id;
            n_found += slot.key == key && (key & long_string);
        }
        for (std::size_t i = 0; i < n_found; ++i) prefetch(ends_.data() + scratch[i]);
        for (std::size_t i = 0; i < n_found; ++i) prefetch(bytes(scratch[i]));
    }

    // `key` is the public one, in both.
    HARDLIMIT_INLINE const Slot *find(std::uint64_t key, const unsigned char *at,
                                      std::size_t size) const {
        if (keyed_) key = secret_key(at, size);
        return table_.find(key, [&](const Slot &slot) { return same(slot, at, size); });
    }

    HARDLIMIT_INLINE Slot &find_or_add(std::uint64_t key, const unsigned char *at, std::size_t size,
                                       bool &added) {
        if (keyed_) key = secret_key(at, size);
        bool chosen = false;
        Slot *slot = &table_.find_or_add(key, added, [&](const Slot &found) {
            if (same(found, at, size)) return true;
            chosen = true;
            return false;
        });
        if (added) {
            keep(at, size);
            if (chosen && !keyed_) slot = &take_secret_keys(at, size);
        }
        return *slot;
    }

    const unsigned char *bytes(std::uint32_t id) const {
        return blob_.data() + (id ? ends_.data()[id - 1] : 0);
    }
    std::size_t length(std::uint32_t id) const {
        return ends_.data()[id] - (id ? ends_.data()[id - 1] : 0);
    }
    void clear() noexcept {
        table_.clear();
        blob_.clear();
        ends_.clear();
    }
    void forget_after(std::size_t size) noexcept {
        table_.forget_after(size);
        if (size < ends_.size()) ends_.shrink_to(size);
        blob_.shrink_to(size ? ends_[size - 1] : 0);
    }
    const Growing<unsigned char> &blob() const { return blob_; }
    const Growing<std::uint64_t> &ends() const { return ends_; }

  private:
    HARDLIMIT_INLINE bool same(const Slot &slot, const unsigned char *at, std::size_t size) const {
        return !(slot.key & long_string) ||
               (length(slot.id) == size && equal_bytes(bytes(slot.id), at, size));
    }

    // Of eight bytes at least.
    static bool equal_bytes(const unsigned char *a, const unsigned char *b, std::size_t size) {
        const auto eight = [&](std::size_t i) {
            return load_little_endian_64(a + i) ^ load_little_endian_64(b + i);
        };
        if (eight(0) | eight(size - 8)) return false;
        return size <= 16 || !std::memcmp(a + 8, b + 8, size - 16);
    }

    void keep(const unsigned char *at, std::size_t size) {
        blob_.reserve(size + 8);  // eight bytes can be loaded from every byte of a string
        std::memcpy(blob_.extend(size), at, size);
        ends_.push(blob_.size());
    }

    static std::uint64_t secret_key(const unsigned char *at, std::size_t size) {
        return size <= packed_size ? packed_string(at, size)
                                   : secret().of_bytes(at, size) | long_string;
    }

    // Returns the slot of that string.
    HARDLIMIT_NOINLINE Slot &take_secret_keys(const unsigned char *at, std::size_t size) {
        table_.change_keys(
            [&](const Slot &slot) { return secret_key(bytes(slot.id), length(slot.id)); });
        keyed_ = true;
        bool added;
        return table_.find_or_add(secret_key(at, size), added,
                                  [&](const Slot &slot) { return same(slot, at, size); });
    }

    SlotTable table_;
    Growing<unsigned char> blob_;
    Growing<std::uint64_t> ends_;
    bool keyed_ = false;
};

// n-grams of words by number, kept as nothing but their keys.
class PairTable {
  public:
    std::size_t size() const { return table_.size(); }
    const SlotTable &table() const { return table_; }
    SlotTable &table() { return table_; }
    HARDLIMIT_INLINE void prefetch_key(std::uint64_t key) const { table_.prefetch_key(key); }
    HARDLIMIT_INLINE const Slot *find(std::uint64_t key) const {
        return table_.find(key, [](const Slot &) { return true; });
    }
    HARDLIMIT_INLINE Slot &find_or_add(std::uint64_t key, bool &added) {
        return table_.find_or_add(key, added, [](const Slot &) { return true; });
    }
    void forget_after(std::size_t size) noexcept { table_.forget_after(size); }

  private:
    SlotTable table_;
};

}  // namespace hardlimit::text
