#include "counting/selection.hpp"

#include <algorithm>
#include <stdexcept>

namespace hardlimit::counting {
namespace {

constexpr std::size_t is_kept = ~std::size_t(0);

std::string name(std::uint8_t kind, std::string_view text) {
    return std::string(1, static_cast<char>(kind)).append(text);
}

// `use(kind, text)` of the n-gram without its last word, and of that word.
template <class Use>
void split(std::uint8_t kind, std::string_view text, Use &&use) {
    const std::size_t blank = text.rfind(' ');
    use(kind == first_grams ? words : static_cast<std::uint8_t>(kind - 1), text.substr(0, blank));
    use(words, text.substr(blank + 1));
}

text::Block block_of(std::uint8_t kind) {
    return kind == chars ? text::Block::chars : text::Block::words;
}

}  // namespace

void Selection::add(std::string_view records) {
    RecordReader reader(records);
    for (Record record; reader.next(record);) {
        const bool has_column = record.column != no_column;
        const bool frequent =
            record.documents >= limits_.fewest && record.documents <= limits_.most_documents;
        if (has_column ? !frequent : !limits_.keep_all) continue;
        std::vector<Term> &terms = has_column ? group(record) : parts_;
        terms.push_back({std::string(record.term), record.hash, record.occurrences, record.place,
                         record.column, static_cast<std::uint32_t>(record.documents), record.kind});
        // Twice as many as wanted: each is looked at twice.
        if (limits_.most && has_column && terms.size() / 2 >= *limits_.most)
            leave_most_frequent(terms);
    }
    if (reader.left()) throw std::runtime_error("a file of terms is cut off");
}

void Selection::leave_most_frequent(std::vector<Term> &terms) const {
    if (!limits_.most || terms.size() <= *limits_.most) return;
    std::nth_element(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(*limits_.most),
                     terms.end(), [](const Term &a, const Term &b) {
                         return a.occurrences != b.occurrences ? a.occurrences > b.occurrences
                                                               : a.column < b.column;
                     });
    terms.resize(*limits_.most);
}

std::size_t Selection::choose() {
    for (std::vector<Term> &terms : groups_) {
        leave_most_frequent(terms);
        n_kept_ += terms.size();
        if (!limits_.keep_all)
            for (const Term &term : terms) known_.emplace(name(term.kind, term.text), is_kept);
    }
    if (limits_.keep_all) return 0;
    for (const std::vector<Term> &terms : groups_)
        for (const Term &term : terms) add_parts(term.text, term.kind);
    return n_missing_ = parts_.size();
}

void Selection::add_parts(const std::string &text, std::uint8_t kind) {
    if (kind < first_grams) return;
    split(kind, text, [this](std::uint8_t of, std::string_view part) {
        need(of, part);
        add_parts(std::string(part), of);
    });
}

void Selection::need(std::uint8_t kind, std::string_view text) {
    if (!known_.emplace(name(kind, text), parts_.size()).second) return;
    parts_.push_back({std::string(text), 0, 0, unknown, no_column, 0, kind});
}

void Selection::find_parts(std::string_view records) {
    RecordReader reader(records);
    for (Record record; reader.next(record);) {
        if (record.kind != words && record.kind < first_grams) continue;
        const auto found = known_.find(name(record.kind, record.term));
        if (found == known_.end() || found->second == is_kept) continue;
        parts_[found->second].place = record.place;
        --n_missing_;
    }
}

// The terms of each kind in the order in which they came first, which numbers them.
std::vector<std::vector<const Selection::Term *>> Selection::by_place() const {
    std::vector<std::vector<const Term *>> kinds(256);
    for (const std::vector<Term> *terms : {&groups_[0], &groups_[1], &parts_})
        for (const Term &term : *terms) kinds[term.kind].push_back(&term);
    for (std::vector<const Term *> &kind : kinds)
        std::sort(kind.begin(), kind.end(),
                  [](const Term *a, const Term *b) { return a->place < b->place; });
    return kinds;
}

void Selection::fill(text::Features &features, std::uint64_t n_documents) const {
    if (n_missing_) throw std::runtime_error("parts of terms are missing");
    std::vector<const Term *> kept;
    for (const std::vector<Term> &terms : groups_)
        for (const Term &term : terms) kept.push_back(&term);
    std::sort(kept.begin(), kept.end(),
              [](const Term *a, const Term *b) { return a->column < b->column; });
    text::Vocabulary &all = features.vocabulary();
    features.frequency = Zeroed<std::uint32_t>(kept.size() + 1024);
    std::unordered_map<const Term *, std::int32_t> column_of;
    column_of.reserve(kept.size());
    for (const Term *term : kept) {
        const std::int32_t column = all.next_column(block_of(term->kind));
        column_of.emplace(term, column);
        features.frequency[static_cast<std::size_t>(column)] = term->documents;
    }
    std::unordered_map<std::string, std::uint32_t> id_of;
    std::string padded;  // eight bytes behind a string are read
    const auto kinds = by_place();
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        const bool is_part = kind == words || (kind >= first_grams && !kinds[kind].empty());
        for (const Term *term : kinds[kind]) {
            bool added;
            text::Slot *slot;
            if (kind < first_grams) {
                padded.assign(term->text).append(8, '\0');
                const auto *at = reinterpret_cast<const unsigned char *>(padded.data());
                text::StringTable &table = kind == words  ? all.words
                                           : kind == runs ? all.runs
                                                          : all.chars;
                const std::size_t size = term->text.size();
                slot = &table.find_or_add(text::string_key(at, size), at, size, added);
            } else {
                std::uint32_t ids[2], n = 0;
                split(term->kind, term->text, [&](std::uint8_t of, std::string_view part) {
                    ids[n++] = id_of.at(name(of, part));
                });
                slot = &all.level(static_cast<int>(kind - first_grams) + 2)
                            .find_or_add(text::pair_key(ids[0], ids[1]), added);
            }
            if (!added) throw std::runtime_error("a term twice");
            const auto found = column_of.find(term);
            slot->column = found == column_of.end() ? text::no_column : found->second;
            if (is_part) id_of.emplace(name(term->kind, term->text), slot->id);
        }
    }
    features.n_documents = n_documents;
    features.closed = !limits_.keep_all;
    features.look_at_all_columns();
}

}  // namespace hardlimit::counting
