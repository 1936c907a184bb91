#pragma once
#include "readouts/record.hpp"

namespace hardlimit {

// The hypothesis with the longest life.
class Longest final : public RecordReadout {
  public:
    Longest(std::int64_t n_counters, std::uint64_t) : RecordReadout(n_counters, -1) {}

    void end_life(const State &state, const Life &life, const TrainingErrors &) override {
        if (life.length() <= record(life.counter)) return;
        record(life.counter) = life.length();
        keep(state, life.counter);
    }
};

}  // namespace hardlimit
