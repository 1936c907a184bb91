// Several threads that count the features of a batch, and what they keep from batch to batch.
#pragma once
#include <deque>
#include <memory>
#include <span>

#include "team.hpp"
#include "text/buckets.hpp"
#include "text/lowered.hpp"
#include "text/pause.hpp"
#include "text/rows.hpp"
#include "text/unit.hpp"

namespace hardlimit::text {

// Contiguous parts of about equal cost, `most` of them at most, of `least_bytes` or more.
std::vector<Documents> cut(Documents documents, std::size_t most, std::size_t least_bytes);

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
    std::deque<Rows> &fresh_rows(std::size_t n) {
        for (Rows &rows : rows_) rows.clear();
        while (rows_.size() < n) rows_.emplace_back();
        return rows_;
    }

    // A few more than there are threads, so that none waits for another to end one.
    std::deque<Unit> &units() {
        units_.resize(3 + team.n_workers());
        return units_;
    }

    std::deque<FoundNames> &fresh_names(std::size_t n, int bits, const BucketNames &known) {
        for (FoundNames &names : names_) names.clear();
        while (names_.size() < n) names_.emplace_back(bits, known);
        return names_;
    }

    Team &team;
    const std::size_t least_bytes;

  private:
    static constexpr std::size_t parts_per_worker = 4;

    std::deque<Unit> units_;
    std::deque<Rows> rows_;
    std::deque<FoundNames> names_;
};

}  // namespace hardlimit::text
