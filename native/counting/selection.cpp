#include "counting/selection.hpp"

#include <algorithm>
#include <stdexcept>

namespace hardlimit::counting {
namespace {

constexpr std::uint64_t not_found_yet = ~std::uint64_t(0);

// `use(kind, text)` of the n-gram without its last word, and of that word.
template <class Use>
void split(std::uint8_t kind, std::string_view text, Use &&use) {
    const std::size_t blank = text.rfind(' ');
    use(kind == first_grams ? words : static_cast<std::uint8_t>(kind - 1), text.substr(0, blank));
    use(words, text.substr(blank + 1));
}

// Eight bytes behind a string can be read.
const unsigned char *pad(std::string &text) {
    text.reserve(text.size() + 8);
    return reinterpret_cast<const unsigned char *>(text.data());
}

}  // namespace

void Selection::add(std::string_view records) {
    RecordReader reader(records);
    for (Record record; reader.next(record);) {
        const bool has_column = record.column != no_column;
        const bool frequent =
            record.documents >= limits_.fewest && record.documents <= limits_.most_documents;
        if (has_column ? !frequent : !limits_.keep_all) continue;
        const Term term{record.occurrences, record.place, record.column,
                        static_cast<std::uint32_t>(record.documents), record.kind};
        Group &group = groups_[record.kind == chars ? 1 : 0];
        if (limits_.keep_all) {
            know(term, record.term);
            continue;
        }
        if (group.last && !comes_before(term, *group.last)) continue;
        group.candidates.push_back({term, std::string(record.term)});
        // Twice as many as wanted: each is looked at twice.
        if (limits_.most && group.candidates.size() / 2 >= *limits_.most)
            leave_most_frequent(group);
    }
    if (reader.left()) throw std::runtime_error("a file of terms is cut off");
}

void Selection::leave_most_frequent(Group &group) const {
    std::vector<Candidate> &all = group.candidates;
    if (!limits_.most || all.size() <= *limits_.most) return;
    const auto before = [](const Candidate &a, const Candidate &b) {
        return comes_before(a.term, b.term);
    };
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(*limits_.most);
    std::nth_element(all.begin(), end, all.end(), before);
    all.erase(end, all.end());
    group.last = std::max_element(all.begin(), all.end(), before)->term;
}

// The number that the term has or would get.
std::uint32_t Selection::number_of(std::uint8_t kind, std::string_view text) const {
    name_.assign(1, static_cast<char>(kind)).append(text);
    const unsigned char *at = pad(name_);
    const text::Slot *slot = names_.find(text::string_key(at, name_.size()), at, name_.size());
    return slot ? slot->id : text::no_id;
}

// False where it was known.
bool Selection::know(const Term &term, std::string_view text) {
    name_.assign(1, static_cast<char>(term.kind)).append(text);
    const unsigned char *at = pad(name_);
    bool added;
    names_.find_or_add(text::string_key(at, name_.size()), at, name_.size(), added);
    if (added) terms_.push_back(term);
    return added;
}

std::string Selection::text_of(std::uint32_t number) const {
    return std::string(reinterpret_cast<const char *>(names_.bytes(number)) + 1,
                       names_.length(number) - 1);
}

std::size_t Selection::choose() {
    for (Group &group : groups_) {
        leave_most_frequent(group);
        for (const Candidate &one : group.candidates) know(one.term, one.text);
        std::vector<Candidate>().swap(group.candidates);
    }
    n_kept_ = terms_.size();
    if (!limits_.keep_all)
        for (std::uint32_t number = 0; number < n_kept_; ++number)
            add_parts(terms_[number].kind, text_of(number));
    return n_missing_ = terms_.size() - n_kept_;
}

void Selection::add_parts(std::uint8_t kind, const std::string &text) {
    if (kind < first_grams) return;
    split(kind, text, [this](std::uint8_t of, std::string_view part) {
        know({0, not_found_yet, no_column, 0, of}, part);
        add_parts(of, std::string(part));
    });
}

void Selection::find_parts(std::string_view records) {
    RecordReader reader(records);
    for (Record record; reader.next(record);) {
        if (record.kind != words && record.kind < first_grams) continue;
        const std::uint32_t number = number_of(record.kind, record.term);
        if (number == text::no_id || terms_[number].place != not_found_yet) continue;
        terms_[number].place = record.place;
        --n_missing_;
    }
}

// Numbers columns and terms by first appearance.
class Selection::Filling {
  public:
    Filling(const Selection &from, text::Features &to)
        : from_(from),
          to_(to),
          columns_(from.terms_.size(), text::no_column),
          ids_(from.terms_.size()) {}

    void fill() {
        number_columns();
        for (const std::uint32_t number : sorted([this](std::uint32_t a, std::uint32_t b) {
                 const Term &one = term(a), &other = term(b);
                 return one.kind != other.kind ? one.kind < other.kind : one.place < other.place;
             })) {
            bool added = false;
            text::Slot &slot = term(number).kind < first_grams ? add_string(number, added)
                                                               : add_gram(number, added);
            if (!added) throw std::runtime_error("a term twice");
            slot.column = columns_[number];
            ids_[number] = slot.id;
        }
    }

  private:
    const Term &term(std::uint32_t number) const { return from_.terms_[number]; }

    template <class Before>
    std::vector<std::uint32_t> sorted(Before before) const {
        std::vector<std::uint32_t> numbers(from_.terms_.size());
        for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
        std::sort(numbers.begin(), numbers.end(), before);
        return numbers;
    }

    void number_columns() {
        to_.frequency = Zeroed<std::uint32_t>(from_.n_kept_ + 1024);
        for (const std::uint32_t number : sorted([this](std::uint32_t a, std::uint32_t b) {
                 return term(a).column < term(b).column;
             })) {
            if (term(number).column == no_column) break;
            const auto block = term(number).kind == chars ? text::Block::chars : text::Block::words;
            const std::int32_t column = to_.vocabulary().next_column(block);
            columns_[number] = column;
            to_.frequency[static_cast<std::size_t>(column)] = term(number).documents;
        }
    }

    text::Slot &add_string(std::uint32_t number, bool &added) {
        text::Vocabulary &all = to_.vocabulary();
        const std::uint8_t kind = term(number).kind;
        const unsigned char *at = from_.names_.bytes(number) + 1;
        const std::size_t size = from_.names_.length(number) - 1;
        text::StringTable &table = kind == words ? all.words : kind == runs ? all.runs : all.chars;
        return table.find_or_add(text::string_key(at, size), at, size, added);
    }

    text::Slot &add_gram(std::uint32_t number, bool &added) {
        std::uint32_t ids[2], n = 0;
        split(term(number).kind, from_.text_of(number),
              [&](std::uint8_t of, std::string_view part) {
                  const std::uint32_t found = from_.number_of(of, part);
                  if (found == text::no_id) throw std::runtime_error("a part is missing");
                  ids[n++] = ids_[found];
              });
        return to_.vocabulary()
            .level(term(number).kind - first_grams + 2)
            .find_or_add(text::pair_key(ids[0], ids[1]), added);
    }

    const Selection &from_;
    text::Features &to_;
    std::vector<std::int32_t> columns_;
    std::vector<std::uint32_t> ids_;
};

void Selection::fill(text::Features &features, std::uint64_t n_documents) const {
    if (n_missing_) throw std::runtime_error("parts of terms are missing");
    Filling(*this, features).fill();
    features.n_documents = n_documents;
    features.closed = !limits_.keep_all;
    features.look_at_all_columns();
}

}  // namespace hardlimit::counting
