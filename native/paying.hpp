// Whether skipping pays: decided by counting what was done, never by a clock, so that every machine
// decides alike.
//
// All in passes: one is what it costs to visit every row once. A checkpoint costs a pass. Rows come
// within its reach one by one, so that the cost of an epoch grows; the mean cost since the
// checkpoint, itself included, is least when an epoch costs as much as the mean: then a new
// checkpoint is due.
#pragma once

namespace hardlimit {

enum class Advice { go_on, renew, leave };

class Paying {
  public:
    // Where not always, tries are paid from a share of what was done and from what was saved.
    explicit Paying(bool always) : always_(always) {}

    // An epoch without bounds went by: whether to set a checkpoint at that price.
    bool may_try(double price) {
        credit_ += allowance;
        return always_ || credit_ >= price * caution_;
    }

    void paid(double price) {
        spent_ = price;
        epochs_ = 0;
        credit_ -= price;
    }

    // An epoch with bounds went by at that cost.
    Advice after(double cost) {
        ++epochs_;
        spent_ += cost;
        credit_ += 1 + allowance - cost;
        const double mean = spent_ / epochs_;
        if (cost <= worth && cost <= mean) return Advice::go_on;
        if (!always_ && mean > worth) {
            caution_ *= 2;
            return Advice::leave;
        }
        caution_ = 1;
        return Advice::renew;
    }

  private:
    static constexpr double allowance = 0.04, worth = 0.9;
    bool always_;
    double credit_ = 0, caution_ = 1, spent_ = 0, epochs_ = 0;
};

}  // namespace hardlimit
