// The exact vocabulary: every term met while learning has a column of its own, numbered by first
// appearance.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "text/walk.hpp"

namespace hardlimit::text {

class TooManyColumns : public std::length_error {
  public:
    using std::length_error::length_error;
};

class Vocabulary {
  public:
    explicit Vocabulary(const Settings &settings, std::uint32_t limit = 0x7FFFFFFF)
        : first_level(settings.words.least),
          limit(limit),
          grams(settings.words.most > 1 ? settings.words.most - 1 : 0),
          with_blocks(settings.blocks) {}

    PairTable &level(int n) { return grams[n - 2]; }
    const PairTable &level(int n) const { return grams[n - 2]; }
    StringTable &strings(Strings kind) { return kind == Strings::runs ? runs : chars; }
    const StringTable &strings(Strings kind) const { return kind == Strings::runs ? runs : chars; }

    HARDLIMIT_INLINE std::int32_t next_column(Block block) {
        if (n_columns >= limit) throw_full();
        if (with_blocks) blocks.set(n_columns, block);
        return static_cast<std::int32_t>(n_columns++);
    }

    // Of columns, words, runs, characters and n-grams of words.
    std::vector<std::size_t> sizes() const {
        std::vector<std::size_t> sizes{n_columns, words.size(), runs.size(), chars.size()};
        for (const PairTable &level : grams) sizes.push_back(level.size());
        return sizes;
    }
    void forget_after(const std::vector<std::size_t> &sizes) noexcept {
        n_columns = static_cast<std::uint32_t>(sizes[0]);
        words.forget_after(sizes[1]);
        runs.forget_after(sizes[2]);
        chars.forget_after(sizes[3]);
        for (std::size_t i = 0; i < grams.size(); ++i) grams[i].forget_after(sizes[4 + i]);
    }

    // A document that was begun is as if it had not been, wherever it broke off.
    void begin_document() {
        sizes_.assign({n_columns, words.size(), runs.size(), chars.size()});
        for (const PairTable &level : grams) sizes_.push_back(level.size());
    }
    void forget_document() noexcept { forget_after(sizes_); }

    int first_level;  // shortest n-gram of words that has a column
    std::uint32_t limit, n_columns = 0;
    StringTable words, runs, chars;
    std::vector<PairTable> grams;  // n = 2, 3, ...
    bool with_blocks;
    ColumnBlocks blocks;  // only then

  private:
    [[noreturn]] void throw_full() const {
        throw TooManyColumns("the vocabulary is full: " + std::to_string(limit) +
                             " columns; use hash_bits, or fewer kinds of n-grams");
    }

    std::vector<std::size_t> sizes_;  // at the beginning of the document
};

// Reads only.
class Reading {
  public:
    explicit Reading(const Vocabulary &vocabulary) : all_(vocabulary) {}

    HARDLIMIT_INLINE void prefetch_word(std::uint64_t key) const { all_.words.prefetch_key(key); }
    void prefetch_word_bytes(const std::uint64_t *keys, const std::uint32_t *places, std::size_t n,
                             std::uint32_t *scratch) const {
        all_.words.prefetch_bytes(keys, places, n, scratch);
    }
    HARDLIMIT_INLINE void prefetch_pair(int n, std::uint64_t key) const {
        all_.level(n).prefetch_key(key);
    }
    HARDLIMIT_INLINE void prefetch_behind_pair(int n, std::uint64_t key) const {
        all_.level(n).table().prefetch_behind(key);
    }
    HARDLIMIT_INLINE void prefetch_string(Strings kind, std::uint64_t key) const {
        all_.strings(kind).prefetch_key(key);
    }
    HARDLIMIT_INLINE Found word(std::uint64_t key, const Byte *at, std::size_t size) const {
        return found(all_.words.find(key, at, size));
    }
    HARDLIMIT_INLINE Found pair(int n, std::uint64_t key) const {
        return found(all_.level(n).find(key));
    }
    HARDLIMIT_INLINE Found string(Strings kind, std::uint64_t key, const Byte *at,
                                  std::size_t size) const {
        return found(all_.strings(kind).find(key, at, size));
    }

