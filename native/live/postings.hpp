// For each key the rows that have it, with its value there: chains in one pool, whose heads are in
// a table of open addressing. Adding and removing a row costs one look-up a key.
#pragma once
#include <vector>

#include "live/row.hpp"
#include "portability.hpp"
#include "text/hash.hpp"
#include "zeroed.hpp"

namespace hardlimit::live {

class Postings {
  public:
    // Adds a row's keys under the number of an item; `places` tells `remove` where they are.
    void add(std::uint32_t item, const Row &row, std::vector<std::uint32_t> &places) {
        make_room(row.keys.size());
        places.clear();
        each_slot(row, [&](std::size_t i, std::size_t at) {
            Slot &slot = slots_[at];
            if (!slot.key) {
                slot.key = row.keys[i] + 1;
                ++n_used_;
            }
            const std::uint32_t place = take();
            pool_[place] = {row.values[i], item, slot.head, 0};
            if (slot.head) pool_[slot.head].before = place;
            slot.head = place;
            places.push_back(place);
        });
    }

    void remove(const Row &row, const std::vector<std::uint32_t> &places) {
        each_slot(row, [&](std::size_t i, std::size_t at) {
            const Posting &gone = pool_[places[i]];
            if (gone.next) pool_[gone.next].before = gone.before;
            (gone.before ? pool_[gone.before].next : slots_[at].head) = gone.next;
            free_.push_back(places[i]);
        });
    }

    // see(item, value there, value in the row) for all that share a key with a row.
    template <class See>
    void meet(const Row &row, See &&see) const {
        each_slot(row, [&](std::size_t i, std::size_t at) {
            for (std::uint32_t place = slots_[at].head; place; place = pool_[place].next)
                see(pool_[place].item, pool_[place].value, row.values[i]);
        });
    }

  private:
    static constexpr std::size_t ahead = 12;  // keys asked of memory before their turn

    struct Slot {
        Key key;             // plus 1; 0 is free
        std::uint32_t head;  // 0: nobody has the key any more
    };
    struct Posting {
        double value;
        std::uint32_t item, next, before;
    };

    std::size_t home(Key key) const {
        return text::fold(key + 1, 0x9E3779B97F4A7C15) & (slots_.size() - 1);
    }
    std::size_t place_of(Key key) const {
        std::size_t i = home(key);
        while (slots_[i].key && slots_[i].key != key + 1) i = (i + 1) & (slots_.size() - 1);
        return i;
    }
    // work(number in the row, slot) for each key.
    template <class Work>
    void each_slot(const Row &row, Work &&work) const {
        const std::size_t n = row.keys.size();
        for (std::size_t i = 0; i < n; ++i) {
            if (i + ahead < n) prefetch(slots_.data() + home(row.keys[i + ahead]));
            work(i, place_of(row.keys[i]));
        }
    }
    // Keys that nobody has any more are left out when the table grows.
    void make_room(std::size_t n) {
        if (2 * (n_used_ + n) <= slots_.size()) return;
        std::size_t n_live = 0;
        for (std::size_t i = 0; i < slots_.size(); ++i) n_live += slots_[i].head != 0;
        std::size_t size = 64;
        while (size < 4 * (n_live + n)) size *= 2;
        Zeroed<Slot> before(size);
        before.swap(slots_);
        n_used_ = n_live;
        for (std::size_t i = 0; i < before.size(); ++i)
            if (before[i].head) slots_[place_of(before[i].key - 1)] = before[i];
    }
    std::uint32_t take() {
        if (free_.empty()) {
            pool_.emplace_back();
            return static_cast<std::uint32_t>(pool_.size() - 1);
        }
        const std::uint32_t place = free_.back();
        free_.pop_back();
        return place;
    }

    Zeroed<Slot> slots_ = Zeroed<Slot>(64);
    std::size_t n_used_ = 0;
    std::vector<Posting> pool_ = std::vector<Posting>(1);  // from 1 on
    std::vector<std::uint32_t> free_;
};

}  // namespace hardlimit::live
