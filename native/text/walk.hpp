// From a lowered document to columns by looking terms up, whatever holds them: a vocabulary that
// grows, one that is only read, or the tables of a model file.
//
// A Lookup answers `word`, `pair` and `string` with a Found, and prefetches for each. Keys are
// gathered a block at a time: in a table of millions each look-up misses every cache, and the
// misses of a block overlap once all its lines have been asked for.
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

template <class Lookup>
class Walk {
  public:
    Walk(const Settings &settings, Lookup &lookup, Pause pause)
        : settings_(settings),
          lookup_(lookup),
          pause_(std::move(pause)),
          before_(settings.words.most + 1, no_id) {}

    // Appends one column per occurrence of a known term: words and their n-grams in the order of
    // the text (by blocks of 256 words, shorter n-grams first), then runs, then character n-grams.
    void document(const Lowered &text, Columns &columns) {
        n_words_ = n_unknown_ = 0;
        if (settings_.words.any()) {
            std::fill(before_.begin(), before_.end(), no_id);
            words(text, columns);
            if (text.has_unspaced()) runs(text, columns);
        }
        if (settings_.chars.any()) chars(text, columns);
    }

    // The same of runs alone, and of n-grams of characters.
    void runs(const Lowered &text, Columns &columns) {
        std::size_t n = 0;
        cut_runs(text, [&](const Byte *at, std::size_t size) {
            push_string(Strings::runs, n, at, size, columns);
        });
        strings_of_block(Strings::runs, n, columns);
    }
    void chars(const Lowered &text, Columns &columns) {
        settings_.across ? across(text, columns) : characters(text, columns);
    }

    // Of the last document: words and runs, and those of them that are no terms.
    std::size_t n_words() const { return n_words_; }
    std::size_t n_unknown() const { return n_unknown_; }

  private:
    static constexpr std::size_t block_size = 256;

    void words(const Lowered &text, Columns &columns) {
        std::size_t n = 0;
        cut_kept_words(text, settings_.stop_words.get(),
                       [&](const Byte *at, std::size_t size) HARDLIMIT_INLINE_LAMBDA {
                           lookup_.prefetch_word(note(n, at, size));
                           if (++n < block_size) return;
                           words_of_block(n, columns);
                           n = 0;
                       });
        words_of_block(n, columns);
    }

    void across(const Lowered &text, Columns &columns) {
        std::size_t n = 0;
        cut_across(text, settings_.chars, folded_, [&](const Byte *at, std::size_t size) {
            push_string(Strings::chars, n, at, size, columns);
        });
        strings_of_block(Strings::chars, n, columns);
    }

    void characters(const Lowered &text, Columns &columns) {
        std::size_t n = 0;
        cut_characters(
            text, settings_.chars,
            [&](const Byte *at, std::size_t size) {
                push_string(Strings::chars, n, at, size, columns);
            },
            [&](const Byte *at, std::size_t count, std::size_t size) {
                // A block is never left full: another string may follow.
                if (n + count >= block_size) {
                    strings_of_block(Strings::chars, n, columns);
                    n = 0;
                }
                if (size > packed_size || count >= block_size) {
                    for (; count; --count, ++at) push_string(Strings::chars, n, at, size, columns);
                    return;
                }
                for (std::size_t i = 0; i < count; ++i, ++n) {
                    at_[n] = at + i;
                    sizes_[n] = size;
                    keys_[n] = packed_string(at + i, size);
                    lookup_.prefetch_string(Strings::chars, keys_[n]);
                }
            });
        strings_of_block(Strings::chars, n, columns);
    }

    HARDLIMIT_INLINE std::uint64_t note(std::size_t i, const Byte *at, std::size_t size) {
        at_[i] = at;
        sizes_[i] = size;
        return keys_[i] = string_key(at, size);
    }

    HARDLIMIT_INLINE void push_string(Strings kind, std::size_t &n, const Byte *at,
                                      std::size_t size, Columns &columns) {
        lookup_.prefetch_string(kind, note(n, at, size));
        if (++n < block_size) return;
        strings_of_block(kind, n, columns);
        n = 0;
    }

    // Known columns one after the other, without a branch on "known?".
    class Sink {
      public:
        Sink(Columns &columns, std::size_t most) : columns_(columns) {
            columns.reserve(most);
            to_ = columns.data() + columns.size();
        }
        ~Sink() { columns_.shrink_to(static_cast<std::size_t>(to_ - columns_.data())); }
        HARDLIMIT_INLINE void push(Found found) {
            *to_ = static_cast<std::uint32_t>(found.column);
            to_ += found.column != no_column;
        }
        HARDLIMIT_INLINE void push_if(bool known, Found found) {
            *to_ = static_cast<std::uint32_t>(found.column);
            to_ += known & (found.column != no_column);
        }

