// Hashing to 2^bits columns. No strings are kept, but for the first term of each bucket met while
// learning (bounded), so that a heavy bucket can be named.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "text/walk.hpp"
#include "text/written.hpp"

namespace hardlimit::text {

std::string term_name(Strings kind, const Byte *at, std::size_t size);

class BucketNames {
  public:
    // `known`: names that somebody else has, who is not asked for more.
    explicit BucketNames(int bits, const BucketNames *known = nullptr)
        : named_(((std::size_t(1) << bits) + 63) / 64), known_(known) {}

    bool wanted(std::uint32_t column) const {
        return !(named_[column >> 6] >> (column & 63) & 1) && blob_.size() < blob_limit &&
               (!known_ || known_->wanted(column));
    }
    // The names of a part of the texts that comes behind all before. False where it has too many,
    // so that some may be missing.
    bool add_all(const BucketNames &part) {
        if (part.blob_.size() >= blob_limit) return false;
        std::vector<std::uint32_t> columns(part.table_.size());
        for (std::size_t s = 0; s < part.table_.capacity(); ++s)
            if (const Slot &slot = part.table_.slot(s); slot.key)
                columns[slot.id] = static_cast<std::uint32_t>(slot.key - 1);
        for (const std::uint32_t column : columns)
            if (wanted(column)) add(column, part.name(column));
        return true;
    }
    void add(std::uint32_t column, std::string_view name) {
        blob_.reserve(name.size());
        ends_.reserve(1);
        bool added;
        table_.find_or_add(std::uint64_t(column) + 1, added, [](const Slot &) { return true; });
        std::memcpy(blob_.extend(name.size()), name.data(), name.size());
        ends_.push(blob_.size());
        named_[column >> 6] |= std::uint64_t(1) << (column & 63);
    }
    const SlotTable &table() const { return table_; }
    // Empty where the bucket was not met while learning.
    std::string_view name(std::uint32_t column) const {
        const Slot *slot =
            table_.find(std::uint64_t(column) + 1, [](const Slot &) { return true; });
        if (!slot) return {};
        const std::size_t first = slot->id ? ends_.data()[slot->id - 1] : 0;
        return {reinterpret_cast<const char *>(blob_.data()) + first,
                static_cast<std::size_t>(ends_.data()[slot->id] - first)};
    }

  private:
    static constexpr std::size_t blob_limit = std::size_t(1) << 27;
    Zeroed<std::uint64_t> named_;
    const BucketNames *known_;
    SlotTable table_;
    Growing<unsigned char> blob_;
    Growing<std::uint64_t> ends_;
};

template <bool naming>
class HashWalk {
  public:
    HashWalk(const Settings &settings, BucketNames *names, Pause pause)
        : settings_(settings),
          names_(names),
          pause_(std::move(pause)),
          shift_(64 - settings.hash_bits),
          last_bit_(settings.blocks ? std::uint64_t(1) << shift_ : 0) {
        for (unsigned kind = 0; kind < 3; ++kind) seeds_[kind] = hash_seed(settings.salt, kind);
        prefixes_.resize(settings.words.most + 1);
        recent_.resize(settings.words.most + 1);
    }

    void document(const Lowered &text, Columns &columns) {
        if (settings_.words.any()) {
            if (settings_.words.most > 2)
                word_grams(text, columns);
            else if constexpr (naming)
                name_words_and_pairs(text, columns);
            else
                words_and_pairs(text, columns);
            if (text.has_unspaced())
                cut_runs(text, [&](const Byte *at, std::size_t size) {
                    push_string(Strings::runs, seeds_[1], at, size, columns);
                });
        }
        const auto push_chars = [&](const Byte *at, std::size_t size) {
            push_string(Strings::chars, seeds_[2], at, size, columns);
        };
        if (settings_.chars.any() && settings_.across)
            cut_across(text, settings_.chars, folded_, push_chars);
        else if (settings_.chars.any())
            cut_characters(text, settings_.chars, push_chars,
                           [&](const Byte *at, std::size_t count, std::size_t size) {
                               push_windows(at, count, size, columns);
                           });
    }

    // The column of one term.
    std::int32_t term(const Written &term) {
        Columns columns;
        if (const auto kind = term.kind()) {
            const std::uint64_t seed = seeds_[*kind == Strings::chars ? 2 : 1];
            push_string(*kind, seed, term.inner(), term.inner_size(), columns);
        } else {
            std::uint64_t hash = 0;
            std::size_t n = 0;
            term.each_word([&](const Byte *at, std::size_t size) {
                const std::uint64_t word = hash_string(seeds_[0], at, size);
                hash = n ? hash_join(hash, word) : word;
                remember(at, size, n++);
            });
            push_gram(hash, static_cast<int>(n), n, columns);
        }
        return static_cast<std::int32_t>(columns[0]);
    }

  private:
    static constexpr std::size_t block_size = 256;

    // With blocks the last bit of a column tells its block, so that no bucket is in both.
    std::uint32_t column(Block block, std::uint64_t hash) const {
        hash = block == Block::chars ? hash | last_bit_ : hash & ~last_bit_;
        return static_cast<std::uint32_t>(hash >> shift_);
    }

