// Hashing to 2^bits columns. No strings are kept, but for the first term of each bucket met while
// learning (bounded), so that a heavy bucket can be named.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "team.hpp"
#include "text/walk.hpp"
#include "text/written.hpp"

namespace hardlimit::text {

std::string term_name(Strings kind, const Byte *at, std::size_t size);

// Buckets in ranges, so that several threads can name those of a range each.
class BucketRanges {
  public:
    explicit BucketRanges(int bits) : shift_(bits < least_bits ? 32 : bits - range_bits) {}
    std::size_t size() const { return shift_ == 32 ? 1 : std::size_t(1) << range_bits; }
    std::size_t operator()(std::uint32_t column) const { return std::uint64_t(column) >> shift_; }

  private:
    static constexpr int range_bits = 4, least_bits = 10;  // a range has 64 columns or more
    int shift_;
};

// One bit for each bucket.
class BucketBits {
  public:
    explicit BucketBits(int bits) : words_(((std::size_t(1) << bits) + 63) / 64) {}
    bool operator[](std::uint32_t column) const { return words_[column >> 6] >> (column & 63) & 1; }
    void set(std::uint32_t column) { words_[column >> 6] |= std::uint64_t(1) << (column & 63); }
    void clear(std::uint32_t column) { words_[column >> 6] = 0; }

  private:
    Zeroed<std::uint64_t> words_;
};

// Names one after the other.
struct NameList {
    void add(std::string_view name) {
        bytes.reserve(name.size());
        ends.reserve(1);
        std::memcpy(bytes.extend(name.size()), name.data(), name.size());
        ends.push(bytes.size());
    }
    std::string_view operator[](std::size_t i) const {
        const std::size_t first = i ? ends[i - 1] : 0;
        return {reinterpret_cast<const char *>(bytes.data()) + first,
                static_cast<std::size_t>(ends[i] - first)};
    }
    Growing<unsigned char> bytes;
    Growing<std::uint64_t> ends;
};

class FoundNames;

class BucketNames {
  public:
    explicit BucketNames(int bits) : range_of_(bits), named_(bits), ranges_(range_of_.size()) {}

    bool wanted(std::uint32_t column) const { return !named_[column] && n_bytes_ < most_bytes; }
    void add(std::uint32_t column, std::string_view name) {
        ranges_[range_of_(column)].add(column, name);
        named_.set(column);
        n_bytes_ += name.size();
    }
    // The names of parts of the texts, in their order, behind all before. False, and nothing done,
    // where there may be too many.
    bool add_all(const std::deque<FoundNames> &parts, std::size_t n_parts, Team &team);

    // Empty where the bucket was not met while learning.
    std::string_view name(std::uint32_t column) const {
        return ranges_[range_of_(column)].name(column);
    }
    std::size_t longest_search() const {
        std::size_t longest = 0;
        for (const Range &range : ranges_)
            longest = std::max(longest, range.table.longest_distance());
        return longest;
    }

  private:
    static constexpr std::size_t most_bytes = std::size_t(1) << 27;

    struct Range {
        // Neighbours are far from each other in the table.
        static std::uint64_t key(std::uint32_t column) {
            return (std::uint64_t(column) + 1) * 0x9FB21C651E98DF25;
        }
        void add(std::uint32_t column, std::string_view name) {
            bool added;
            names.add(name);
            table.find_or_add(key(column), added, [](const Slot &) { return true; });
        }
        std::string_view name(std::uint32_t column) const {
            const Slot *slot = table.find(key(column), [](const Slot &) { return true; });
            return slot ? names[slot->id] : std::string_view();
        }
        SlotTable table;
        NameList names;
    };

    BucketRanges range_of_;
    BucketBits named_;
    std::vector<Range> ranges_;
    std::size_t n_bytes_ = 0;
};

// The first names of buckets in a part of the texts, but for those that are known.
class FoundNames {
  public:
    FoundNames(int bits, const BucketNames &known)
        : known_(&known), range_of_(bits), named_(bits), ranges_(range_of_.size()) {}

    bool wanted(std::uint32_t column) const { return !named_[column] && known_->wanted(column); }
    void add(std::uint32_t column, std::string_view name) {
        Range &range = ranges_[range_of_(column)];
        range.names.add(name);
        range.columns.push(column);
        named_.set(column);
        n_bytes_ += name.size();
    }
    void clear() {
        for (Range &range : ranges_) {
            for (std::size_t i = 0; i < range.columns.size(); ++i) named_.clear(range.columns[i]);
            range.columns.clear();
            range.names.bytes.clear();
            range.names.ends.clear();
        }
        n_bytes_ = 0;
    }

  private:
    friend class BucketNames;
    struct Range {
        Columns columns;
        NameList names;
    };

    const BucketNames *known_;
    BucketRanges range_of_;
    BucketBits named_;
    std::vector<Range> ranges_;
    std::size_t n_bytes_ = 0;
};

inline bool BucketNames::add_all(const std::deque<FoundNames> &parts, std::size_t n_parts,
                                 Team &team) {
    std::size_t more = 0;
    for (std::size_t part = 0; part < n_parts; ++part) more += parts[part].n_bytes_;
    if (!more) return true;
    if (n_bytes_ + more >= most_bytes) return false;
    std::vector<std::size_t> added(ranges_.size());
    team.run(ranges_.size(), [&](std::size_t range, std::size_t) {
        for (std::size_t part = 0; part < n_parts; ++part) {
            const FoundNames::Range &from = parts[part].ranges_[range];
            for (std::size_t i = 0; i < from.columns.size(); ++i) {
                const std::uint32_t column = from.columns[i];
                if (named_[column]) continue;
                ranges_[range].add(column, from.names[i]);
                named_.set(column);
                added[range] += from.names[i].size();
            }
        }
    });
    for (const std::size_t bytes : added) n_bytes_ += bytes;
    return true;
}

struct NoNames {
    bool wanted(std::uint32_t) const { return false; }
    void add(std::uint32_t, std::string_view) {}
};

// `Names` get the first term of each bucket that they want.
template <class Names>
class HashWalk {
    static constexpr bool naming = !std::is_same_v<Names, NoNames>;

  public:
    HashWalk(const Settings &settings, Names *names, Pause pause)
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
    Names *names_;
    Pause pause_;
    int shift_;
    std::uint64_t last_bit_;  // of the hash that is in the column; 0 without blocks
    std::uint64_t seeds_[3];
    std::vector<std::uint64_t> prefixes_;
    std::vector<std::string_view> recent_;
    std::vector<Byte> folded_;  // of a text whose n-grams reach over the borders of words
};

}  // namespace hardlimit::text
