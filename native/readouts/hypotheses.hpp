// Hypotheses that pass by and may answer later. A read-out is an object that is told of every end
// of a hypothesis's life; each has a file of its own, and a line in registry.cpp.
//
// A hypothesis is looked at once, when its life ends, and copied only when it then breaks a record.
// Presentations count from 1; a hypothesis born at presentation b (0 for the weights at the start)
// answers after each of the presentations b .. d-1 when it dies at d.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "zeroed.hpp"

namespace hardlimit {

struct State;

// The life of a hypothesis that now ends.
struct Life {
    std::int64_t counter, born, end;

    // How many presentations it answered.
    std::int64_t answered() const { return end - born; }
    // How many of them rightly, one after the other.
    std::int64_t run() const { return end - 1 - born; }
    // A vector that was corrected into being counts that presentation, the one at the start not.
    std::int64_t length() const { return end - (born > 1 ? born : 1); }
};

// Counts mistakes over the whole training set, for a read-out that asks.
class TrainingErrors {
  public:
    virtual ~TrainingErrors() = default;
    // At the present weights, for one counter; no further than `enough` of them.
    virtual std::int64_t count(std::int64_t counter, std::int64_t enough) const = 0;
};

// A correction as it is logged for the vote: minus is -1 where one output moved alone.
struct LoggedCorrection {
    std::int64_t row, presentation;
    std::int32_t counter, plus, minus;
    double tau, shrink;
};

class Readout {
  public:
    virtual ~Readout() = default;
    // Before the first presentation.
    virtual void begin(const State &) {}
    // The weights are still those of the hypothesis whose life ends.
    virtual void end_life(const State &state, const Life &life, const TrainingErrors &errors) = 0;
    // The weights of the hypothesis that was kept, if one was.
    virtual const Zeroed<double> *weights() const { return nullptr; }
    // Where the corrections are to be logged, if they are.
    virtual std::vector<LoggedCorrection> *correction_log() { return nullptr; }
};

// Makes the read-out of that name, or null where there is none.
std::unique_ptr<Readout> make_readout(const std::string &name, std::int64_t n_counters,
                                      std::uint64_t seed);

// All of them, as a sentence names them.
std::string readout_names();

// All read-outs that are kept during a fit.
class Hypotheses {
  public:
    explicit Hypotheses(std::int64_t n_counters) : born_(static_cast<std::size_t>(n_counters), 0) {}

    void add(const std::string &name, std::unique_ptr<Readout> readout) {
        if (auto *log = readout->correction_log()) log_ = log;
        readouts_.emplace_back(name, std::move(readout));
    }

    void begin(const State &state) {
        for (auto &[name, readout] : readouts_) readout->begin(state);
    }

    // The present hypothesis of this counter dies at presentation `now`.
    void end_life(const State &state, std::int64_t counter, std::int64_t now,
                  const TrainingErrors &errors) {
        std::int64_t &born = born_[static_cast<std::size_t>(counter)];
        const Life life{counter, born, now};
        for (auto &[name, readout] : readouts_) readout->end_life(state, life, errors);
        born = now;
    }

    // Null where none of that name is kept.
    const Readout *find(const std::string &name) const {
        for (const auto &[known, readout] : readouts_)
            if (known == name) return readout.get();
        return nullptr;
    }

    std::vector<LoggedCorrection> *correction_log() { return log_; }
    const std::vector<LoggedCorrection> *correction_log() const { return log_; }

  private:
    std::vector<std::pair<std::string, std::unique_ptr<Readout>>> readouts_;
    std::vector<std::int64_t> born_;
    std::vector<LoggedCorrection> *log_ = nullptr;
};

}  // namespace hardlimit
