// Mixing with momentum: what a mixture of equal shares becomes where cells go on as they went. See
// engine/acceleration.py for the formulas.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "state/mixing.hpp"

namespace hardlimit {

class Acceleration {
  public:
    // deltas : of all shards, also of those that moved nothing here.
    // lead : of cells, ascending, how far they are ahead of the mixture before.
    // by_movers : whether moves are divided by sqrt(m n) and not by m, the number of shards.
    // momentum : what part of a cell's move it makes once more.    clock : of all shards together.
    Acceleration(const State &base, const std::vector<DeltaView> &deltas, const DeltaView &lead,
                 bool by_movers, double momentum, double clock)
        : base_(base),
          deltas_(deltas),
          n_shards_(static_cast<double>(deltas.size())),
          lead_(lead),
          by_movers_(by_movers),
          momentum_(momentum),
          clock_(clock),
          at_(deltas.size(), 0) {}

    // `mixed`, of equal shares, becomes the weights that shards begin at; the leads of its cells.
    std::vector<double> apply(Delta &mixed) {
        std::vector<double> leads(mixed.cells.size());
        for (std::size_t i = 0; i < mixed.cells.size(); ++i) {
            const std::int64_t cell = mixed.cells[i];
            if (i == 0 || cell >= first_ + width) look_at_block(cell / width * width);
            const auto j = static_cast<std::size_t>(cell - first_);
            const double before = before_[j], plain = mixed.w[i];
            const double movers = movers_[j];
            // What only lies in the sums of the average has not moved.
            const double moved = movers == 0 ? 0.0
                                 : movers == n_shards_ || !by_movers_
                                     ? plain - before
                                     : (plain - before) * std::sqrt(n_shards_ / movers);
            leads[i] = movers == 0 ? 0.0 : momentum_ * (moved + lead_of(cell));
            const double ahead = before + moved + leads[i];
            mixed.w[i] = ahead;
            if (base_.averaged) mixed.u[i] += clock_ * (ahead - plain);
        }
        return leads;
    }

  private:
    static constexpr std::int64_t width = 1 << 14;  // cells that are looked at together
    // Of a weight: what is less may be the rounding of steps that took each other back.
    static constexpr double least = 0x1p-32;

    // The weights before, and how many shards moved each cell.
    void look_at_block(std::int64_t first) {
        first_ = first;
        const std::int64_t outputs = base_.n_outputs,
                           end = std::min(first + width, (base_.n_columns + 1) * outputs);
        before_.assign(static_cast<std::size_t>(width), 0.0);
        for (std::int64_t column = first / outputs; column <= (end - 1) / outputs; ++column)
            base_.visit_column(column, [&](std::int64_t k, double w, double) {
                const std::int64_t cell = column * outputs + k;
                if (cell >= first && cell < end)
                    before_[static_cast<std::size_t>(cell - first)] = w;
            });
        movers_.assign(static_cast<std::size_t>(width), 0.0);
        for (std::size_t i = 0; i < deltas_.size(); ++i)
            for (; at_[i] < deltas_[i].size && deltas_[i].cells[at_[i]] < end; ++at_[i]) {
                const auto j = static_cast<std::size_t>(deltas_[i].cells[at_[i]] - first);
                if (std::abs(deltas_[i].w[at_[i]] - before_[j]) > least * std::abs(before_[j]))
                    movers_[j] += 1;
            }
    }

    double lead_of(std::int64_t cell) {
        if (at_lead_ == none)
            at_lead_ = static_cast<std::size_t>(
                std::lower_bound(lead_.cells, lead_.cells + lead_.size, cell) - lead_.cells);
        while (at_lead_ < lead_.size && lead_.cells[at_lead_] < cell) ++at_lead_;
        return at_lead_ < lead_.size && lead_.cells[at_lead_] == cell ? lead_.w[at_lead_] : 0.0;
    }

    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    const State &base_;
    const std::vector<DeltaView> &deltas_;
    double n_shards_;
    DeltaView lead_;
    bool by_movers_;
    double momentum_, clock_;
    std::vector<std::size_t> at_;
    std::size_t at_lead_ = none;
    std::int64_t first_ = 0;
    std::vector<double> before_, movers_;
};

}  // namespace hardlimit
