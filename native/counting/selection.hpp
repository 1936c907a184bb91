// The terms that a vocabulary keeps, out of the records of all of them; and that vocabulary, equal
// to the one that `Features::limit` leaves.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
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
        std::string text;
        std::uint64_t hash, occurrences, place, column;
        std::uint32_t documents;
        std::uint8_t kind;
    };
    static constexpr std::uint64_t unknown = ~std::uint64_t(0);

    std::vector<Term> &group(const Record &record) { return groups_[record.kind == chars ? 1 : 0]; }
    void leave_most_frequent(std::vector<Term> &terms) const;
    void need(std::uint8_t kind, std::string_view text);
    void add_parts(const std::string &text, std::uint8_t kind);
    std::vector<std::vector<const Term *>> by_place() const;

    Limits limits_;
    std::vector<Term> groups_[2];  // words and runs, characters
    std::vector<Term> parts_;      // that have no column
    std::size_t n_kept_ = 0, n_missing_ = 0;
    std::unordered_map<std::string, std::size_t> known_;  // kind and text; parts are numbered
};

}  // namespace hardlimit::counting
