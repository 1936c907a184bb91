// A hypothesis that is kept because it holds a record, for each counter.
#pragma once
#include "readouts/hypotheses.hpp"
#include "state/state.hpp"

namespace hardlimit {

class RecordReadout : public Readout {
  public:
    RecordReadout(std::int64_t n_counters, std::int64_t first)
        : record_(static_cast<std::size_t>(n_counters), first) {}

    const Zeroed<double> *weights() const override { return &w_; }

  protected:
    std::int64_t &record(std::int64_t counter) {
        return record_[static_cast<std::size_t>(counter)];
    }

    void keep(const State &state, std::int64_t counter) {
        if (w_.empty()) w_.resize(state.w.size());
        const double shrinkage = state.counter(counter).shrinkage;
        for (std::int64_t c = 0; c <= state.n_columns; ++c)
            for (std::int64_t k = state.first_of(counter); k < state.end_of(counter); ++k) {
                const auto j = static_cast<std::size_t>(c * state.n_outputs + k);
                w_[j] = shrinkage * state.w[j];
            }
    }

  private:
    Zeroed<double> w_;
    std::vector<std::int64_t> record_;
};

}  // namespace hardlimit
