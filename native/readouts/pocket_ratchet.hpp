#pragma once
#include <limits>

#include "readouts/record.hpp"

namespace hardlimit {

// The pocket with ratchet: it must also err less on the whole training set.
class PocketRatchet final : public RecordReadout {
  public:
    PocketRatchet(std::int64_t n_counters, std::uint64_t)
        : RecordReadout(n_counters, 0),
          errors_(static_cast<std::size_t>(n_counters), std::numeric_limits<std::int64_t>::max()) {}

    void begin(const State &state) override {
        for (std::int64_t k = 0; k < state.n_counters(); ++k) keep(state, k);
    }

    void end_life(const State &state, const Life &life, const TrainingErrors &training) override {
        if (life.run() <= record(life.counter)) return;
        std::int64_t &best = errors_[static_cast<std::size_t>(life.counter)];
        const std::int64_t errors = training.count(life.counter, best);
        if (errors >= best) return;
        best = errors;
        // As if it had been asked while it lived: at the first run beyond the record, once.
        ++record(life.counter);
        keep(state, life.counter);
    }

  private:
    std::vector<std::int64_t> errors_;  // of the best so far, per counter
};

}  // namespace hardlimit
