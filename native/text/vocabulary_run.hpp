// A run of documents counted into a vocabulary of its own, beside other runs.
#pragma once
#include <vector>

#include "text/lowered.hpp"
#include "text/vocabulary.hpp"

namespace hardlimit::text {

// A term of a run: its key (of strings the public one) and its column in the run, or none.
struct RunTerm {
    std::uint64_t key;
    std::int32_t column;
};

// The terms of one table, by number.
using RunTerms = Growing<RunTerm>;
using Ids = Growing<std::uint32_t>;

// How many documents of the run hold a column's term, and the last one that did.
struct Met {
    std::uint32_t last, n;
};

struct VocabularyRun {
    explicit VocabularyRun(const Settings &settings)
        : vocabulary(settings),
          levels(vocabulary.grams.size()),
          level_ids(vocabulary.grams.size()) {}

    RunTerms &terms(Strings kind) { return kind == Strings::runs ? runs : chars; }
    std::size_t n_documents() const { return sizes.size(); }

    // Counts documents behind those before, each by the columns of the run.
    void count(Documents documents, const Settings &settings, Pause pause);
    void clear() noexcept;

    Vocabulary vocabulary;
    RunTerms words, runs, chars;
    std::vector<RunTerms> levels;  // n-grams of n = 2, 3, ... words
    Columns tokens;                // of one document after the other, repeats and all
    Growing<std::uint64_t> ends;   // of each document among them
    Growing<std::uint32_t> sizes;  // different columns of each
    Zeroed<Met> met;               // by column
    std::uint64_t replaced = 0;    // code points

    // What merge.hpp finds: the columns of the whole, and the numbers of the terms there.
    Growing<std::int32_t> columns;
    Ids word_ids, run_ids, char_ids;
    std::vector<Ids> level_ids;

  private:
    void make_room(Documents documents);
    void count_document(std::size_t first);
};

}  // namespace hardlimit::text
