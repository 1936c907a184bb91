// A map from keys to the weights of a few outputs: open addressing. A key that has one output, as
// all have between two classes, has its weight in its slot; of several they are runs of cells in
// one pool.
#pragma once
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "live/row.hpp"
#include "portability.hpp"
#include "text/hash.hpp"
#include "zeroed.hpp"

namespace hardlimit::live {

inline constexpr std::uint64_t most_outputs = std::uint64_t(1) << 28;

struct Cell {
    std::uint32_t output;
    double value;
};

class Cells {
  public:
    Cells() : slots_(64) {}

    void prefetch_key(Key key) const { prefetch(slots_.data() + home(key)); }

    // Where the key's slot has come: what it points to.
    void prefetch_cells(Key key) const {
        if (pool_.empty()) return;
        const Slot &slot = slots_[home(key)];
        if (slot.tag & several) prefetch(pool_.data() + slot.first());
    }

    // see(output, value) for the cells of a key, in the order in which they were made.
    template <class See>
    HARDLIMIT_INLINE void visit(Key key, See &&see) const {
        visit_slot(slots_[place(key)], see);
    }

    // The cell of a key and an output; a new one is 0.
    double &at(Key key, std::uint32_t output) {
        if (2 * (n_keys_ + 1) > slots_.size()) grow();
        Slot &slot = slots_[place(key)];
        if (!slot.tag) {
            n_outputs_ = std::max(n_outputs_, output + std::size_t(1));
            slot.tag = (key + 1) | Key(output) << key_bits;
            ++n_keys_;
            return slot.value;
        }
        if (!(slot.tag & several)) {
            if (slot.output() == output) return slot.value;
            spill(slot);
        }
        for (std::uint32_t i = 0; i < slot.size(); ++i)
            if (pool_[slot.first() + i].output == output) return pool_[slot.first() + i].value;
        return append(slot, output);
    }

    // act(i, cell) for the outputs of steps[i] and one key, in their order.
    template <class Act>
    void at_each(Key key, const std::vector<Step> &steps, Act &&act) {
        std::size_t end = n_outputs_;
        for (const Step &step : steps) end = std::max(end, step.output + std::size_t(1));
        if (steps.size() <= few || end > many)
            for (std::size_t i = 0; i < steps.size(); ++i) act(i, at(key, steps[i].output));
        else
            at_each_of_many(key, steps, end, act);
    }

    // see(key, output, value) for all, in no order.
    template <class See>
    void each(See &&see) const {
        for (std::size_t i = 0; i < slots_.size(); ++i)
            visit_slot(slots_[i], [&](std::uint32_t output, double value) {
                see(slots_[i].key() - 1, output, value);
            });
    }

    void clear() { *this = Cells(); }

  private:
    // Up to so many outputs are looked up one by one; above so many there are too many to count.
    static constexpr std::size_t few = 8, many = std::size_t(1) << 22;
    static constexpr int key_bits = 35;  // of a key plus 1: see row.hpp
    static_assert(most_outputs == Key(1) << (63 - key_bits) && of_bias < Key(1) << (key_bits - 1));
    static constexpr Key of_key = (Key(1) << key_bits) - 1, several = Key(1) << 63;

    // Key plus 1 (0 is a free slot), the output above, and whether there are several. Those are in
    // the pool: where, and how many, in place of the value.
    struct Slot {
        Key tag;
        double value;

        Key key() const { return tag & of_key; }
        std::uint32_t output() const { return static_cast<std::uint32_t>(tag >> key_bits); }
        std::uint32_t first() const {
            return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value));
        }
        std::uint32_t size() const {
            return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value) >> 32);
        }
        void set_run(std::size_t first, std::uint32_t size) {
            value = std::bit_cast<double>(std::uint64_t(size) << 32 | first);
        }
    };

    std::size_t home(Key key) const {
        return text::fold(key + 1, 0x9E3779B97F4A7C15) & (slots_.size() - 1);
    }
    HARDLIMIT_INLINE std::size_t place(Key key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = home(key);
        while (slots_[i].tag && slots_[i].key() != key + 1) i = (i + 1) & mask;
        return i;
    }
    template <class See>
    HARDLIMIT_INLINE void visit_slot(const Slot &slot, See &&see) const {
        if (!slot.tag) return;
        if (!(slot.tag & several)) return see(slot.output(), slot.value);
        for (std::uint32_t i = 0; i < slot.size(); ++i) {
            const Cell &cell = pool_[slot.first() + i];
            see(cell.output, cell.value);
        }
    }
    void grow() {
        Zeroed<Slot> before(2 * slots_.size());
        before.swap(slots_);
        for (std::size_t i = 0; i < before.size(); ++i)
            if (before[i].tag) slots_[place(before[i].key() - 1)] = before[i];
    }
    void spill(Slot &slot) {
        const Cell only{slot.output(), slot.value};
        const std::size_t first = make_room(1);
        pool_[first] = only;
        slot.tag = slot.key() | several;
        slot.set_run(first, 1);
    }
    // One look at the run of the key, which may have as many cells as there are outputs, in place
    // of one for each output.
    template <class Act>
    void at_each_of_many(Key key, const std::vector<Step> &steps, std::size_t end, Act &&act) {
        at(key, steps[0].output);
        Slot &slot = slots_[place(key)];
        if (!(slot.tag & several)) spill(slot);
        if (numbers_.size() < end) numbers_.resize(end);
        for (std::uint32_t i = 0; i < slot.size(); ++i)
            numbers_[pool_[slot.first() + i].output] = i + 1;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            std::uint32_t &number = numbers_[steps[i].output];
            if (!number) {
                append(slot, steps[i].output);
                number = slot.size();
            }
            act(i, pool_[slot.first() + number - 1].value);
        }
        for (std::uint32_t i = 0; i < slot.size(); ++i)
            numbers_[pool_[slot.first() + i].output] = 0;
    }
    std::size_t make_room(std::size_t size) {
        if (pool_.size() + size > 0xFFFFFFFF)
            throw std::length_error("corrections: more than 2^32 weights were moved");
        const std::size_t first = pool_.size();
        pool_.resize(first + size, Cell{0, 0});
        return first;
    }
    // A run has room for the next power of two; beyond it, it moves to the end of the pool.
    double &append(Slot &slot, std::uint32_t output) {
        const std::uint32_t size = slot.size();
        if ((size & (size - 1)) == 0) {
            const std::size_t first = make_room(2 * std::size_t(size));
            std::copy_n(pool_.begin() + slot.first(), size,
                        pool_.begin() + static_cast<std::ptrdiff_t>(first));
            slot.set_run(first, size);
        }
        n_outputs_ = std::max(n_outputs_, output + std::size_t(1));
        Cell &cell = pool_[slot.first() + size];
        slot.set_run(slot.first(), size + 1);
        cell = {output, 0};
        return cell.value;
    }

    Zeroed<Slot> slots_;
    std::vector<Cell> pool_;
    std::size_t n_keys_ = 0, n_outputs_ = 0;  // one more than the largest output of a cell
    std::vector<std::uint32_t> numbers_;      // by output: of its cell in a run, from 1; else zeros
};

}  // namespace hardlimit::live
