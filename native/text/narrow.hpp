// Numbers in as few bytes as they need. The name of a tensor tells which it is.
//
//   <name>_ends32     U32; <name>_ends, U64, where the last end is too large (and up to version 2)
//   frequency16       U16; frequency, U32, where one is too large (and up to version 2)
//   idf, idf_numbers  the distinct numbers, F64, and the place of each term's among them, U16; idf
//                     alone has one for each term, where that is smaller (and up to version 2)
#pragma once
#include <algorithm>
#include <bit>
#include <vector>

#include "text/slots.hpp"
#include "text/tensors.hpp"

namespace hardlimit::text {

template <class Narrow, class Wide>
void add_narrowed(Tensors &to, std::string name, const Wide *items, std::size_t count) {
    Narrow *narrow = to.add<Narrow>(std::move(name), count);
    for (std::size_t i = 0; i < count; ++i) narrow[i] = static_cast<Narrow>(items[i]);
}

// Of strings in one blob, where each of them ends.
inline void add_ends(Tensors &to, const std::string &name, const std::uint64_t *ends,
                     std::size_t count) {
    if (count && ends[count - 1] >> 32)
        to.add_copy(name + "_ends", ends, count);
    else
        add_narrowed<std::uint32_t>(to, name + "_ends32", ends, count);
}

class Ends {
  public:
    Ends() = default;
    Ends(const Incoming &from, const std::string &name) : is_wide_(!from.has(name + "_ends32")) {
        const std::string full = name + (is_wide_ ? "_ends" : "_ends32");
        if (is_wide_)
            wide_ = from.array<std::uint64_t>(full);
        else
            narrow_ = from.array<std::uint32_t>(full);
        first_ = from.bytes(full)->range(0, 0);
    }
    std::size_t size() const { return is_wide_ ? wide_.size() : narrow_.size(); }
    std::uint64_t operator[](std::size_t i) const { return is_wide_ ? wide_[i] : narrow_[i]; }
    HARDLIMIT_INLINE void prefetch_item(std::size_t i) const {
        prefetch(first_ + i * (is_wide_ ? sizeof(std::uint64_t) : sizeof(std::uint32_t)));
    }

  private:
    bool is_wide_ = false;
    const unsigned char *first_ = nullptr;  // for prefetching only
    CheckedArray<std::uint32_t> narrow_;
    CheckedArray<std::uint64_t> wide_;
};

inline void add_frequency(Tensors &to, const std::uint32_t *frequency, std::size_t count) {
    if (std::any_of(frequency, frequency + count, [](std::uint32_t n) { return n >> 16; }))
        to.add_copy("frequency", frequency, count);
    else
        add_narrowed<std::uint16_t>(to, "frequency16", frequency, count);
}

inline std::vector<std::uint32_t> read_frequency(const Incoming &from) {
    std::vector<std::uint32_t> frequency;
    const auto read = [&](const auto &stored) {
        frequency.resize(stored.size());
        for (std::size_t i = 0; i < frequency.size(); ++i) frequency[i] = stored[i];
    };
    if (from.has("frequency16"))
        read(from.array<std::uint16_t>("frequency16"));
    else
        read(from.array<std::uint32_t>("frequency"));
    return frequency;
}

// Many terms have one idf, that of their document frequency.
inline void add_idf(Tensors &to, const std::vector<double> &idf) {
    std::vector<double> distinct;
    std::vector<std::uint16_t> numbers;
    SlotTable found;
    constexpr std::size_t most = 0xFFFF;
    for (std::size_t i = 0; i < idf.size() && distinct.size() <= most; ++i) {
        bool added;
        // One more, since 0 is an empty slot; of the one number that has no more, another NaN's.
        const std::uint64_t bits = std::bit_cast<std::uint64_t>(idf[i]), key = bits + !!~bits;
        const Slot &slot = found.find_or_add(key, added, [](const Slot &) { return true; });
        if (added) distinct.push_back(idf[i]);
        numbers.push_back(static_cast<std::uint16_t>(slot.id));
    }
    if (distinct.size() > most || 8 * distinct.size() + 2 * idf.size() >= 8 * idf.size()) {
        to.add_copy("idf", idf.data(), idf.size());
        return;
    }
    to.add_copy("idf", distinct.data(), distinct.size());
    to.add_copy("idf_numbers", numbers.data(), numbers.size());
}

class StoredIdf {
  public:
    StoredIdf() = default;
    explicit StoredIdf(const Incoming &from)
        : values_(from.array<double>("idf")), is_numbered_(from.has("idf_numbers")) {
        if (is_numbered_) numbers_ = from.array<std::uint16_t>("idf_numbers");
        first_ = from.bytes(is_numbered_ ? "idf_numbers" : "idf")->range(0, 0);
    }
    std::size_t size() const { return is_numbered_ ? numbers_.size() : values_.size(); }
    double operator[](std::size_t i) const { return values_[is_numbered_ ? numbers_[i] : i]; }
    HARDLIMIT_INLINE void prefetch_item(std::size_t i) const {
        prefetch(first_ + i * (is_numbered_ ? sizeof(std::uint16_t) : sizeof(double)));
    }

  private:
    CheckedArray<double> values_;
    CheckedArray<std::uint16_t> numbers_;
    bool is_numbered_ = false;
    const unsigned char *first_ = nullptr;  // for prefetching only
};

}  // namespace hardlimit::text
