#include "text/state.hpp"

#include <algorithm>

#include "text/narrow.hpp"
#include "text/stored_strings.hpp"

namespace hardlimit::text {
namespace {

void dump_columns(const SlotTable &table, const std::string &name, Tensors &to) {
    std::int32_t *columns = to.add<std::int32_t>(name, table.size());
    for (std::size_t s = 0; s < table.capacity(); ++s)
        if (table.slot(s).key) columns[table.slot(s).id] = table.slot(s).column;
}

void dump_strings(const StringTable &table, const std::string &name, Tensors &to) {
    dump_columns(table.table(), name + "_columns", to);
    add_ends(to, name, table.ends().data(), table.ends().size());
    to.add_copy(name + "_bytes", table.blob().data(), table.blob().size());
}

void dump_pairs(const PairTable &table, const std::string &name, Tensors &to) {
    dump_columns(table.table(), name + "_columns", to);
    std::uint64_t *keys = to.add<std::uint64_t>(name + "_keys", table.size());
    for (std::size_t s = 0; s < table.table().capacity(); ++s)
        if (table.table().slot(s).key) keys[table.table().slot(s).id] = table.table().slot(s).key;
}

void dump_buckets(const Features &features, Tensors &to) {
    std::vector<std::int32_t> columns;
    const BucketNames *names = features.bucket_names();
    for (std::size_t column = 0; column < features.n_columns(); ++column)
        if ((column < features.frequency.size() && features.frequency[column]) ||
            (names && !names->wanted(static_cast<std::uint32_t>(column))))
            columns.push_back(static_cast<std::int32_t>(column));
    to.add_copy("columns", columns.data(), columns.size());
    std::vector<std::uint64_t> ends;
    std::vector<unsigned char> bytes;
    for (const std::int32_t column : columns) {
        const auto name =
            names ? names->name(static_cast<std::uint32_t>(column)) : std::string_view();
        bytes.insert(bytes.end(), name.begin(), name.end());
        ends.push_back(bytes.size());
    }
    add_ends(to, "names", ends.data(), ends.size());
    to.add_copy("names_bytes", bytes.data(), bytes.size());
    if (!features.frequency.size()) return;
    std::vector<std::uint32_t> frequency;
    std::vector<double> idf;
    for (const std::int32_t column : columns) {
        frequency.push_back(features.frequency[column]);
        idf.push_back(features.idf[column]);
    }
    add_frequency(to, frequency.data(), frequency.size());
    add_idf(to, idf);
}

class Restorer {
  public:
    Restorer(Vocabulary &all, const Incoming &from, std::size_t n_columns)
        : all_(all), from_(from), taken_(n_columns, 0) {}

    void read() {
        strings(all_.words, "words", Block::words);
        strings(all_.runs, "runs", Block::words);
        strings(all_.chars, "chars", Block::chars);
        std::size_t n_prefixes = all_.words.size();
        for (std::size_t i = 0; i < all_.grams.size(); ++i) {
            pairs(all_.grams[i], "pairs" + std::to_string(i + 2), n_prefixes);
            n_prefixes = all_.grams[i].size();
        }
        if (n_taken_ != taken_.size()) contradiction("columns without a term");
        all_.n_columns = static_cast<std::uint32_t>(taken_.size());
    }

  private:
    std::int32_t take(std::int32_t column) {
        if (column == no_column) return column;
        if (column < 0 || static_cast<std::size_t>(column) >= taken_.size() || taken_[column])
            contradiction("column " + std::to_string(column));
        taken_[column] = 1;
        ++n_taken_;
        return column;
    }

    void strings(StringTable &table, const std::string &name, Block block) {
        PaddedStrings strings(from_, name);
        const auto columns = from_.array<std::int32_t>(name + "_columns");
        if (columns.size() != strings.size()) contradiction("sizes of " + name);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const auto [at, size] = strings.next();
            bool added;
            if (!size) contradiction("an empty string in " + name);
            Slot &slot = table.find_or_add(string_key(at, size), at, size, added);
            if (!added) contradiction("a string twice in " + name);
            slot.column = take(columns[i]);
            if (all_.with_blocks && slot.column != no_column)
                all_.blocks.set(static_cast<std::size_t>(slot.column), block);
        }
    }

