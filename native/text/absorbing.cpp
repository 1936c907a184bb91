#include "text/absorbing.hpp"

#include <algorithm>

#include "text/narrow.hpp"
#include "text/stored_strings.hpp"

namespace hardlimit::text {
namespace {

// Searches that memory is asked for together.
constexpr std::size_t block_size = 64;

// First every term is looked for, then the columns of those that are new are numbered in the order
// of the columns that they have, over all tables; then they are added.
class Absorber {
  public:
    Absorber(Vocabulary &all, const Incoming &from, std::size_t n_columns)
        : all_(all), from_(from), columns_(n_columns, unmet), is_of_chars_(n_columns, false) {}

    // The columns here, by column of the other.
    const std::vector<std::int32_t> &add() {
        Terms words = find_strings(all_.words, "words", Block::words);
        Terms runs = find_strings(all_.runs, "runs", Block::words);
        Terms chars = find_strings(all_.chars, "chars", Block::chars);
        std::vector<Terms> levels;
        levels.reserve(all_.grams.size());
        for (std::size_t i = 0; i < all_.grams.size(); ++i)
            levels.push_back(find_pairs(i, words, i ? levels.back() : words));
        number_columns();
        add_strings(all_.words, "words", words);
        add_strings(all_.runs, "runs", runs);
        add_strings(all_.chars, "chars", chars);
        for (std::size_t i = 0; i < levels.size(); ++i)
            add_pairs(i, words, i ? levels[i - 1] : words, levels[i]);
        return columns_;
    }

  private:
    static constexpr std::int32_t unmet = -2, new_column = -3;

    // Of one table, by number in the other.
    struct Terms {
        std::vector<std::int32_t> columns;
        std::vector<std::uint64_t> keys;  // of n-grams of words
        std::vector<std::uint32_t> ids;   // here; no_id of a new one
    };

    template <class T>
    std::vector<T> read(const std::string &name) const {
        const auto stored = from_.array<T>(name);
        std::vector<T> items(stored.size());
        stored.copy(0, items.size(), items.data());
        return items;
    }

    // What is known of a term and its column in the other.
    void note(Terms &terms, std::size_t i, const Slot *slot, Block block) {
        terms.ids[i] = slot ? slot->id : no_id;
        const std::int32_t column = terms.columns[i];
        if (column == no_column) return;
        const auto place = static_cast<std::size_t>(column);
        if (column < 0 || place >= columns_.size() || columns_[place] != unmet)
            contradiction("column " + std::to_string(column));
        if (slot && slot->column == no_column) contradiction("a term without a column");
        columns_[place] = slot ? slot->column : new_column;
        is_of_chars_[place] = block == Block::chars;
    }

    Terms find_strings(const StringTable &table, const std::string &name, Block block) {
        PaddedStrings strings(from_, name);
        Terms terms{
            read<std::int32_t>(name + "_columns"), {}, std::vector<std::uint32_t>(strings.size())};
        if (terms.columns.size() != strings.size()) contradiction("sizes of " + name);
        std::pair<const unsigned char *, std::size_t> texts[block_size];
        std::uint64_t keys[block_size];
        for (std::size_t first = 0; first < strings.size(); first += block_size) {
            const std::size_t n = std::min(block_size, strings.size() - first);
            for (std::size_t i = 0; i < n; ++i) {
                texts[i] = strings.next();
                if (!texts[i].second) contradiction("an empty string in " + name);
                table.prefetch_key(keys[i] = string_key(texts[i].first, texts[i].second));
            }
            for (std::size_t i = 0; i < n; ++i)
                note(terms, first + i, table.find(keys[i], texts[i].first, texts[i].second), block);
        }
        return terms;
    }

