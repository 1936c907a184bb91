#pragma once
#include "numeric/generator.hpp"
#include "readouts/record.hpp"

namespace hardlimit {

// One hypothesis, drawn by how long it lived.
class RandomHypothesis final : public RecordReadout {
  public:
    RandomHypothesis(std::int64_t n_counters, std::uint64_t seed)
        : RecordReadout(n_counters, 0), chance_(seed, ~std::uint64_t{0}) {}

    void end_life(const State &state, const Life &life, const TrainingErrors &) override {
        std::int64_t &lives = record(life.counter);  // all so far, added up
        lives += life.answered();
        if (static_cast<std::int64_t>(chance_.below(static_cast<std::uint64_t>(lives))) <
            life.answered())
            keep(state, life.counter);
    }

  private:
    Generator chance_;
};

}  // namespace hardlimit
