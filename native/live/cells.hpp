// A map from keys to the weights of a few outputs: open addressing, and runs of cells in one pool.
#pragma once
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "live/row.hpp"
#include "portability.hpp"
#include "text/hash.hpp"

namespace hardlimit::live {

struct Cell {
    std::uint32_t output;
    double value;
};

class Cells {
  public:
    Cells() : slots_(64) {}

    void prefetch_key(Key key) const { prefetch(slots_.data() + home(key)); }

    // Where the key's slot has come: what it points to.
    void prefetch_cells(Key key) const { prefetch(pool_.data() + slots_[home(key)].first); }

    // see(output, value) for the cells of a key, in the order in which they were made.
    template <class See>
    HARDLIMIT_INLINE void visit(Key key, See &&see) const {
        const Slot &slot = slots_[place(key)];
        for (std::uint32_t i = 0; i < slot.size; ++i) {
            const Cell &cell = pool_[slot.first + i];
            see(cell.output, cell.value);
        }
    }

    // The cell of a key and an output; a new one is 0.
    double &at(Key key, std::uint32_t output) {
        if (2 * (n_keys_ + 1) > slots_.size()) grow();
        Slot &slot = slots_[place(key)];
        if (!slot.key) {
            slot.key = key + 1;
            ++n_keys_;
        }
        for (std::uint32_t i = 0; i < slot.size; ++i)
            if (pool_[slot.first + i].output == output) return pool_[slot.first + i].value;
        return append(slot, output);
    }

    // see(key, output, value) for all, in no order.
    template <class See>
    void each(See &&see) const {
        for (const Slot &slot : slots_)
            for (std::uint32_t i = 0; i < slot.size; ++i)
                see(slot.key - 1, pool_[slot.first + i].output, pool_[slot.first + i].value);
    }

    void clear() { *this = Cells(); }

  private:
    struct Slot {
        Key key = 0;  // plus 1; 0 is free
        std::uint32_t first = 0, size = 0;
    };

    std::size_t home(Key key) const {
        return text::fold(key + 1, 0x9E3779B97F4A7C15) & (slots_.size() - 1);
    }
    HARDLIMIT_INLINE std::size_t place(Key key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = home(key);
        while (slots_[i].key && slots_[i].key != key + 1) i = (i + 1) & mask;
        return i;
    }
    void grow() {
        std::vector<Slot> before(2 * slots_.size());
        before.swap(slots_);
        for (const Slot &slot : before)
            if (slot.key) slots_[place(slot.key - 1)] = slot;
    }
    // A run has room for the next power of two; beyond it, it moves to the end of the pool.
    double &append(Slot &slot, std::uint32_t output) {
        if ((slot.size & (slot.size - 1)) == 0) {
            const std::size_t room = slot.size ? 2 * std::size_t(slot.size) : 1;
            if (pool_.size() + room > 0xFFFFFFFF)
                throw std::length_error("corrections: more than 2^32 weights were moved");
            const std::size_t first = pool_.size();
            pool_.resize(first + room, Cell{0, 0});
            std::copy_n(pool_.begin() + slot.first, slot.size, pool_.begin() + first);
            slot.first = static_cast<std::uint32_t>(first);
        }
        Cell &cell = pool_[slot.first + slot.size++];
        cell = {output, 0};
        return cell.value;
    }

    std::vector<Slot> slots_;
    std::vector<Cell> pool_;
    std::size_t n_keys_ = 0;
};

}  // namespace hardlimit::live
