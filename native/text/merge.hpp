// The terms of a run become those of the whole vocabulary, numbered as if the run's documents had
// been learnt behind all before.
//
// A term that only the run has is numbered by its place among those, in the order in which the run
// met them: that is the order in which one thread meets them. The n-grams of words are made of the
// numbers of words, so that shorter ones are looked up before longer ones; one that holds a word
// that is new need not be looked up. New n-grams are placed by several threads, each in a part of
// the table of its own.
#pragma once
#include "team.hpp"
#include "text/vocabulary_run.hpp"

namespace hardlimit::text {

class Merge {
  public:
    // The keys of `run` become those of the whole.
    Merge(Vocabulary &all, VocabularyRun &run, Team &team);

    // Looks up the terms of the run. False where only learning its documents anew serves: they
    // have too many terms, or terms that had no column have one now.
    bool find();
    // Adds those that are new. Where it throws, `all.forget_document` undoes it.
    void add();

    // After that: by column of the run the column of the whole.
    const std::int32_t *columns() const { return columns_.data(); }

  private:
    template <class Work>
    void each_part(std::size_t n, Work &&work);
    void settle(const Slot *found, std::uint32_t &id, std::int32_t column);
    void find_strings(const StringTable &in, const StringTable &from, const RunTerms &terms,
                      Ids &ids);
    void find_pairs(std::size_t level);
    std::size_t number_new(Ids &ids, std::size_t n_before);
    void number_columns();
    void add_strings(StringTable &to, const StringTable &from, const RunTerms &terms,
                     const Ids &ids);
    void add_pairs(std::size_t level);

    Vocabulary &all_;
    VocabularyRun &run_;
    Team &team_;
    Growing<std::int32_t> &columns_;
    Ids &words_, &runs_, &chars_;  // by number in the run that in the whole
    std::vector<Ids> &levels_;
    std::vector<std::size_t> n_new_;  // of each level
    std::atomic<bool> is_odd_{false};
};

}  // namespace hardlimit::text
