// What columns held before corrections touched them, so that an epoch can be taken back.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "zeroed.hpp"

namespace hardlimit {

class Before {
  public:
    // n_columns : with the bias.
    explicit Before(std::int64_t n_columns)
        : seen_(static_cast<std::size_t>(n_columns) / bits + 1, 0),
          number_(static_cast<std::size_t>(n_columns)) {}

    // Whether the column is touched for the first time: then `add` gets what it holds.
    bool touch(std::int64_t column) {
        const auto c = static_cast<std::size_t>(column);
        const std::uint64_t bit = std::uint64_t{1} << (c % bits);
        if (seen_[c / bits] & bit) return false;
        seen_[c / bits] |= bit;
        number_[c] = static_cast<std::uint32_t>(starts_.size());
        starts_.push_back(w_.size());
        return true;
    }
    void add(std::int64_t output, double w, double u) {
        outputs_.push_back(static_cast<std::uint32_t>(output));
        w_.push_back(w);
        u_.push_back(u);
    }

    std::size_t n_touched() const { return starts_.size(); }
    std::size_t n_cells() const { return w_.size(); }

    // see(column) for the touched ones, ascending.
    template <class See>
    void visit_touched(See see) const {
        for (std::size_t word = 0; word < seen_.size(); ++word)
            for (std::uint64_t rest = seen_[word]; rest; rest &= rest - 1)
                see(static_cast<std::int64_t>(word * bits) + std::countr_zero(rest));
    }
    // see(output, w, u) for what a touched column held.
    template <class See>
    void visit(std::int64_t column, See see) const {
        const std::size_t number = number_[static_cast<std::size_t>(column)];
        const std::size_t end = number + 1 < starts_.size() ? starts_[number + 1] : w_.size();
        for (std::size_t j = starts_[number]; j < end; ++j) see(outputs_[j], w_[j], u_[j]);
    }

    // As new, in the memory that is there.
    void clear() {
        std::fill(seen_.begin(), seen_.end(), 0);
        starts_.clear();
        outputs_.clear();
        w_.clear();
        u_.clear();
    }

  private:
    static constexpr std::size_t bits = 64;

    std::vector<std::uint64_t> seen_;  // a bit a column
    Zeroed<std::uint32_t> number_;     // of a touched column, in the order of touching
    std::vector<std::size_t> starts_;
    std::vector<std::uint32_t> outputs_;
    std::vector<double> w_, u_;
};

}  // namespace hardlimit
