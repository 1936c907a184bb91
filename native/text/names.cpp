// Columns back to terms. Nothing is kept for this: the tables are searched once per question.
#include <algorithm>
#include <unordered_map>

#include "text/features.hpp"

namespace hardlimit::text {
namespace {

std::string bytes_of(const StringTable &table, std::uint32_t id) {
    return {reinterpret_cast<const char *>(table.bytes(id)), table.length(id)};
}

using Keys = std::unordered_map<std::uint32_t, std::uint64_t>;

// The keys of the n-grams with these ids, one pass over the table.
void find_keys(const PairTable &table, Keys &wanted) {
    if (wanted.empty()) return;
    for (std::size_t i = 0; i < table.table().capacity(); ++i) {
        const Slot &slot = table.table().slot(i);
        if (!slot.key) continue;
        if (const auto found = wanted.find(slot.id); found != wanted.end())
            found->second = slot.key;
    }
}

class Namer {
  public:
    Namer(const Vocabulary &all, const std::vector<std::int32_t> &columns)
        : all_(all), names_(columns.size()) {
        order_.resize(columns.size());
        for (std::size_t i = 0; i < columns.size(); ++i) order_[i] = {columns[i], i};
        std::sort(order_.begin(), order_.end());
        wanted_.resize(all.n_columns);
        for (const std::int32_t column : columns) wanted_[column] = true;
    }

    std::vector<std::string> names() {
        strings(all_.words, "", "");
        strings(all_.runs, "{", "}");
        strings(all_.chars, "[", "]");
        for (int n = 2; n < static_cast<int>(all_.grams.size()) + 2; ++n) grams(n);
        return std::move(names_);
    }

  private:
    template <class Use>
    void each_wanted(const SlotTable &table, Use &&use) {
        for (std::size_t i = 0; i < table.capacity(); ++i) {
            const Slot &slot = table.slot(i);
            if (!slot.key || slot.column == no_column || !wanted_[slot.column]) continue;
            auto at = std::lower_bound(order_.begin(), order_.end(),
                                       std::pair<std::int32_t, std::size_t>{slot.column, 0});
            for (; at != order_.end() && at->first == slot.column; ++at) use(slot, at->second);
        }
    }

    void strings(const StringTable &table, const char *open, const char *close) {
        each_wanted(table.table(), [&](const Slot &slot, std::size_t place) {
            names_[place] = open + bytes_of(table, slot.id) + close;
        });
    }

    // An n-gram is its prefix and a last word; the prefixes of all are looked for level by level.
    void grams(int n) {
        std::vector<std::pair<std::uint64_t, std::size_t>> parts;
        each_wanted(all_.level(n).table(), [&](const Slot &slot, std::size_t place) {
            parts.push_back({slot.key - 1, place});
        });
        for (int level = n - 1;; --level) {
            for (auto &[key, place] : parts) prepend(bytes_of(all_.words, last(key)), place);
            if (level == 1) break;
            Keys keys;
            for (const auto &part : parts) keys[prefix(part.first)] = 0;
            find_keys(all_.level(level), keys);
            for (auto &part : parts) part.first = keys[prefix(part.first)] - 1;
        }
        for (const auto &[key, place] : parts) prepend(bytes_of(all_.words, prefix(key)), place);
    }

    void prepend(const std::string &word, std::size_t place) {
        names_[place] = names_[place].empty() ? word : word + ' ' + names_[place];
    }
    static std::uint32_t last(std::uint64_t key) { return static_cast<std::uint32_t>(key); }
    static std::uint32_t prefix(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }

    const Vocabulary &all_;
    std::vector<bool> wanted_;  // by column: most slots are passed over
    std::vector<std::pair<std::int32_t, std::size_t>> order_;
    std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> Features::names(const std::vector<std::int32_t> &columns) const {
    if (!hashing()) return Namer(*vocabulary_, columns).names();
    std::vector<std::string> names(columns.size());
    for (std::size_t i = 0; names_ && i < columns.size(); ++i)
        names[i] = names_->name(static_cast<std::uint32_t>(columns[i]));
    return names;
}

}  // namespace hardlimit::text
