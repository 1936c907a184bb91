// Columns of terms that are new in one call, by the order in which their table met them.
//
// At first a new term has a provisional column, which tells its place here. What stands here never
// moves, so that it can be read while more is written behind it.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "text/slots.hpp"

namespace hardlimit::text {

class NewColumns {
  public:
    // Room for `most` terms.
    explicit NewColumns(std::size_t most) : chunks_((most >> chunk_bits) + 1) {
        chunks_[0] = std::make_unique<std::int32_t[]>(chunk_size + 1);
    }

    static std::int32_t provisional(std::size_t i) { return -2 - static_cast<std::int32_t>(i); }

    std::size_t size() const { return size_; }
    std::int32_t operator[](std::size_t i) const {
        return chunks_[i >> chunk_bits][i & (chunk_size - 1)];
    }

    // The final column for one that may be provisional. Without a branch, which nobody can predict.
    HARDLIMIT_INLINE std::int32_t final_for(std::int32_t column) const {
        const bool is_new = column < no_column;
        const std::int32_t found = (*this)[is_new ? static_cast<std::uint32_t>(-2 - column) : 0];
        return is_new ? found : column;
    }

    // Numbers the terms that are met for the first time among those columns, the first of them by
    // `next`; returns the number behind the last.
    std::uint32_t number(const std::uint32_t *columns, std::size_t n, std::uint32_t next) {
        while (n) {
            const std::size_t place = size_ & (chunk_size - 1);
            auto &chunk = chunks_[size_ >> chunk_bits];
            if (!chunk) chunk = std::make_unique<std::int32_t[]>(chunk_size + 1);
            std::int32_t *to = chunk.get() + place;
            const std::size_t most = std::min(n, chunk_size - place);
            std::int32_t first_time = provisional(size_);
            for (std::size_t i = 0; i < most; ++i) {
                const bool is_new = static_cast<std::int32_t>(columns[i]) == first_time;
                *to = static_cast<std::int32_t>(next);
                to += is_new;
                next += is_new;
                first_time -= is_new;
            }
            size_ += static_cast<std::size_t>(to - (chunk.get() + place));
            columns += most;
            n -= most;
        }
        return next;
    }

  private:
    static constexpr int chunk_bits = 16;
    static constexpr std::size_t chunk_size = std::size_t(1) << chunk_bits;

    std::vector<std::unique_ptr<std::int32_t[]>> chunks_;  // with a place behind the last one
    std::size_t size_ = 0;
};

}  // namespace hardlimit::text
