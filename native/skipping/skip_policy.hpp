// Whether skipping pays: decided by counting what was done, never by a clock, so that every machine
// decides alike.
//
// All in passes: one is what it costs to visit every row once. An anchor costs a pass. Rows come
// within its reach one by one, so that the cost of an epoch grows; the mean cost since the
// anchor, itself included, is least when an epoch costs as much as the mean: then a new
// anchor is due. Where it does not pay, it is tried again after twice as many epochs. All tries
// together are paid from a small share of the epochs planned, or made, and from what was saved.
#pragma once
#include <algorithm>
#include <cstdint>

namespace hardlimit {

enum class Advice { go_on, renew, leave };

class SkipPolicy {
  public:
    // `planned`: epochs that will certainly be run; 0 where nobody knows.
    SkipPolicy(bool always, std::int64_t planned)
        : always_(always), planned_(static_cast<double>(planned)), credit_(ahead * planned_) {}

    // An epoch without bounds went by, if one did: whether to set an anchor at that price.
    bool may_try(double price) {
        if (always_) return true;
        return done_ >= next_try_ && credit_ >= price;
    }

    // Whether finer bounds, at a price paid once, are likely to be worth it.
    bool may_refine(double price) const {
        if (always_) return done_ >= 3;
        const double left = planned_ > 0 ? planned_ - done_ : done_;
        return done_ >= 4 && credit_ >= price && left * (mean_ - hoped) > 2 * price;
    }

    // An anchor is set; what is paid beyond a pass is paid once, whatever comes of it.
    void paid(double price) {
        spent_ = 1;
        epochs_ = 0;
        credit_ -= price;
    }

    void count_full_epoch() { count(1); }

    // An epoch with bounds went by at that cost.
    Advice after(double cost) {
        count(cost);
        ++epochs_;
        spent_ += cost;
        mean_ = std::min(1.0, spent_ / epochs_);
        if (cost <= mean_ && (always_ || cost <= worth)) return Advice::go_on;
        if (!always_ && mean_ > worth) {
            next_try_ = 2 * done_;
            return Advice::leave;
        }
        return Advice::renew;
    }

  private:
    static constexpr double allowance = 0.04,
                            ahead = 0.03;              // shares of epochs, the latter of plans
    static constexpr double worth = 0.9, hoped = 0.2;  // of a pass

    void count(double cost) {
        ++done_;
        credit_ += 1 - cost + (done_ > planned_ ? allowance : allowance - ahead);
    }

    bool always_;
    double planned_, credit_;
    double done_ = 0, next_try_ = 2;
    double spent_ = 0, epochs_ = 0;  // since the last anchor
    double mean_ = 1;                // cost of an epoch, the last anchor included
};

}  // namespace hardlimit
