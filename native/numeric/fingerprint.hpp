// Whether a vector of integers was there before, without keeping the vectors.
//
// h(w) = <r, w> mod p, p = 2^61 - 1, r drawn once: h(w + z) = h(w) + h(z), so that a step costs one
// addition. Equal vectors have equal fingerprints; different ones have the same with a chance of
// 1 / p a pair, so that a hit must be verified. The first `room` fingerprints are all remembered;
// after those Brent's saved value (BIT 20, 1980) is, at every power of two.
#pragma once
#include <cstdint>
#include <vector>

#include "numeric/generator.hpp"
#include "portability.hpp"

namespace hardlimit {

namespace modular {

constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

inline std::uint64_t add(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t sum = a + b;
    return sum >= prime ? sum - prime : sum;
}

inline std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
    const Product128 product = multiply_128(a, b);
    const std::uint64_t high = product.high << 3 | product.low >> 61;
    return add(product.low & prime, high);  // both at most p
}

inline std::uint64_t of(std::int64_t value) {
    const std::uint64_t size =
        (value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value)) %
        prime;
    return value < 0 && size ? prime - size : size;
}

}  // namespace modular

// The coefficients r, a number a column.
class FingerprintKey {
  public:
    FingerprintKey(std::int64_t n_columns, std::uint64_t seed) {
        Generator draw(seed, 0x66696e6765727072ULL);
        for (std::int64_t c = 0; c < n_columns; ++c)
            of_column_.push_back(draw.below(modular::prime));
    }

    // What `value` in this column adds.
    std::uint64_t part(std::int64_t column, std::int64_t value) const {
        return modular::multiply(of_column_[static_cast<std::size_t>(column)], modular::of(value));
    }

  private:
    std::vector<std::uint64_t> of_column_;
};

// When a fingerprint was seen before; steps are numbered 0, 1, 2, ...
class Fingerprints {
  public:
    explicit Fingerprints(std::int64_t room) : room_(room), table_(1024) {}

    // The fingerprint of step k, one after the other. The step that had the same, or -1.
    std::int64_t note(std::uint64_t h, std::int64_t k) {
        if (k < room_) return insert(h, k);
        const std::int64_t early = find(h);
        if (early >= 0) return early;
        if (h == anchor_ && anchor_at_ >= 0) return anchor_at_;
        if (k >= 2 * anchor_at_) {
            anchor_ = h;
            anchor_at_ = k;
            moved_ = true;
        }
        return -1;
    }

    // Whether the last step became the anchor.
    bool moved() {
        const bool was = moved_;
        moved_ = false;
        return was;
    }
    std::int64_t anchor() const { return anchor_at_; }

  private:
    struct Cell {
        std::uint64_t h = 0;
        std::int64_t step = -1;
    };

    std::size_t place(std::uint64_t h) const {
        const std::size_t mask = table_.size() - 1;
        std::size_t at = (h * 0x9e3779b97f4a7c15ULL >> 20) & mask;
        while (table_[at].step >= 0 && table_[at].h != h) at = (at + 1) & mask;
        return at;
    }

    std::int64_t find(std::uint64_t h) const { return table_[place(h)].step; }

    std::int64_t insert(std::uint64_t h, std::int64_t k) {
        if (2 * (used_ + 1) > table_.size()) grow();
        Cell &cell = table_[place(h)];
        if (cell.step >= 0) return cell.step;
        cell = {h, k};
        ++used_;
        return -1;
    }

    void grow() {
        std::vector<Cell> before(2 * table_.size());
        before.swap(table_);
        for (const Cell &cell : before)
            if (cell.step >= 0) table_[place(cell.h)] = cell;
    }

    std::int64_t room_;
    std::vector<Cell> table_;
    std::size_t used_ = 0;
    std::uint64_t anchor_ = 0;
    std::int64_t anchor_at_ = -1;
    bool moved_ = false;
};

}  // namespace hardlimit
