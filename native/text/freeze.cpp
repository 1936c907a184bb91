// Laying out what has been learnt as the tables that frozen.hpp describes.
#include <algorithm>

#include "text/frozen.hpp"
#include "text/narrow.hpp"

namespace hardlimit::text {
namespace {

constexpr std::uint32_t not_needed = no_id;

class Freezer {
  public:
    Freezer(const Vocabulary &all, const std::vector<std::int32_t> &terms, Tensors &tensors)
        : all_(all), tensors_(tensors), term_of_(all.n_columns, no_column), origin_(terms.size()) {
        for (std::size_t i = 0; i < terms.size(); ++i)
            term_of_[terms[i]] = static_cast<std::int32_t>(i);
    }

    void write() {
        find_needed();
        strings(all_.words, "words", words_);
        std::vector<std::uint32_t> unused(all_.runs.size(), not_needed);
        strings(all_.runs, "runs", unused);
        unused.assign(all_.chars.size(), not_needed);
        strings(all_.chars, "chars", unused);
        for (std::size_t i = 0; i < all_.grams.size(); ++i)
            pairs(all_.grams[i], i ? levels_[i - 1] : words_, levels_[i], table_name(3 + i));
        tensors_.add_copy("homes", homes_.data(), homes_.size());
        tensors_.add_copy("probes", probes_.data(), probes_.size());
        if (base_ > no_id) throw TooManyColumns("too many terms for a model file");
        tensors_.add_copy("origins", origin_.data(), origin_.size());
    }

  private:
    // Words and n-grams without a column of their own are kept where a longer one is made of them.
    // A number other than `not_needed` marks them; it becomes the number of the slot.
    void find_needed() {
        words_.assign(all_.words.size(), not_needed);
        for (const PairTable &table : all_.grams) levels_.emplace_back(table.size(), not_needed);
        for (std::size_t i = all_.grams.size(); i-- > 0;) {
            const SlotTable &table = all_.grams[i].table();
            std::vector<std::uint32_t> &prefixes = i ? levels_[i - 1] : words_;
            for (std::size_t s = 0; s < table.capacity(); ++s) {
                const Slot &slot = table.slot(s);
                if (!slot.key || !(levels_[i][slot.id] != not_needed || kept(slot))) continue;
                const std::uint64_t ids = slot.key - 1;
                prefixes[ids >> 32] = 0;
                words_[static_cast<std::uint32_t>(ids)] = 0;
            }
        }
    }

    bool kept(const Slot &slot) const { return term(slot) != no_column; }
    std::int32_t term(const Slot &slot) const {
        return slot.column == no_column ? no_column : term_of_[slot.column];
    }

    // The slots to keep, by ascending id: the layout then follows from the texts alone.
    std::vector<Slot> needed(const SlotTable &table,
                             const std::vector<std::uint32_t> &marks) const {
        std::vector<Slot> slots(table.size());
        for (std::size_t s = 0; s < table.capacity(); ++s)
            if (table.slot(s).key) slots[table.slot(s).id] = table.slot(s);
        std::erase_if(
            slots, [&](const Slot &slot) { return marks[slot.id] == not_needed && !kept(slot); });
        return slots;
    }

    static Slot *as_slots(std::uint64_t *memory) { return reinterpret_cast<Slot *>(memory); }

    // Where each slot goes among the homes, or `not_needed` where it finds none.
    std::vector<std::uint32_t> find_homes(const std::vector<Slot> &slots, std::size_t homes) {
        std::vector<std::uint32_t> places(slots.size(), not_needed);
        std::vector<bool> taken(homes);
        std::uint32_t longest = 1;
        for (std::size_t i = 0; i < slots.size(); ++i) {
            std::size_t at = frozen_home(slots[i].key, homes);
            std::uint32_t steps = 1;
            for (; taken[at] && steps <= most_probes; ++steps)
                if (++at == homes) at = 0;
            longest = std::max(longest, std::min(steps, most_probes));
            if (steps > most_probes) continue;
            taken[at] = true;
            places[i] = static_cast<std::uint32_t>(at);
        }
        probes_.push_back(longest);
        return places;
    }

    // Writes slots into a new tensor; returns where each went. `bytes_precede(i, j)` decides
    // between slots of one key.
    template <class Precede>
    std::vector<std::uint32_t> place(const std::string &name, const std::vector<Slot> &slots,
                                     Precede &&bytes_precede) {
        const std::size_t homes = slots.empty() ? 0 : slots.size() + slots.size() / 2 + 4;
        std::vector<std::uint32_t> places = find_homes(slots, homes), behind;
        for (std::uint32_t i = 0; i < slots.size(); ++i)
            if (places[i] == not_needed) behind.push_back(i);
        std::sort(behind.begin(), behind.end(), [&](std::uint32_t i, std::uint32_t j) {
            return slots[i].key != slots[j].key ? slots[i].key < slots[j].key : bytes_precede(i, j);
        });
        for (std::size_t i = 0; i < behind.size(); ++i)
            places[behind[i]] = static_cast<std::uint32_t>(homes + i);
        const std::size_t capacity = homes + behind.size();
        Slot *table = as_slots(tensors_.add<std::uint64_t>(name, 2 * capacity));
        for (std::size_t i = 0; i < slots.size(); ++i) {
            table[places[i]] = slots[i];
            if (slots[i].column != no_column)
                origin_[slots[i].column] = static_cast<std::uint32_t>(base_ + places[i]);
        }
        base_ += capacity;
        homes_.push_back(homes);
        return places;
    }

