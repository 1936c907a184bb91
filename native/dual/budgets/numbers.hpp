// What a budget remembers as a list of numbers, for copies and model files; read back with a check
// of each, because a file may say anything.
#pragma once
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace hardlimit {

using Written = std::vector<double>;

class Reader {
  public:
    Reader(const Written &from, std::int64_t n_examples, std::int64_t n_outputs,
           std::int64_t n_counters)
        : n_examples(n_examples), n_outputs(n_outputs), n_counters(n_counters), from_(from) {}

    double number() {
        if (at_ >= from_.size()) throw std::invalid_argument("the budget's numbers end too early");
        const double found = from_[at_++];
        if (!std::isfinite(found)) throw std::invalid_argument("a budget's number is not finite");
        return found;
    }

    std::int64_t whole(double least, double most) {
        const double found = number();
        if (!(found >= least && found <= most) || found != std::floor(found))
            throw std::invalid_argument("a budget's number is out of range");
        return static_cast<std::int64_t>(found);
    }

    // Of things that take at least one number each.
    std::size_t count() { return static_cast<std::size_t>(whole(0, left())); }
    std::int64_t example() { return whole(0, static_cast<double>(n_examples) - 1); }
    std::size_t counters() {
        return static_cast<std::size_t>(whole(0, static_cast<double>(n_counters)));
    }

    void end() const {
        if (at_ != from_.size()) throw std::invalid_argument("the budget has numbers left over");
    }

    const std::int64_t n_examples, n_outputs, n_counters;

  private:
    double left() const { return static_cast<double>(from_.size() - at_); }

    const Written &from_;
    std::size_t at_ = 0;
};

}  // namespace hardlimit
