// Several threads that count the features of a batch, and what they keep from batch to batch.
#pragma once
#include <deque>
#include <memory>
#include <span>

#include "team.hpp"
#include "text/rows.hpp"
#include "text/vocabulary_run.hpp"

namespace hardlimit::text {

// Contiguous parts of about equal cost, `most` of them at most, of `least_bytes` or more. The first
// may be smaller than the others by that factor.
std::vector<Documents> cut(Documents documents, std::size_t most, std::size_t least_bytes,
                           double first_share = 1);

class Crew {
  public:
    // Texts of fewer bytes are not worth a thread.
    explicit Crew(Team &team, std::size_t least_bytes) : team(team), least_bytes(least_bytes) {}

    // The parts of a batch: several for each worker, so that all are done at about one time.
    std::vector<Documents> cut(Documents documents) const {
        const std::size_t n = team.n_workers();
        return text::cut(documents, n == 1 ? 1 : n * parts_per_worker, least_bytes);
    }

    Pause pause(std::size_t worker) {
        if (!worker) return Pause([this] { team.look(); });
        return Pause([this] { team.leave_if_stopped(); });
    }

    // So many of them, empty, in the memory of the batch before.
    std::deque<VocabularyRun> &fresh_runs(std::size_t n, const Settings &settings) {
        for (VocabularyRun &run : runs_) run.clear();
        while (runs_.size() < n) runs_.emplace_back(settings);
        return runs_;
    }
    std::deque<Rows> &fresh_rows(std::size_t n) {
        for (Rows &rows : rows_) rows.clear();
        while (rows_.size() < n) rows_.emplace_back();
        return rows_;
    }

    Team &team;
    const std::size_t least_bytes;

  private:
    static constexpr std::size_t parts_per_worker = 4;

    std::deque<VocabularyRun> runs_;
    std::deque<Rows> rows_;
};

}  // namespace hardlimit::text