      private:
        Columns &columns_;
        std::uint32_t *to_;
    };

    // Looks where the search of each of n keys begins; `glance(i, found)` tells whether that
    // settled it. Nobody can predict that, so there is no branch on it: the other places are
    // gathered, and returned how many there are.
    template <class Glance>
    HARDLIMIT_INLINE std::size_t glance_at_all(std::size_t n, std::uint32_t *ids, Sink &sink,
                                               Glance &&glance) {
        std::size_t n_left = 0;
        for (std::size_t i = 0; i < n; ++i) {
            Found found;
            const bool settled = glance(keys_[i], found);
            sink.push_if(settled, found);
            ids[i] = found.id;
            left_[n_left] = static_cast<std::uint32_t>(i);
            n_left += !settled;
        }
        return n_left;
    }

    // Searches for those, in the order of the text, in which new ones are numbered.
    template <class Search>
    HARDLIMIT_INLINE void search_for_left(std::size_t n_left, std::uint32_t *ids, Sink &sink,
                                          Search &&search) {
        for (std::size_t j = 0; j < n_left; ++j) {
            const std::size_t i = left_[j];
            const Found found = search(i);
            sink.push(found);
            ids[i] = found.id;
        }
    }

    HARDLIMIT_NOINLINE void words_of_block(std::size_t n, Columns &columns) {
        pause_.after(n);
        n_words_ += n;
        n_unknown_ += n + columns.size();
        {
            Sink sink(columns, n);
            const std::size_t n_left =
                glance_at_all(n, words_, sink, [&](std::uint64_t key, Found &found) {
                    return lookup_.glance_at_word(key, found);
                });
            lookup_.prefetch_word_bytes(keys_, left_, n_left, ids_);
            search_for_left(n_left, words_, sink, [&](std::size_t i) {
                return lookup_.word(keys_[i], at_[i], sizes_[i]);
            });
        }
        n_unknown_ -= columns.size();
        keys_of_next(2, words_, n);
        for (int level = 2; level <= settings_.words.most; ++level) {
            grams_of_block(level, n, columns);
            keys_of_next(level + 1, ids_, n);
        }
    }

    // keys_[i] is that of the n-gram of this level that ends at word i.
    HARDLIMIT_NOINLINE void grams_of_block(int level, std::size_t n, Columns &columns) {
        Sink sink(columns, n);
        const std::size_t n_left =
            glance_at_all(n, ids_, sink, [&](std::uint64_t key, Found &found) {
                return lookup_.glance_at_pair(level, key, found);
            });
        for (std::size_t j = 0; j < n_left; ++j)
            lookup_.prefetch_behind_pair(level, keys_[left_[j]]);
        search_for_left(n_left, ids_, sink, [&](std::size_t i) {
            return keys_[i] ? lookup_.pair(level, keys_[i]) : Found{};
        });
    }

    // The keys of the n-grams of this level, each from the one that ended a word before; 0 where
    // one is unknown. The lines of all come while the first ones are looked up.
    void keys_of_next(int level, const std::uint32_t *shorter, std::size_t n) {
        if (level > settings_.words.most || !n) return;
        std::uint32_t before = before_[level - 1];
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t word = words_[i];
            const std::uint64_t key = pair_key(before, word);
            keys_[i] = before == no_id || word == no_id ? 0 : key;
            lookup_.prefetch_pair(level, key);
            before = shorter[i];
        }
        before_[level - 1] = before;
    }

    HARDLIMIT_NOINLINE void strings_of_block(Strings kind, std::size_t n, Columns &columns) {
        pause_.after(n);
        const std::size_t before = columns.size();
        {
            Sink sink(columns, n);
            const std::size_t n_left =
                glance_at_all(n, ids_, sink, [&](std::uint64_t key, Found &found) {
                    return lookup_.glance_at_string(kind, key, found);
                });
            search_for_left(n_left, ids_, sink, [&](std::size_t i) {
                return lookup_.string(kind, keys_[i], at_[i], sizes_[i]);
            });
        }
        if (kind == Strings::chars) return;
        n_words_ += n;
        n_unknown_ += n - (columns.size() - before);
    }

    const Settings &settings_;
    Lookup &lookup_;
    Pause pause_;
    std::size_t n_words_ = 0, n_unknown_ = 0;
    std::vector<std::uint32_t> before_;  // by level: the n-gram that ended at the last block's end
    std::uint32_t words_[block_size], ids_[block_size];
    std::uint32_t left_[block_size];  // places that a glance did not settle
    std::uint64_t keys_[block_size];
    const Byte *at_[block_size];
    std::size_t sizes_[block_size];
    std::vector<Byte> folded_;  // of a text whose n-grams reach over the borders of words
};

}  // namespace hardlimit::text
