#include "text/frozen.hpp"

#include <cstring>

namespace hardlimit::text {

FrozenTable::FrozenTable(const Incoming &tensors, std::size_t number, std::uint32_t probes,
                         bool strings)
    : slots_(tensors.array<Slot>(table_name(number))), probes_(probes) {
    if (probes > most_probes)
        throw DamagedModel("model file: a search of " + std::to_string(probes) +
                           " steps is announced for '" + table_name(number) + "'; at most " +
                           std::to_string(most_probes) + " are allowed");
    first_ = tensors.bytes(table_name(number))->range(0, 0);
    if (!strings) return;
    ends_ = tensors.array<std::uint64_t>(table_name(number) + "_ends");
    bytes_ = tensors.bytes(table_name(number) + "_bytes");
}

bool FrozenTable::same(const Slot &slot, const Byte *at, std::size_t size) const {
    if (!(slot.key & long_string) || !at) return true;
    const std::uint64_t first = slot.id ? ends_[slot.id - 1] : 0, end = ends_[slot.id];
    return end >= first && end - first == size &&
           !std::memcmp(bytes_->range(first, size), at, size);
}

Found FrozenTable::find(std::uint64_t key, const Byte *at, std::size_t size) const {
    if (!capacity()) return {};
    std::size_t i = frozen_home(key, capacity());
    for (std::uint32_t step = 0; step < probes_; ++step) {
        const Slot slot = slots_[i];
        if (slot.key == key && same(slot, at, size))
            return {static_cast<std::uint32_t>(i), slot.column};
        if (!slot.key) break;
        if (++i == capacity()) i = 0;
    }
    return {};
}

std::string FrozenTable::text(const Slot &slot) const {
    if (slot.key & long_string) {
        const std::uint64_t first = slot.id ? ends_[slot.id - 1] : 0, end = ends_[slot.id];
        const std::size_t size = end < first ? bytes_->size() + 1 : end - first;
        return {reinterpret_cast<const char *>(bytes_->range(first, size)), size};
    }
    std::string text(slot.key >> 56 & 7, '\0');
    for (std::size_t i = 0; i < text.size(); ++i)
        text[i] = static_cast<char>(slot.key >> (8 * i) & 0xff);
    return text;
}

Frozen::Frozen(const Settings &settings, const Incoming &tensors) {
    const auto probes = tensors.array<std::uint32_t>("probes");
    const std::size_t n = 3 + (settings.words.most > 1 ? settings.words.most - 1 : 0);
    for (std::size_t i = 0; i < n; ++i) tables_.emplace_back(tensors, i, probes[i], i < 3);
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
