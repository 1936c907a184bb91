#pragma once
#include "readouts/hypotheses.hpp"

namespace hardlimit {

// The corrections that made all hypotheses, for the vote: see votes.hpp.
class Voted final : public Readout {
  public:
    Voted(std::int64_t, std::uint64_t) {}

    void end_life(const State &, const Life &, const TrainingErrors &) override {}
    std::vector<LoggedCorrection> *correction_log() override { return &log_; }

  private:
    std::vector<LoggedCorrection> log_;
};

}  // namespace hardlimit
