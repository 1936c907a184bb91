#pragma once
#include "readouts/record.hpp"

namespace hardlimit {

// The hypothesis with the longest run of right presentations.
class Pocket final : public RecordReadout {
  public:
    Pocket(std::int64_t n_counters, std::uint64_t) : RecordReadout(n_counters, -1) {}

    void end_life(const State &state, const Life &life, const TrainingErrors &) override {
        if (life.run() <= record(life.counter)) return;
        record(life.counter) = life.run();
        keep(state, life.counter);
    }
};

}  // namespace hardlimit
