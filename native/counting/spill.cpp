#include "counting/spill.hpp"

#include <algorithm>

namespace hardlimit::counting {
namespace {

std::vector<text::Slot> by_number(const text::SlotTable &table) {
    std::vector<text::Slot> slots(table.size());
    for (std::size_t s = 0; s < table.capacity(); ++s)
        if (table.slot(s).key) slots[table.slot(s).id] = table.slot(s);
    return slots;
}

// A table is laid out anew, twice as large, when it is five eighths full.
std::size_t bytes_of_slots(const text::SlotTable &table, std::size_t more) {
    std::size_t capacity = table.capacity();
    while ((table.size() + more + 1) * 8 > capacity * 5) capacity *= 2;
    return capacity * sizeof(text::Slot);
}

// Arrays that grow have up to half as much again.
std::size_t bytes_of_strings(const text::StringTable &table, std::size_t more) {
    return bytes_of_slots(table.table(), more) + table.blob().size() * 3 / 2 +
           (table.size() + more) * 12;
}

}  // namespace

void Occurrences::add(const text::Rows &rows) {
    for (std::size_t i = 0; i < rows.columns.size(); ++i) {
        const auto column = static_cast<std::size_t>(rows.columns[i]);
        if (column >= counts_.size()) counts_.resize(column + column / 2 + 1024);
        counts_[column] += rows.counts[i];
    }
}

std::size_t count_bytes(const text::Features &features, const More &more) {
    const text::Vocabulary &all = features.vocabulary();
    std::size_t n = bytes_of_strings(all.words, more.words) +
                    bytes_of_strings(all.runs, more.runs) + bytes_of_strings(all.chars, more.chars);
    std::size_t n_terms =
        all.words.size() + all.runs.size() + all.chars.size() + more.words + more.runs + more.chars;
    for (const text::PairTable &level : all.grams) {
        n += bytes_of_slots(level.table(), more.words);
        n_terms += level.size() + more.words;
    }
    // Entries and slots of the spill, and by column frequencies and occurrences.
    constexpr std::size_t of_term = 2 * sizeof(text::Slot) + 3 * (4 + 8) / 2;
    return n + n_terms * of_term;
}

Spill::Spill(const text::Features &features, const Occurrences &occurrences, std::uint32_t run)
    : features_(features), occurrences_(occurrences), run_(std::uint64_t(run) << 32) {
    const text::Vocabulary &all = features.vocabulary();
    std::size_t n = all.words.size() + all.runs.size() + all.chars.size();
    for (const text::PairTable &level : all.grams) n += level.size();
    entries_.reserve(n);
    add_strings(all.words, words);
    add_strings(all.runs, runs);
    add_strings(all.chars, chars);
    std::size_t first_prefix = 0;
    for (std::size_t i = 0; i < all.grams.size(); ++i) {
        const std::size_t first = entries_.size();
        add_grams(all.grams[i], static_cast<std::uint8_t>(first_grams + i), first_prefix);
        first_prefix = first;
    }
    std::sort(entries_.begin(), entries_.end(), [this](const Entry &a, const Entry &b) {
        if (a.hash != b.hash) return a.hash < b.hash;
        if (a.kind != b.kind) return a.kind < b.kind;
        std::string one, other;
        spell(a.kind, a.id, one);
        spell(b.kind, b.id, other);
        return one < other;
    });
}

const text::StringTable &Spill::strings(std::uint8_t kind) const {
    const text::Vocabulary &all = features_.vocabulary();
    return kind == words ? all.words : kind == runs ? all.runs : all.chars;
}

void Spill::add_strings(const text::StringTable &table, std::uint8_t kind) {
    slots_.push_back(by_number(table.table()));
    for (std::uint32_t id = 0; id < table.size(); ++id)
        entries_.push_back(
            {text::hash_string(text::P3, table.bytes(id), table.length(id)), id, kind});
}

// The words are the first entries; the n-grams that these begin with stand from `first_prefix` on.
void Spill::add_grams(const text::PairTable &table, std::uint8_t kind, std::size_t first_prefix) {
    slots_.push_back(by_number(table.table()));
    const std::vector<text::Slot> &slots = slots_.back();
    for (std::uint32_t id = 0; id < slots.size(); ++id) {
        const std::uint64_t ids = slots[id].key - 1;
        const std::uint64_t prefix = entries_[first_prefix + (ids >> 32)].hash;
        const std::uint64_t last = entries_[static_cast<std::uint32_t>(ids)].hash;
        entries_.push_back({text::hash_join(prefix, last), id, kind});
    }
}

// From the last word to the first.
void Spill::spell(std::uint8_t kind, std::uint32_t id, std::string &term) const {
    term.clear();
    const auto put_before = [&](const text::StringTable &table, std::uint32_t number) {
        if (!term.empty()) term.insert(term.begin(), ' ');
        term.insert(0, reinterpret_cast<const char *>(table.bytes(number)), table.length(number));
    };
    for (; kind >= first_grams; --kind) {
        const std::uint64_t ids = slots_[kind][id].key - 1;
        put_before(strings(words), static_cast<std::uint32_t>(ids));
        id = static_cast<std::uint32_t>(ids >> 32);
        if (kind == first_grams) return put_before(strings(words), id);
    }
    put_before(strings(kind), id);
}

void Spill::write(std::size_t n_bytes, std::string &to) {
    for (; next_ < entries_.size() && to.size() < n_bytes; ++next_) {
        const Entry &entry = entries_[next_];
        const std::int32_t column = slots_[entry.kind][entry.id].column;
        spell(entry.kind, entry.id, term_);
        Record record{entry.hash, entry.kind, term_};
        record.place = run_ | entry.id;
        if (column != text::no_column) {
            const auto number = static_cast<std::uint32_t>(column);
            record.documents = features_.frequency[number];
            record.occurrences = occurrences_[number];
            record.column = run_ | number;
        }
        write_record(record, to);
    }
}

}  // namespace hardlimit::counting
