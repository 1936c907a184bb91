// The terms that a vocabulary keeps, out of the records of all of them; and that vocabulary, equal
// to the one that `Features::limit` leaves.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "counting/records.hpp"
#include "text/features.hpp"

namespace hardlimit::counting {

struct Limits {
    std::uint64_t fewest = 1, most_documents = ~std::uint64_t(0);
    std::optional<std::size_t> most;  // n-grams of words, and as many of characters
    bool keep_all = true;             // terms without a column too: words that n-grams are made of
};

class Selection {
  public:
    explicit Selection(const Limits &limits) : limits_(limits) {}

    // Whole records, each of another term.
    void add(std::string_view records);
    // After the last: the words and n-grams that kept ones are made of, which `find_parts` looks
    // for among the same records once more. Returns how many.
    std::size_t choose();
    void find_parts(std::string_view records);

    std::size_t n_kept() const { return n_kept_; }
    // Puts all into features that have learnt nothing.
    void fill(text::Features &features, std::uint64_t n_documents) const;

  private:
    struct Term {
        std::uint64_t occurrences, place, column;
        std::uint32_t documents;
        std::uint8_t kind;
    };
    struct Candidate {
        Term term;
        std::string text;
    };
    // Those of words, or of characters.
    struct Group {
        std::vector<Candidate> candidates;
        std::optional<Term> last;  // of the most frequent so far; what comes later is left out
    };
    class Filling;

    static bool comes_before(const Term &a, const Term &b) {
        return a.occurrences != b.occurrences ? a.occurrences > b.occurrences : a.column < b.column;
    }
    void leave_most_frequent(Group &group) const;
    std::uint32_t number_of(std::uint8_t kind, std::string_view text) const;
    bool know(const Term &term, std::string_view text);
    void add_parts(std::uint8_t kind, const std::string &text);
    std::string text_of(std::uint32_t number) const;

    Limits limits_;
    Group groups_[2];
    std::size_t n_kept_ = 0, n_missing_ = 0;
    // The chosen ones, and then their parts: by number, and numbers by kind and text.
    std::vector<Term> terms_;
    text::StringTable names_;
    mutable std::string name_;
};

}  // namespace hardlimit::counting