    Terms find_pairs(std::size_t level, const Terms &words, const Terms &prefixes) {
        const std::string name = "pairs" + std::to_string(level + 2);
        const PairTable &table = all_.grams[level];
        Terms terms{read<std::int32_t>(name + "_columns"), read<std::uint64_t>(name + "_keys"), {}};
        const std::size_t n_terms = terms.keys.size();
        if (terms.columns.size() != n_terms) contradiction("sizes of " + name);
        terms.ids.resize(n_terms);
        std::uint64_t keys[block_size];
        for (std::size_t first = 0; first < n_terms; first += block_size) {
            const std::size_t n = std::min(block_size, n_terms - first);
            for (std::size_t i = 0; i < n; ++i) {
                check_key(terms.keys[first + i], words, prefixes);
                keys[i] = key_here(terms.keys[first + i], words, prefixes);
                if (keys[i]) table.prefetch_key(keys[i]);
            }
            for (std::size_t i = 0; i < n; ++i)
                note(terms, first + i, keys[i] ? table.find(keys[i]) : nullptr, Block::words);
        }
        return terms;
    }

    static void check_key(std::uint64_t key, const Terms &words, const Terms &prefixes) {
        const std::uint64_t ids = key - 1;
        if (!key || ids >> 32 >= prefixes.ids.size() || (ids & 0xFFFFFFFF) >= words.ids.size())
            contradiction("a key of n-grams");
    }

    // 0 where a part of it is new, and so the n-gram.
    static std::uint64_t key_here(std::uint64_t key, const Terms &words, const Terms &prefixes) {
        const std::uint64_t ids = key - 1;
        const std::uint32_t prefix = prefixes.ids[ids >> 32];
        const std::uint32_t last = words.ids[ids & 0xFFFFFFFF];
        return prefix == no_id || last == no_id ? 0 : pair_key(prefix, last);
    }

    void number_columns() {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (columns_[i] == unmet) contradiction("columns without a term");
            if (columns_[i] == new_column)
                columns_[i] = all_.next_column(is_of_chars_[i] ? Block::chars : Block::words);
        }
    }

    void place(Terms &terms, std::size_t i, Slot &slot, bool added) {
        if (!added) contradiction("a term twice");
        terms.ids[i] = slot.id;
        if (terms.columns[i] != no_column)
            slot.column = columns_[static_cast<std::size_t>(terms.columns[i])];
    }

    void add_strings(StringTable &table, const std::string &name, Terms &terms) {
        PaddedStrings strings(from_, name);
        for (std::size_t i = 0; i < terms.ids.size(); ++i) {
            const auto [at, size] = strings.next();
            if (terms.ids[i] != no_id) continue;
            bool added;
            Slot &slot = table.find_or_add(string_key(at, size), at, size, added);
            place(terms, i, slot, added);
        }
    }

    void add_pairs(std::size_t level, const Terms &words, const Terms &prefixes, Terms &terms) {
        PairTable &table = all_.grams[level];
        constexpr std::size_t ahead = 16;
        for (std::size_t i = 0; i < terms.ids.size(); ++i) {
            // Those before it in this loop are no parts of it: all parts are known.
            if (i + ahead < terms.ids.size() && terms.ids[i + ahead] == no_id)
                table.prefetch_key(key_here(terms.keys[i + ahead], words, prefixes));
            if (terms.ids[i] != no_id) continue;
            bool added;
            Slot &slot = table.find_or_add(key_here(terms.keys[i], words, prefixes), added);
            place(terms, i, slot, added);
        }
    }

    Vocabulary &all_;
    const Incoming &from_;
    std::vector<std::int32_t> columns_;
    std::vector<bool> is_of_chars_;
};

}  // namespace

void absorb_state(Features &features, const Incoming &from, std::uint64_t n_documents) {
    const auto frequency = read_frequency(from);
    if (frequency.size() > 0x7FFFFFFF) contradiction("the number of columns");
    Absorber absorber(features.vocabulary(), from, frequency.size());
    const std::vector<std::int32_t> &columns = absorber.add();
    const std::size_t n = features.n_columns();
    if (n > features.frequency.size()) {
        Zeroed<std::uint32_t> more(n + n / 2 + 1024);
        std::copy_n(features.frequency.data(), features.frequency.size(), more.data());
        features.frequency = std::move(more);
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (frequency[i] > n_documents) contradiction("frequencies and documents");
        features.frequency[static_cast<std::size_t>(columns[i])] += frequency[i];
    }
    features.n_documents += n_documents;
    features.look_at_all_columns();
}

}  // namespace hardlimit::text
