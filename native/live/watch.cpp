#include "live/watch.hpp"

#include <algorithm>
#include <cmath>

namespace hardlimit::live {

void Watch::compute(const Overlay &overlay, Item &item) {
    item.scores.resize(overlay.n_outputs());
    overlay.scores(item.row, item.scores.data());
    item.answer = static_cast<std::uint32_t>(overlay.decide(item.scores.data()));
}

std::uint32_t Watch::add(const Overlay &overlay, std::uint64_t number, const Row &row) {
    remove(number);
    if (free_.empty()) {
        free_.push_back(static_cast<std::uint32_t>(items_.size()));
        items_.emplace_back();
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    Item &item = items_[place];
    item = Item{};
    item.number = number;
    item.used = true;
    item.row = row;
    compute(overlay, item);
    places_[number] = place;
    postings_.add(place, item.row, item.postings);
    return item.answer;
}

void Watch::remove(std::uint64_t number) {
    const auto found = places_.find(number);
    if (found == places_.end()) return;
    const std::uint32_t place = found->second;
    postings_.remove(items_[place].row, items_[place].postings);
    items_[place] = Item{};
    free_.push_back(place);
    places_.erase(found);
}

void Watch::move(const Overlay &overlay, const Row &row, const std::vector<Step> &steps) {
    touched_.clear();
    postings_.meet(row, [&](std::uint32_t number, double there, double value) {
        Item &item = items_[number];
        if (!item.touched) touched_.push_back(number);
        item.touched = true;
        item.product += there * value;
    });
    for (const std::uint32_t place : touched_) {
        Item &item = items_[place];
        if (item.scores.size() == overlay.n_outputs())
            for (const Step &step : steps) {
                const std::size_t k = overlay.n_classes() <= 2 ? 0 : step.output;
                item.scores[k] += step.step * item.product;
            }
        item.product = 0;
        item.touched = false;
        moved_.push_back(place);
    }
}

bool Watch::may_have_changed(const Overlay &overlay, const Item &item) const {
    // Another number of classes: nothing of before is of use.
    if (item.scores.size() != overlay.n_outputs()) return true;
    double largest = 1;
    for (const double score : item.scores) largest = std::max(largest, std::abs(score));
    return !(overlay.margin(item.scores.data(), item.answer) > 1e-6 * largest);
}

std::vector<Watch::Change> Watch::changes(const Overlay &overlay) {
    std::sort(moved_.begin(), moved_.end());
    moved_.erase(std::unique(moved_.begin(), moved_.end()), moved_.end());
    std::vector<Change> changed;
    for (const std::uint32_t place : moved_) {
        Item &item = items_[place];
        if (!item.used || !may_have_changed(overlay, item)) continue;
        const std::uint32_t before = item.answer;
        compute(overlay, item);
        if (item.answer != before) changed.push_back({item.number, before, item.answer});
    }
    moved_.clear();
    return changed;
}

std::vector<Watch::Change> Watch::refresh(const Overlay &overlay) {
    moved_.clear();
    std::vector<Change> changed;
    for (Item &item : items_) {
        if (!item.used) continue;
        const std::uint32_t before = item.answer;
        compute(overlay, item);
        if (item.answer != before) changed.push_back({item.number, before, item.answer});
    }
    return changed;
}

}  // namespace hardlimit::live
