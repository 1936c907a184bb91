#include "text/frozen.hpp"

#include <cstring>

namespace hardlimit::text {

FrozenTable::FrozenTable(const Incoming &tensors, std::size_t number)
    : slots_(tensors.array<Slot>(table_name(number))),
      homes_(capacity()),
      probes_(tensors.array<std::uint32_t>("probes")[number]) {
    const bool version_1 = !tensors.has("homes");
    if (!version_1) homes_ = tensors.array<std::uint64_t>("homes")[number];
    if (homes_ > capacity())
        throw DamagedModel("model file: " + std::to_string(homes_) + " homes are announced among " +
                           std::to_string(capacity()) + " slots of '" + table_name(number) + "'");
    const std::uint32_t most = version_1 ? most_probes_in_version_1 : most_probes;
    if (probes_ > most)
        throw DamagedModel("model file: a search of " + std::to_string(probes_) +
                           " steps is announced for '" + table_name(number) + "'; at most " +
                           std::to_string(most) + " are allowed");
    first_ = tensors.bytes(table_name(number))->range(0, 0);
    if (number >= 3) return;
    ends_ = Ends(tensors, table_name(number));
    bytes_ = tensors.bytes(table_name(number) + "_bytes");
    first_byte_ = bytes_->range(0, 0);
}

std::string_view FrozenTable::long_bytes(const Slot &slot) const {
    const std::uint64_t first = slot.id ? ends_[slot.id - 1] : 0, end = ends_[slot.id];
    const std::size_t size = end < first ? bytes_->size() + 1 : end - first;
    return {reinterpret_cast<const char *>(bytes_->range(first, size)), size};
}

void FrozenTable::prefetch_bytes(const std::uint64_t *keys, const std::uint32_t *places,
                                 std::size_t n, std::uint32_t *scratch) const {
    constexpr std::uint32_t near = 8;  // slots of the lines that have come
    std::size_t n_met = 0;
    for (std::size_t j = 0; j < n; ++j) {
        const std::uint64_t key = keys[places[j]];
        if (!(key & long_string) || !homes_) continue;
        std::size_t i = frozen_home(key, homes_);
        for (std::uint32_t step = 0; step < near && i < homes_; ++step, ++i) {
            const Slot slot = slots_[i];
            if (!slot.key) break;
            if (slot.key != key || slot.id >= ends_.size()) continue;
            ends_.prefetch_item(slot.id);
            scratch[n_met++] = slot.id;
            break;
        }
    }
    for (std::size_t j = 0; j < n_met; ++j)
        if (scratch[j]) prefetch(first_byte_ + ends_[scratch[j] - 1]);
}

bool FrozenTable::same(const Slot &slot, const Byte *at, std::size_t size) const {
    if (!(slot.key & long_string) || !at) return true;
    const std::string_view bytes = long_bytes(slot);
    return bytes.size() == size && !std::memcmp(bytes.data(), at, size);
}

bool FrozenTable::precedes(const Slot &slot, std::uint64_t key, const Byte *at,
                           std::size_t size) const {
    if (slot.key != key) return slot.key < key;
    if (!(key & long_string) || !at) return false;
    return long_bytes(slot) < std::string_view(reinterpret_cast<const char *>(at), size);
}

Found FrozenTable::find(std::uint64_t key, const Byte *at, std::size_t size) const {
    if (!homes_) return {};
    std::size_t i = frozen_home(key, homes_);
    for (std::uint32_t step = 0; step < probes_; ++step) {
        const Slot slot = slots_[i];
        if (slot.key == key && same(slot, at, size))
            return {static_cast<std::uint32_t>(i), slot.column};
        if (!slot.key) return {};
        if (++i == homes_) i = 0;
    }
    return homes_ < capacity() ? find_behind(key, at, size) : Found{};
}

Found FrozenTable::find_behind(std::uint64_t key, const Byte *at, std::size_t size) const {
    std::size_t low = homes_, high = capacity();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (precedes(slots_[middle], key, at, size))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == capacity()) return {};
    const Slot slot = slots_[low];
    if (slot.key != key || !same(slot, at, size)) return {};
    return {static_cast<std::uint32_t>(low), slot.column};
}

std::string FrozenTable::text(const Slot &slot) const {
    if (slot.key & long_string) return std::string(long_bytes(slot));
    std::string text(slot.key >> 56 & 7, '\0');
    for (std::size_t i = 0; i < text.size(); ++i)
        text[i] = static_cast<char>(slot.key >> (8 * i) & 0xff);
    return text;
}

Frozen::Frozen(const Settings &settings, const Incoming &tensors) {
    const std::size_t n = 3 + (settings.words.most > 1 ? settings.words.most - 1 : 0);
    for (std::size_t i = 0; i < n; ++i) tables_.emplace_back(tensors, i);
}

std::string Frozen::gram(std::size_t table, std::size_t slot) const {
    const Slot found = tables_[table].slot(slot);
    if (table == 0) return tables_[0].text(found);
    const std::uint64_t ids = found.key - 1;
    return gram(table == 3 ? 0 : table - 1, ids >> 32) + ' ' +
           tables_[0].text(tables_[0].slot(static_cast<std::uint32_t>(ids)));
}

std::string Frozen::name(std::size_t slot) const {
    for (std::size_t table = 0; table < tables_.size(); ++table) {
        if (slot >= tables_[table].capacity()) {
            slot -= tables_[table].capacity();
            continue;
        }
        if (table != 1 && table != 2) return gram(table, slot);
        const std::string text = tables_[table].text(tables_[table].slot(slot));
        return table == 1 ? '{' + text + '}' : '[' + text + ']';
    }
    throw DamagedModel("model file: a term's slot lies beyond the tables");
}

}  // namespace hardlimit::text