    void strings(const StringTable &table, const std::string &name,
                 std::vector<std::uint32_t> &slot_of) {
        std::vector<Slot> slots = needed(table.table(), slot_of);
        std::vector<std::uint32_t> ids;
        std::vector<std::uint64_t> ends;
        std::vector<unsigned char> bytes;
        for (Slot &slot : slots) {
            ids.push_back(slot.id);
            slot.column = term(slot);
            const std::uint32_t id = slot.id;
            slot.id = static_cast<std::uint32_t>(ends.size());
            if (!(slot.key & long_string)) continue;
            slot.key = string_key(table.bytes(id), table.length(id));
            bytes.insert(bytes.end(), table.bytes(id), table.bytes(id) + table.length(id));
            ends.push_back(bytes.size());
        }
        const auto view = [&](std::uint32_t i) {
            const auto *first = reinterpret_cast<const char *>(table.bytes(ids[i]));
            return std::string_view(first, table.length(ids[i]));
        };
        const auto places = place(name, slots, [&](auto i, auto j) { return view(i) < view(j); });
        for (std::size_t i = 0; i < ids.size(); ++i) slot_of[ids[i]] = places[i];
        add_ends(tensors_, name, ends.data(), ends.size());
        tensors_.add_copy(name + "_bytes", bytes.data(), bytes.size());
    }

    void pairs(const PairTable &table, const std::vector<std::uint32_t> &prefix_slots,
               std::vector<std::uint32_t> &slot_of, const std::string &name) {
        std::vector<Slot> slots = needed(table.table(), slot_of);
        std::vector<std::uint32_t> ids;
        for (Slot &slot : slots) {
            ids.push_back(slot.id);
            const std::uint64_t old = slot.key - 1;
            slot = {pair_key(prefix_slots[old >> 32], words_[static_cast<std::uint32_t>(old)]), 0,
                    term(slot)};
        }
        const auto places = place(name, slots, [](auto, auto) { return false; });
        for (std::size_t i = 0; i < ids.size(); ++i) slot_of[ids[i]] = places[i];
    }

    const Vocabulary &all_;
    Tensors &tensors_;
    std::vector<std::int32_t> term_of_;               // by column
    std::vector<std::uint32_t> origin_, words_;       // by term; by word
    std::vector<std::vector<std::uint32_t>> levels_;  // by n-gram
    std::vector<std::uint64_t> homes_;                // by table
    std::vector<std::uint32_t> probes_;
    std::size_t base_ = 0;
};

void freeze_bucket_names(const Features &features, const std::vector<std::int32_t> &terms,
                         Tensors &tensors) {
    std::vector<std::uint64_t> ends;
    std::vector<unsigned char> bytes;
    for (const std::int32_t column : terms) {
        const BucketNames *names = features.bucket_names();
        const std::string_view name =
            names ? names->name(static_cast<std::uint32_t>(column)) : std::string_view();
        bytes.insert(bytes.end(), name.begin(), name.end());
        ends.push_back(bytes.size());
    }
    add_ends(tensors, "name", ends.data(), ends.size());
    tensors.add_copy("name_bytes", bytes.data(), bytes.size());
}

// One bit a term, set where it is an n-gram of characters.
void freeze_blocks(const Features &features, const std::vector<std::int32_t> &terms,
                   Tensors &tensors) {
    auto *bits = tensors.add<unsigned char>("blocks", (terms.size() + 7) / 8);
    for (std::size_t i = 0; i < terms.size(); ++i)
        if (features.block(static_cast<std::uint32_t>(terms[i])) == Block::chars)
            bits[i / 8] |= static_cast<unsigned char>(1 << i % 8);
}

// The terms that predicting needs, by ascending column.
std::vector<std::int32_t> kept_terms(const Features &features,
                                     const std::optional<std::vector<std::int32_t>> &used,
                                     bool keep_unused) {
    if (used && !keep_unused) return *used;
    std::vector<std::int32_t> terms;
    std::size_t next = 0;
    for (std::size_t column = 0; column < features.n_columns(); ++column) {
        const bool in_use =
            !used || (next < used->size() && (*used)[next] == static_cast<std::int32_t>(column));
        if (used && in_use) ++next;
        const bool learnt = !features.hashing() ||
                            (column < features.frequency.size() && features.frequency[column]);
        if (learnt || in_use) terms.push_back(static_cast<std::int32_t>(column));
    }
    return terms;
}

}  // namespace

Tensors freeze(const Features &features, const std::optional<std::vector<std::int32_t>> &used,
               bool keep_unused, bool with_idf) {
    Tensors tensors;
    const std::vector<std::int32_t> terms = kept_terms(features, used, keep_unused);
    if (features.hashing())
        freeze_bucket_names(features, terms, tensors);
    else
        Freezer(features.vocabulary(), terms, tensors).write();
    if (features.settings().blocks && !features.hashing()) freeze_blocks(features, terms, tensors);
    if (terms.size() != features.n_columns())
        tensors.add_copy("columns", terms.data(), terms.size());
    if (with_idf) {
        std::vector<double> idf(terms.size());
        for (std::size_t i = 0; i < terms.size(); ++i)
            if (static_cast<std::size_t>(terms[i]) < features.idf.size())
                idf[i] = features.idf[terms[i]];
        add_idf(tensors, idf);
    }
    if (used && used->size() != terms.size()) {
        std::int32_t *rows = tensors.add<std::int32_t>("weight_rows", terms.size());
        std::int32_t *back = tensors.add<std::int32_t>("used", used->size());
        for (std::size_t i = 0, row = 0; i < terms.size(); ++i) {
            const bool in_use = row < used->size() && (*used)[row] == terms[i];
            if (in_use) back[row] = static_cast<std::int32_t>(i);
            rows[i] = in_use ? static_cast<std::int32_t>(row++) : no_column;
        }
    }
    return tensors;
}

}  // namespace hardlimit::text
