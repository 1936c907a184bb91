#include "cache/numbers.hpp"

#include <algorithm>
#include <cstring>

namespace hardlimit::cache {
namespace {

constexpr std::size_t header_size = 8, most_entries = 65536;
constexpr unsigned as_they_are = 255;

std::uint64_t load(const unsigned char *at, std::size_t item) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < item; ++i) number |= std::uint64_t(at[i]) << (8 * i);
    return number;
}

void store(std::uint64_t number, std::size_t item, unsigned char *to) {
    for (std::size_t i = 0; i < item; ++i) to[i] = static_cast<unsigned char>(number >> (8 * i));
}

// The distinct numbers in the order in which they come, up to `most_entries`.
class Dictionary {
  public:
    bool add(std::uint64_t number) {
        if (!entries.empty() && number == last_) {
            places.push_back(places.back());
            return true;
        }
        last_ = number;
        std::size_t i = number * 0x9E3779B97F4A7C15 >> (64 - table_bits);
        while (slots_[i] && entries[slots_[i] - 1] != number) i = (i + 1) & (slots_.size() - 1);
        if (!slots_[i]) {
            if (entries.size() == most_entries) return false;
            entries.push_back(number);
            slots_[i] = static_cast<std::uint32_t>(entries.size());
        }
        places.push_back(static_cast<std::uint16_t>(slots_[i] - 1));
        return true;
    }
    std::vector<std::uint64_t> entries;
    std::vector<std::uint16_t> places;

  private:
    static constexpr int table_bits = 18;
    std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(std::size_t(1) << table_bits);
    std::uint64_t last_ = 0;
};

unsigned bits_of_place(std::size_t n_entries) {
    for (const unsigned bits : {0u, 1u, 2u, 4u, 8u})
        if (n_entries <= std::size_t(1) << bits) return bits;
    return 16;
}

std::size_t rounded(std::size_t size) { return (size + 7) / 8 * 8; }

bool is_single(std::uint64_t number) {
    const auto value = std::bit_cast<double>(number);
    return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(value))) == number;
}

std::uint64_t to_single(std::uint64_t number) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(number)));
}

std::uint64_t to_double(std::uint64_t number) {
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(number));
    return std::bit_cast<std::uint64_t>(static_cast<double>(single));
}

struct Layout {
    unsigned bits;              // of a place in the dictionary, or `as_they_are`
    std::size_t item;           // bytes of a stored number
    std::size_t n_entries = 0;  // of the dictionary
    std::size_t places() const { return header_size + rounded(n_entries * item); }
    std::size_t size(std::size_t n) const {
        return places() + rounded(bits == as_they_are ? n * item : (n * bits + 7) / 8);
    }
};

Layout layout_of(Bytes packed) {
    if (packed.size() < header_size) damaged("numbers are cut off");
    const Layout found{packed[0], packed[1], load(packed.data() + 4, 4)};
    const bool known = found.bits == as_they_are || found.bits == 0 || found.bits == 1 ||
                       found.bits == 2 || found.bits == 4 || found.bits == 8 || found.bits == 16;
    const bool listed = found.bits != as_they_are;
    const std::size_t most = known && listed ? std::size_t(1) << found.bits : 0;
    if (!known || (found.item != 4 && found.item != 8) || load(packed.data() + 2, 2) ||
        found.n_entries > most || (listed && !found.n_entries))
        damaged("numbers in a way that no writer writes");
    return found;
}

void write_places(const std::vector<std::uint16_t> &places, unsigned bits, unsigned char *to) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::size_t at = i * bits;
        to[at / 8] |= static_cast<unsigned char>(places[i] << (at % 8));
        if (bits == 16) to[at / 8 + 1] = static_cast<unsigned char>(places[i] >> 8);
    }
}

std::size_t read_place(const unsigned char *from, std::size_t i, unsigned bits) {
    const std::size_t at = i * bits;
    if (bits == 16) return load(from + at / 8, 2);
    return from[at / 8] >> (at % 8) & ((1u << bits) - 1);
}

}  // namespace

std::vector<unsigned char> pack_numbers(const unsigned char *numbers, std::size_t n,
                                        std::size_t item, bool floats) {
    Dictionary found;
    bool listed = n > 0, single = item == 8 && floats;
    for (std::size_t i = 0; i < n && (listed || single); ++i) {
        const std::uint64_t number = load(numbers + i * item, item);
        listed = listed && found.add(number);
        single = single && is_single(number);
    }
    const std::size_t stored = single ? 4 : item;
    Layout layout{as_they_are, stored};
    const Layout by_place{bits_of_place(found.entries.size()), stored, found.entries.size()};
    if (listed && by_place.size(n) < layout.size(n)) layout = by_place;
    std::vector<unsigned char> packed(layout.size(n));
    packed[0] = static_cast<unsigned char>(layout.bits);
    packed[1] = static_cast<unsigned char>(stored);
    store(layout.n_entries, 4, packed.data() + 4);
    const auto narrowed = [&](std::uint64_t number) { return single ? to_single(number) : number; };
    if (layout.bits != as_they_are) {
        for (std::size_t i = 0; i < layout.n_entries; ++i)
            store(narrowed(found.entries[i]), stored, packed.data() + header_size + i * stored);
        if (layout.bits) write_places(found.places, layout.bits, packed.data() + layout.places());
    } else {
        for (std::size_t i = 0; i < n; ++i)
            store(narrowed(load(numbers + i * item, item)), stored,
                  packed.data() + header_size + i * stored);
    }
    return packed;
}

void check_numbers(Bytes packed, std::size_t n, bool may_be_one) {
    const Layout layout = layout_of(packed);
    if (!layout.bits && !may_be_one) damaged("one number for all, where there may be any");
    // Divided first: the sizes of a crafted file may be beyond what can be multiplied.
    if (n / 8 > packed.size() && layout.bits) damaged("more numbers than its bytes can hold");
    if (layout.size(n) != packed.size()) damaged("numbers of another size");
}

void unpack_numbers(Bytes packed, std::size_t n, std::size_t item, bool may_be_one,
                    unsigned char *to) {
    check_numbers(packed, n, may_be_one);
    const Layout layout = layout_of(packed);
    if (layout.item > item) damaged("numbers of another type");
    const bool widened = layout.item < item;
    const auto read = [&](std::size_t i) {
        const std::uint64_t number =
            load(packed.data() + header_size + i * layout.item, layout.item);
        return widened ? to_double(number) : number;
    };
    if (layout.bits == as_they_are) {
        if (!widened) {
            if (n) std::memcpy(to, packed.data() + header_size, n * item);
            return;
        }
        for (std::size_t i = 0; i < n; ++i) store(read(i), item, to + i * item);
        return;
    }
    std::vector<std::uint64_t> entries(layout.n_entries);
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = read(i);
    const unsigned char *const places = packed.data() + layout.places();
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t place = layout.bits ? read_place(places, i, layout.bits) : 0;
        if (place >= entries.size()) damaged("a number that is not in the dictionary");
        store(entries[place], item, to + i * item);
    }
}

}  // namespace hardlimit::cache
