#include "text/lowered.hpp"

#include <algorithm>
#include <cstring>

#include "portability.hpp"

namespace hardlimit::text {
namespace {

constexpr std::size_t padding = 80, keep_at_most = std::size_t(1) << 22;

HARDLIMIT_INLINE Byte lower_ascii(Byte c) {
    const Byte cased = static_cast<Byte>(c - 'A') < 26 ? c | 0x20 : c;
    const bool space = static_cast<Byte>(c - 9) < 5 || static_cast<Byte>(c - 28) < 4;
    return space ? ' ' : cased;
}

constexpr std::size_t block = 32;

// Lowers block after block as long as they are ASCII; returns how many bytes it did.
HARDLIMIT_CLONES std::size_t lower_blocks(const Byte *HARDLIMIT_RESTRICT from, std::size_t size,
                                          Byte *HARDLIMIT_RESTRICT to) {
    std::size_t done = 0;
    for (; done + block <= size; done += block) {
        Byte seen = 0;
        for (std::size_t i = 0; i < block; ++i) seen |= from[done + i];
        if (seen >= 0x80) break;
        for (std::size_t i = 0; i < block; ++i) to[done + i] = lower_ascii(from[done + i]);
    }
    return done;
}

}  // namespace

void Lowered::reserve(std::size_t more) {
    const std::size_t used = buffer_ ? end_ - buffer_.get() : 0;
    if (used + more + padding + 1 <= capacity_) return;
    const std::size_t capacity = std::max(used + more + padding + 1, capacity_ + capacity_ / 2);
    auto grown = std::make_unique_for_overwrite<Byte[]>(capacity);
    if (used) std::memcpy(grown.get(), buffer_.get(), used);
    buffer_ = std::move(grown);
    capacity_ = capacity;
    end_ = buffer_.get() + used;
}

void Lowered::assign(const Source &source) {
    if (capacity_ > keep_at_most && source.size < keep_at_most / 4) {
        buffer_.reset();
        capacity_ = 0;
    }
    end_ = buffer_.get();
    ascii_ = true;
    has_unspaced_ = false;
    replaced_ = 0;
    reserve(source.size + 4 * block);
    *end_++ = ' ';
    const Byte *at = source.bytes, *const end = at + source.size;
    while (at != end) {
        reserve(end - at);
        const std::size_t done = lower_blocks(at, end - at, end_);
        at += done;
        end_ += done;
        const std::size_t left = std::min<std::size_t>(block, end - at);
        // A byte becomes at most four: U+FFFD is three, U+0130 three out of two.
        reserve(4 * block + 8);
        for (const Byte *const stop = at + left; at < stop;) at = lower_one(at, source);
    }
    *end_ = ' ';
    std::memset(end_ + 1, 0, padding);
}

const Byte *Lowered::lower_one(const Byte *at, const Source &source) {
    if (*at < 0x80) {
        *end_++ = lower_ascii(*at);
        return at + 1;
    }
    const Decoded here = decode(at, source.bytes + source.size, source.surrogates);
    replaced_ += here.replaced;
    ascii_ = false;
    const tables::Record &record = properties(here.code_point);
    has_unspaced_ |= (record.flags & is_unspaced) != 0;
    at += here.length;
    if (record.flags & is_space) {
        *end_++ = ' ';
    } else if (here.code_point == 0x3A3) {
        end_ = encode(final_sigma(at, source) ? 0x3C2 : 0x3C3, end_);
    } else if (record.flags & lowers_to_two) {
        end_ = encode(tables::pairs[record.lower].first, end_);
        end_ = encode(tables::pairs[record.lower].second, end_);
    } else {
        end_ = encode(here.code_point + static_cast<std::uint32_t>(record.lower), end_);
    }
    return at;
}

// Unicode's Final_Sigma as CPython applies it: a cased character before, none after, ignorable
// ones passed over. Looking back, the lowered text serves (the table's maker has checked that).
bool Lowered::final_sigma(const Byte *after, const Source &source) const {
    const Byte *back = end_;
    bool cased_before = false;
    while (back > buffer_.get()) {
        do {
            --back;
        } while ((*back & 0xC0) == 0x80);
        const auto flags = properties(*back < 0x80 ? *back : decode_valid(back).code_point).flags;
        if (flags & is_ignorable) continue;
        cased_before = flags & is_cased;
        break;
    }
    if (!cased_before) return false;
    for (const Byte *const end = source.bytes + source.size; after < end;) {
        const Decoded next = decode(after, end, source.surrogates);
        const auto flags = properties(next.code_point).flags;
        if (!(flags & is_ignorable)) return !(flags & is_cased);
        after += next.length;
    }
    return true;
}

}  // namespace hardlimit::text