    void pairs(PairTable &table, const std::string &name, std::size_t n_prefixes) {
        const auto keys = from_.array<std::uint64_t>(name + "_keys");
        const auto columns = from_.array<std::int32_t>(name + "_columns");
        if (columns.size() != keys.size()) contradiction("sizes of " + name);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const std::uint64_t ids = keys[i] - 1;
            if (!keys[i] || ids >> 32 >= n_prefixes || (ids & 0xFFFFFFFF) >= all_.words.size())
                contradiction("a key of " + name);
            bool added;
            Slot &slot = table.find_or_add(keys[i], added);
            if (!added) contradiction("a key twice in " + name);
            slot.column = take(columns[i]);
        }
    }

    Vocabulary &all_;
    const Incoming &from_;
    std::vector<char> taken_;
    std::size_t n_taken_ = 0;
};

void restore_buckets(Features &features, const Incoming &from) {
    const auto columns = from.array<std::int32_t>("columns");
    PaddedStrings names(from, "names");
    const bool counted = features.frequency.size() > 0;
    const auto frequency = counted ? read_frequency(from) : std::vector<std::uint32_t>();
    const StoredIdf idf = counted ? StoredIdf(from) : StoredIdf();
    if (names.size() != columns.size()) contradiction("sizes of names");
    if (counted && (frequency.size() != columns.size() || idf.size() != columns.size()))
        contradiction("sizes of frequency and idf");
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::int32_t column = columns[i];
        if (column < 0 || static_cast<std::size_t>(column) >= features.n_columns())
            contradiction("column " + std::to_string(column));
        const auto [at, size] = names.next();
        if (size && features.make_bucket_names().wanted(column))
            features.make_bucket_names().add(column, {reinterpret_cast<const char *>(at), size});
        if (!counted) continue;
        if (frequency[i] > features.n_documents) contradiction("frequencies and documents");
        features.frequency[column] = frequency[i];
        features.idf[column] = idf[i];
    }
}

}  // namespace

Tensors dump_state(const Features &features) {
    Tensors to;
    if (features.hashing()) {
        dump_buckets(features, to);
        return to;
    }
    const Vocabulary &all = features.vocabulary();
    dump_strings(all.words, "words", to);
    dump_strings(all.runs, "runs", to);
    dump_strings(all.chars, "chars", to);
    for (std::size_t i = 0; i < all.grams.size(); ++i)
        dump_pairs(all.grams[i], "pairs" + std::to_string(i + 2), to);
    const std::size_t n = all.n_columns;
    std::vector<std::uint32_t> frequency(n);
    std::vector<double> idf(n);
    std::copy_n(features.frequency.data(), std::min(n, features.frequency.size()),
                frequency.data());
    std::copy_n(features.idf.data(), std::min(n, features.idf.size()), idf.data());
    add_frequency(to, frequency.data(), n);
    add_idf(to, idf);
    return to;
}

void restore_state(Features &features, const Incoming &from, std::uint64_t n_documents) {
    features.n_documents = n_documents;
    features.look_at_all_columns();
    if (features.hashing()) return restore_buckets(features, from);
    const auto frequency = read_frequency(from);
    const StoredIdf idf(from);
    const std::size_t n = frequency.size();
    if (idf.size() != n || n > 0x7FFFFFFF) contradiction("sizes of frequency and idf");
    Restorer(features.vocabulary(), from, n).read();
    features.frequency = Zeroed<std::uint32_t>(n + n / 2 + 1024);
    features.idf = Zeroed<double>(n + n / 2 + 1024);
    for (std::size_t column = 0; column < n; ++column) {
        if (frequency[column] > n_documents) contradiction("frequencies and documents");
        features.frequency[column] = frequency[column];
        features.idf[column] = idf[column];
    }
}

}  // namespace hardlimit::text
