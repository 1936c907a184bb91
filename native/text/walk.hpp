// From a lowered document to columns by looking terms up, whatever holds them: a vocabulary that
// grows, one that is only read, or the tables of a model file.
//
// A Lookup has the keys of strings, answers `word`, `pair` and `string` with a Found, and
// prefetches for each. Keys are gathered a block at a time: in a table of millions each look-up
// misses every cache, and the misses of a block overlap once all its lines have been asked for.
#pragma once
#include <memory>
#include <vector>

#include "text/blocks.hpp"
#include "text/cut.hpp"
#include "text/pause.hpp"
#include "text/slots.hpp"
#include "text/stop_words.hpp"

namespace hardlimit::text {

struct Settings {
    Range words, chars;
    int hash_bits = 0;  // 0: a vocabulary
    std::uint64_t salt = 0;
    bool blocks = false;  // words and characters are weighed apart (rows.hpp)
    bool across = false;  // n-grams of characters reach over the borders of words
    std::shared_ptr<const StopWords> stop_words;  // none: null
};

struct Found {
    std::uint32_t id = no_id;
    std::int32_t column = no_column;
};

enum class Strings { runs, chars };

// Runs of scripts without spaces are to their texts what words are to others.
inline Block block_of(Strings kind) { return kind == Strings::chars ? Block::chars : Block::words; }

struct Term {
    std::uint64_t key;
    const Byte *at;
    std::size_t size;
};

template <class Lookup>
class Walk {
  public:
    Walk(const Settings &settings, Lookup &lookup, Pause pause)
        : settings_(settings),
          lookup_(lookup),
          pause_(std::move(pause)),
          before_(settings.words.most + 1, no_id) {
        block_.reserve(block_size);
    }

    // Appends one column per occurrence of a known term: words and their n-grams in the order of
    // the text (by blocks of 256 words, shorter n-grams first), then runs, then character n-grams.
    void document(const Lowered &text, Columns &columns) {
        block_.clear();  // of a document that broke off
        if (settings_.words.any()) {
            std::fill(before_.begin(), before_.end(), no_id);
            cut_kept_words(text, settings_.stop_words.get(), [&](const Byte *at, std::size_t size) {
                const std::uint64_t key = lookup_.key_of(at, size);
                lookup_.prefetch_word(key);
                block_.push_back({key, at, size});
                if (block_.size() == block_size) words_of_block(columns);
            });
            words_of_block(columns);
            if (text.has_unspaced())
                strings(Strings::runs, columns, [&](auto &&sink) { cut_runs(text, sink); });
        }
        if (settings_.chars.any() && settings_.across)
            strings(Strings::chars, columns,
                    [&](auto &&sink) { cut_across(text, settings_.chars, folded_, sink); });
        else if (settings_.chars.any())
            strings(Strings::chars, columns, [&](auto &&sink) {
                cut_characters(text, settings_.chars, sink,
                               [&](const Byte *at, std::size_t count, std::size_t size) {
                                   for (; count; --count, ++at) sink(at, size);
                               });
            });
    }

  private:
    static constexpr std::size_t block_size = 256;

    static void push(Columns &columns, Found found) {
        if (found.column != no_column) columns.push(static_cast<std::uint32_t>(found.column));
    }

    void words_of_block(Columns &columns) {
        const std::size_t n = block_.size();
        pause_.after(n);
        for (std::size_t i = 0; i < n; ++i) {
            const Term &term = block_[i];
            const Found found = lookup_.word(term.key, term.at, term.size);
            words_[i] = prefixes_[i] = found.id;
            push(columns, found);
        }
        block_.clear();
        for (int level = 2; level <= settings_.words.most; ++level)
            pairs_of_block(level, n, columns);
        if (n) before_[1] = words_[n - 1];
    }

    // prefixes_[i] is the (level-1)-gram that ends at word i; afterwards the level-gram.
    void pairs_of_block(int level, std::size_t n, Columns &columns) {
        std::uint32_t prefix = before_[level - 1];
        if (n) before_[level - 1] = prefixes_[n - 1];
        for (std::size_t i = 0; i < n; ++i) {
            const bool known = prefix != no_id && words_[i] != no_id;
            keys_[i] = known ? pair_key(prefix, words_[i]) : 0;
            if (known) lookup_.prefetch_pair(level, keys_[i]);
            prefix = prefixes_[i];
        }
        for (std::size_t i = 0; i < n; ++i) {
            const Found found = keys_[i] ? lookup_.pair(level, keys_[i]) : Found{};
            prefixes_[i] = found.id;
            push(columns, found);
        }
    }

    template <class Cut>
    void strings(Strings kind, Columns &columns, Cut &&cut) {
        const auto resolve = [&] {
            pause_.after(block_.size());
            for (const Term &term : block_)
                push(columns, lookup_.string(kind, term.key, term.at, term.size));
            block_.clear();
        };
        cut([&](const Byte *at, std::size_t size) {
            const std::uint64_t key = lookup_.key_of(at, size);
            lookup_.prefetch_string(kind, key);
            block_.push_back({key, at, size});
            if (block_.size() == block_size) resolve();
        });
        resolve();
    }

    const Settings &settings_;
    Lookup &lookup_;
    Pause pause_;
    std::vector<Term> block_;
    std::vector<std::uint32_t> before_;  // by level: the n-gram that ended at the last word
    std::uint32_t words_[block_size], prefixes_[block_size];
    std::uint64_t keys_[block_size];
    std::vector<Byte> folded_;  // of a text whose n-grams reach over the borders of words
};

}  // namespace hardlimit::text