    // A look at the slot where the search begins, without a branch. False where it settles nothing.
    HARDLIMIT_INLINE bool glance_at_word(std::uint64_t key, Found &found) const {
        return glance(all_.words.table(), key, found) & !(key & long_string);
    }
    HARDLIMIT_INLINE bool glance_at_pair(int n, std::uint64_t key, Found &found) const {
        return glance(all_.level(n).table(), key, found);
    }
    HARDLIMIT_INLINE bool glance_at_string(Strings kind, std::uint64_t key, Found &found) const {
        return glance(all_.strings(kind).table(), key, found) & !(key & long_string);
    }

  private:
    // An empty slot settles that the key is not there; so it does for key 0, which is no key.
    HARDLIMIT_INLINE static bool glance(const SlotTable &table, std::uint64_t key, Found &found) {
        const Slot slot = table.home_slot(key);
        const bool met = slot.key == key && key;
        const std::uint32_t unknown = met ? 0 : no_id;
        found = {slot.id | unknown, static_cast<std::int32_t>(slot.column | unknown)};
        return met | !slot.key;
    }
    static Found found(const Slot *slot) { return slot ? Found{slot->id, slot->column} : Found{}; }
    const Vocabulary &all_;
};

// Adds what is not there.
class Learning {
  public:
    explicit Learning(Vocabulary &vocabulary) : all_(vocabulary) {}

    HARDLIMIT_INLINE void prefetch_word(std::uint64_t key) const { all_.words.prefetch_key(key); }
    void prefetch_word_bytes(const std::uint64_t *keys, const std::uint32_t *places, std::size_t n,
                             std::uint32_t *scratch) const {
        all_.words.prefetch_bytes(keys, places, n, scratch);
    }
    HARDLIMIT_INLINE void prefetch_pair(int n, std::uint64_t key) const {
        all_.level(n).prefetch_key(key);
    }
    HARDLIMIT_INLINE void prefetch_behind_pair(int n, std::uint64_t key) const {
        all_.level(n).table().prefetch_behind(key);
    }
    HARDLIMIT_INLINE void prefetch_string(Strings kind, std::uint64_t key) const {
        all_.strings(kind).prefetch_key(key);
    }
    HARDLIMIT_INLINE Found word(std::uint64_t key, const Byte *at, std::size_t size) {
        bool added;
        Slot &slot = all_.words.find_or_add(key, at, size, added);
        return numbered(slot, added && all_.first_level == 1, Block::words);
    }
    HARDLIMIT_INLINE Found pair(int n, std::uint64_t key) {
        bool added;
        Slot &slot = all_.level(n).find_or_add(key, added);
        return numbered(slot, added && n >= all_.first_level, Block::words);
    }
    HARDLIMIT_INLINE Found string(Strings kind, std::uint64_t key, const Byte *at,
                                  std::size_t size) {
        bool added;
        Slot &slot = all_.strings(kind).find_or_add(key, at, size, added);
        return numbered(slot, added, block_of(kind));
    }

    // A look at the slot where the search begins, without a branch. False where the search must go
    // on or the key be added.
    HARDLIMIT_INLINE bool glance_at_word(std::uint64_t key, Found &found) const {
        return glance(all_.words.table(), key, found) & !(key & long_string);
    }
    HARDLIMIT_INLINE bool glance_at_pair(int n, std::uint64_t key, Found &found) const {
        return glance(all_.level(n).table(), key, found);
    }
    HARDLIMIT_INLINE bool glance_at_string(Strings kind, std::uint64_t key, Found &found) const {
        return glance(all_.strings(kind).table(), key, found) & !(key & long_string);
    }

    HARDLIMIT_INLINE static bool glance(const SlotTable &table, std::uint64_t key, Found &found) {
        const Slot slot = table.home_slot(key);
        found = {slot.id, slot.column};
        return (slot.key == key) & (key != 0);
    }

  private:
    HARDLIMIT_INLINE Found numbered(Slot &slot, bool needs_column, Block block) {
        if (needs_column) slot.column = all_.next_column(block);
        return {slot.id, slot.column};
    }
    Vocabulary &all_;
};

}  // namespace hardlimit::text
