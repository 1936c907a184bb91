// Rows whose answers are followed: remembered texts, and guards.
//
// A correction is a few rows times steps. The scores of the rows that share a column with it are
// moved approximately, by the products of rows; where the answer could have changed, it is computed
// again as predictions are.
#pragma once
#include <unordered_map>
#include <vector>

#include "live/overlay.hpp"
#include "live/postings.hpp"

namespace hardlimit::live {

class Watch {
  public:
    struct Change {
        std::uint64_t number;
        std::uint32_t before, after;
    };

    // Follows a row under a number; returns the class of now. One that is there is replaced.
    std::uint32_t add(const Overlay &overlay, std::uint64_t number, const Row &row);
    void remove(std::uint64_t number);
    std::size_t size() const { return places_.size(); }
    // After `overlay` was moved by these steps: whose answer changed.
    void move(const Overlay &overlay, const Row &row, const std::vector<Step> &steps);
    std::vector<Change> changes(const Overlay &overlay);
    // All anew, after anything else.
    std::vector<Change> refresh(const Overlay &overlay);

  private:
    struct Item {
        std::uint64_t number = 0;
        bool used = false, touched = false;
        std::uint32_t answer = 0;
        double product = 0;
        Row row;
        std::vector<double> scores;
        std::vector<std::uint32_t> postings;
    };
    void compute(const Overlay &overlay, Item &item);
    bool may_have_changed(const Overlay &overlay, const Item &item) const;

    std::vector<Item> items_;
    std::vector<std::uint32_t> free_, touched_, moved_;
    std::unordered_map<std::uint64_t, std::uint32_t> places_;
    Postings postings_;
};

}  // namespace hardlimit::live