    void push_string(Strings kind, std::uint64_t seed, const Byte *at, std::size_t size,
                     Columns &columns) {
        const std::uint32_t bucket = column(block_of(kind), hash_string(seed, at, size));
        pause_.after(1);
        columns.push(bucket);
        if constexpr (naming)
            if (names_->wanted(bucket)) names_->add(bucket, term_name(kind, at, size));
    }

    // The hashes of neighbouring windows do not wait for each other.
    void push_windows(const Byte *at, std::size_t count, std::size_t size, Columns &columns) {
        if (naming || size > 8) {
            for (; count; --count, ++at) push_string(Strings::chars, seeds_[2], at, size, columns);
            return;
        }
        const std::uint64_t seed = seeds_[2] + size * P0,
                            mask = ~std::uint64_t(0) >> (64 - 8 * size);
        std::uint32_t *to = columns.extend(count);
        for (std::size_t i = 0; i < count; ++i)
            to[i] = column(Block::chars, fold(seed ^ (load_little_endian_64(at + i) & mask), P1));
    }

    void push_gram(std::uint64_t hash, int n, std::size_t n_words, Columns &columns) {
        const std::uint32_t bucket = column(Block::words, hash);
        pause_.after(1);
        columns.push(bucket);
        if constexpr (naming)
            if (names_->wanted(bucket)) names_->add(bucket, joined(n, n_words));
    }

    // The last n words, joined by blanks.
    std::string joined(int n, std::size_t n_words) const {
        std::string name;
        for (std::size_t i = n_words - n; i < n_words; ++i) {
            if (!name.empty()) name += ' ';
            name += recent_[i % recent_.size()];
        }
        return name;
    }

    void name_words_and_pairs(const Lowered &text, Columns &columns) {
        const bool singles = settings_.words.least == 1, pairs = settings_.words.most == 2;
        std::uint64_t before = 0;
        std::size_t n_words = 0;
        cut_kept_words(text, settings_.stop_words.get(), [&](const Byte *at, std::size_t size) {
            const std::uint64_t hash = hash_string(seeds_[0], at, size);
            remember(at, size, n_words++);
            if (singles) push_gram(hash, 1, n_words, columns);
            if (pairs && n_words > 1) push_gram(hash_join(before, hash), 2, n_words, columns);
            before = hash;
        });
    }

    // The hashes of a block of words first: what follows is then free of branches.
    void words_and_pairs(const Lowered &text, Columns &columns) {
        std::uint64_t hashes[block_size + 1];  // from 1 on, after that of the last block's last
        std::size_t n = 0, paired = 2;         // the first word that has one before it
        const auto flush = [&] {
            pause_.after(2 * n);
            if (settings_.words.least == 1) {
                std::uint32_t *to = columns.extend(n);
                for (std::size_t i = 1; i <= n; ++i) *to++ = column(Block::words, hashes[i]);
            }
            if (settings_.words.most == 2 && n >= paired) {
                std::uint32_t *to = columns.extend(n + 1 - paired);
                for (std::size_t i = paired; i <= n; ++i)
                    *to++ = column(Block::words, hash_join(hashes[i - 1], hashes[i]));
            }
            if (n) paired = 1;
            hashes[0] = hashes[n];
            n = 0;
        };
        const std::uint64_t seed = seeds_[0];
        cut_kept_words(text, settings_.stop_words.get(),
                       [&](const Byte *at, std::size_t size) HARDLIMIT_INLINE_LAMBDA {
                           hashes[++n] = hash_string(seed, at, size);
                           if (n == block_size) flush();
                       });
        flush();
    }

    void word_grams(const Lowered &text, Columns &columns) {
        std::size_t n_words = 0;
        cut_kept_words(text, settings_.stop_words.get(), [&](const Byte *at, std::size_t size) {
            const std::uint64_t hash = hash_string(seeds_[0], at, size);
            remember(at, size, n_words++);
            // From the longest down: prefixes_[n - 1] still is the one that ended a word before.
            for (int n = settings_.words.most; n >= 1; --n) {
                if (n_words < static_cast<std::size_t>(n)) continue;
                prefixes_[n] = n == 1 ? hash : hash_join(prefixes_[n - 1], hash);
                if (n >= settings_.words.least) push_gram(prefixes_[n], n, n_words, columns);
            }
        });
    }

    void remember(const Byte *at, std::size_t size, std::size_t n_words) {
        if constexpr (naming)
            recent_[n_words % recent_.size()] = {reinterpret_cast<const char *>(at), size};
    }

    const Settings &settings_;
    BucketNames *names_;
    Pause pause_;
    int shift_;
    std::uint64_t last_bit_;  // of the hash that is in the column; 0 without blocks
    std::uint64_t seeds_[3];
    std::vector<std::uint64_t> prefixes_;
    std::vector<std::string_view> recent_;
    std::vector<Byte> folded_;  // of a text whose n-grams reach over the borders of words
};

}  // namespace hardlimit::text
