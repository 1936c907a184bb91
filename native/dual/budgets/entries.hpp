// Corrections that are held, each with what it added, and how one is taken back.
#pragma once
#include <algorithm>
#include <vector>

#include "dual/dual.hpp"

namespace hardlimit {

// Coefficients are of w; the learner's are of v, with w = shrinkage * v.
struct Entry {
    std::int64_t example;
    double tau;
    Moves moves;
};

// A memory for each counter, the oldest first.
class Entries {
  public:
    std::vector<Entry> &of(std::int64_t counter) {
        const auto at = static_cast<std::size_t>(counter);
        if (at >= held_.size()) held_.resize(at + 1);
        return held_[at];
    }

    // Takes an entry back. An example that no entry holds any more counts exactly nothing.
    void drop(DualLearner &learner, std::int64_t counter, std::size_t position) {
        std::vector<Entry> &entries = of(counter);
        const Entry gone = entries[position];
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(position));
        const double shrinkage = learner.state().counter(counter).shrinkage;
        for (int m = 0; m < gone.moves.count; ++m)
            learner.add_at(gone.example, counter, gone.moves.share[m].output,
                           -gone.tau / shrinkage * gone.moves.share[m].sign);
        if (!holds(entries, gone.example)) learner.clear(gone.example, counter);
        if (std::none_of(held_.begin(), held_.end(), [&](const std::vector<Entry> &of_counter) {
                return holds(of_counter, gone.example);
            }))
            learner.release(gone.example);
    }

    // Example i is from now on the one that stands at i's place in `examples`.
    void renumber(const std::vector<std::int64_t> &examples) {
        for (std::vector<Entry> &entries : held_)
            for (Entry &entry : entries)
                entry.example =
                    std::find(examples.begin(), examples.end(), entry.example) - examples.begin();
    }

    void write(Written &to) const {
        to.push_back(static_cast<double>(held_.size()));
        for (const std::vector<Entry> &entries : held_) {
            to.push_back(static_cast<double>(entries.size()));
            for (const Entry &entry : entries) {
                to.push_back(static_cast<double>(entry.example));
                to.push_back(entry.tau);
                to.push_back(entry.moves.count);
                for (int m = 0; m < entry.moves.count; ++m) {
                    to.push_back(static_cast<double>(entry.moves.share[m].output));
                    to.push_back(entry.moves.share[m].sign > 0);
                }
            }
        }
    }

    void read(Reader &from) {
        held_.assign(from.counters(), {});
        for (std::vector<Entry> &entries : held_)
            for (std::size_t n = from.count(); n > 0; --n) {
                Entry entry{from.example(), from.number(), {}};
                entry.moves.count = static_cast<int>(from.whole(1, 2));
                for (int m = 0; m < entry.moves.count; ++m) {
                    const auto most = static_cast<double>(from.n_outputs) - 1;
                    entry.moves.share[m].output = from.whole(0, most);
                    entry.moves.share[m].sign = from.whole(0, 1) ? 1 : -1;
                }
                entries.push_back(entry);
            }
    }

  private:
    static bool holds(const std::vector<Entry> &entries, std::int64_t example) {
        return std::any_of(entries.begin(), entries.end(),
                           [&](const Entry &entry) { return entry.example == example; });
    }

    std::vector<std::vector<Entry>> held_;
};

// Base of the budgets that hold so many entries.
class Counted : public Holding {
  public:
    explicit Counted(std::size_t size) : size_(size) {}

    void add(DualLearner &learner, std::int64_t example, std::int64_t counter, double tau,
             const Moves &moves) override {
        if (entries_.of(counter).size() >= size_) make_room(learner, counter);
        enter(learner, example, counter, tau, moves);
    }

    void renumber(const std::vector<std::int64_t> &examples) override {
        entries_.renumber(examples);
    }

    void write(Written &to) const override { entries_.write(to); }
    void read(Reader &from) override { entries_.read(from); }

  protected:
    virtual void make_room(DualLearner &learner, std::int64_t counter) = 0;

    void enter(DualLearner &learner, std::int64_t example, std::int64_t counter, double tau,
               const Moves &moves) {
        const double shrinkage = learner.state().counter(counter).shrinkage;
        entries_.of(counter).push_back({example, tau * shrinkage, moves});
        learner.hold(example, counter, tau, moves);
    }

    std::size_t size_;
    Entries entries_;
};

}  // namespace hardlimit
