// Budgets that take back the oldest correction, or any, or make no more.
#pragma once
#include "dual/budgets/entries.hpp"
#include "numeric/generator.hpp"

namespace hardlimit {

class RemoveOldest final : public Counted {
  public:
    using Counted::Counted;

  protected:
    void make_room(DualLearner &learner, std::int64_t counter) override {
        entries_.drop(learner, counter, 0);
    }
};

// Removal m draws from the stream (seed, m), so that a fit and a stream make the same draws.
class RandomRemoval final : public Counted {
  public:
    RandomRemoval(std::size_t size, std::uint64_t seed) : Counted(size), seed_(seed) {}

    // The seed in two halves, each of which a double holds.
    void write(Written &to) const override {
        Counted::write(to);
        for (const std::uint64_t number : {seed_ >> 32, seed_ & 0xffffffff, removals_})
            to.push_back(static_cast<double>(number));
    }

    void read(Reader &from) override {
        Counted::read(from);
        const auto half = [&] { return static_cast<std::uint64_t>(from.whole(0, 4294967295.0)); };
        seed_ = half() << 32;
        seed_ |= half();
        removals_ = static_cast<std::uint64_t>(from.whole(0, 9007199254740992.0));
    }

  protected:
    void make_room(DualLearner &learner, std::int64_t counter) override {
        Generator generator(seed_, removals_++);
        entries_.drop(learner, counter, static_cast<std::size_t>(generator.below(size_)));
    }

  private:
    std::uint64_t seed_, removals_ = 0;
};

class Stoptron final : public Counted {
  public:
    using Counted::Counted;

    bool takes(DualLearner &, std::int64_t, std::int64_t counter, const Scalars &, const Moves &,
               double &) override {
        return entries_.of(counter).size() < size_;
    }

  protected:
    void make_room(DualLearner &, std::int64_t) override {}
};

}  // namespace hardlimit
