// Learning the terms of documents by several threads: numbered as by one.
//
// Each table of the vocabulary belongs to a stage, which meets the documents in their order, so
// that terms get the numbers that one thread gives them, and nothing is done twice. Columns are
// numbered over all tables, which no stage sees alone: a new term has a provisional one at first,
// and the last stage with a table goes through the columns of all in the order of one thread and
// gives the final ones. Cutting texts into words before, and sorting columns into rows after, know
// no order and are left to as many threads as there are.
#pragma once
#include <functional>

#include "pipeline.hpp"
#include "text/crew.hpp"
#include "text/new_columns.hpp"
#include "text/unit.hpp"
#include "text/vocabulary.hpp"

namespace hardlimit::text {

class LearningLine {
  public:
    // All documents of the units together have so many bytes, in lower case.
    LearningLine(Vocabulary &all, const Settings &settings, Crew &crew,
                 const std::vector<Documents> &units, std::size_t n_bytes);

    // Learns the units; `add` gets them with their rows, in their order. Returns how many were
    // learnt: all, or those before the one for which the vocabulary is too small. Where it throws,
    // what was added is learnt.
    std::size_t run(const std::function<void(const Unit &)> &add);

  private:
    struct Full {};
    static constexpr std::size_t block_size = 256;  // that of Walk, in whose order columns are

    void work(std::size_t stage, std::size_t unit, std::size_t worker);
    void cut_words(Unit &unit) const;
    void find_words(Unit &unit, Pause pause);
    void find_chars(Unit &unit, Pause pause);
    void find_grams(Unit &unit, std::size_t level, Pause pause);
    template <class NewColumn>
    void find_grams_of(Unit &unit, std::size_t level, std::size_t first, std::size_t end,
                       NewColumn &&new_column);
    void number(Unit &unit, Pause pause);
    void number_new(NewColumns &of_table, const Columns &met, std::size_t first, std::size_t end,
                    Block block);
    void make_rows(Unit &unit) const;
    void settle(Team *team) noexcept;
    template <class Give>
    void settle_table(Team *team, std::size_t n_new, Give &&give) noexcept;
    void settle_strings(Team *team, StringTable &table, std::size_t before,
                        const NewColumns &columns) noexcept;

    // Levels are n-grams of 1, 2, ... words, from 0 on.
    bool has_columns(std::size_t level) const {
        return static_cast<int>(level) + 1 >= all_.first_level;
    }

    Vocabulary &all_;
    const Settings &settings_;
    Crew &crew_;
    const std::vector<Documents> &units_;
    std::deque<Unit> &open_;
    const std::size_t n_levels_, n_stages_;
    // By level; of the last one only where it is the first.
    std::vector<NewColumns> of_words_;
    std::vector<std::size_t> n_new_words_;
    std::vector<Growing<std::uint64_t>> new_keys_;
    NewColumns of_runs_, of_chars_;
    std::size_t n_new_runs_ = 0, n_new_chars_ = 0;
    const std::vector<std::size_t> before_;  // sizes of the vocabulary
    std::vector<std::size_t> learnt_;
    const std::function<void(const Unit &)> *add_ = nullptr;
};

}  // namespace hardlimit::text
