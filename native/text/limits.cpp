// A vocabulary that is limited to some of its terms, or given from outside; it grows no more.
#include <algorithm>
#include <stdexcept>

#include "text/features.hpp"
#include "text/written.hpp"

namespace hardlimit::text {
namespace {

std::vector<Slot> by_number(const SlotTable &table) {
    std::vector<Slot> slots(table.size());
    for (std::size_t s = 0; s < table.capacity(); ++s)
        if (table.slot(s).key) slots[table.slot(s).id] = table.slot(s);
    return slots;
}

// Copies the terms that are kept, and the words and n-grams that longer ones are made of.
class Copier {
  public:
    // `number`: by column the new one, or -1 of terms that are left out.
    Copier(const Vocabulary &from, const std::vector<std::int32_t> &number, Vocabulary &to)
        : from_(from), number_(number), to_(to), words_(by_number(from.words.table())) {
        for (const PairTable &level : from.grams) levels_.push_back(by_number(level.table()));
    }

    void copy() {
        find_parts();
        std::vector<std::uint32_t> words = strings(from_.words, words_, word_is_part_, to_.words);
        strings(from_.runs, by_number(from_.runs.table()), {}, to_.runs);
        strings(from_.chars, by_number(from_.chars.table()), {}, to_.chars);
        std::vector<std::uint32_t> prefixes = words;
        for (std::size_t i = 0; i < levels_.size(); ++i)
            prefixes = pairs(levels_[i], is_part_[i], prefixes, words, to_.grams[i]);
    }

  private:
    std::int32_t number(const Slot &slot) const {
        return slot.column == no_column ? no_column : number_[slot.column];
    }

    // From the longest n-grams down: a prefix is needed by what is needed itself.
    void find_parts() {
        word_is_part_.resize(words_.size());
        for (const auto &level : levels_) is_part_.emplace_back(level.size());
        for (std::size_t i = levels_.size(); i-- > 0;) {
            std::vector<bool> &prefixes = i ? is_part_[i - 1] : word_is_part_;
            for (std::size_t id = 0; id < levels_[i].size(); ++id) {
                const Slot &slot = levels_[i][id];
                if (!is_part_[i][id] && number(slot) == no_column) continue;
                prefixes[(slot.key - 1) >> 32] = true;
                word_is_part_[static_cast<std::uint32_t>(slot.key - 1)] = true;
            }
        }
    }

    // Returns the new number of each string.
    std::vector<std::uint32_t> strings(const StringTable &from, const std::vector<Slot> &slots,
                                       const std::vector<bool> &is_part, StringTable &to) {
        std::vector<std::uint32_t> moved(slots.size(), no_id);
        for (std::uint32_t id = 0; id < slots.size(); ++id) {
            if (number(slots[id]) == no_column && !(id < is_part.size() && is_part[id])) continue;
            bool added;
            const Byte *at = from.bytes(id);
            const std::size_t size = from.length(id);
            Slot &slot = to.find_or_add(string_key(at, size), at, size, added);
            slot.column = number(slots[id]);
            moved[id] = slot.id;
        }
        return moved;
    }

    std::vector<std::uint32_t> pairs(const std::vector<Slot> &slots,
                                     const std::vector<bool> &is_part,
                                     const std::vector<std::uint32_t> &prefixes,
                                     const std::vector<std::uint32_t> &words, PairTable &to) {
        std::vector<std::uint32_t> moved(slots.size(), no_id);
        for (std::size_t id = 0; id < slots.size(); ++id) {
            if (number(slots[id]) == no_column && !is_part[id]) continue;
            const std::uint64_t ids = slots[id].key - 1;
            bool added;
            Slot &slot = to.find_or_add(
                pair_key(prefixes[ids >> 32], words[static_cast<std::uint32_t>(ids)]), added);
            slot.column = number(slots[id]);
            moved[id] = slot.id;
        }
        return moved;
    }

    const Vocabulary &from_;
    const std::vector<std::int32_t> &number_;
    Vocabulary &to_;
    std::vector<Slot> words_;
    std::vector<std::vector<Slot>> levels_;
    std::vector<bool> word_is_part_;
    std::vector<std::vector<bool>> is_part_;
};

std::vector<Block> blocks_of(const Vocabulary &all) {
    std::vector<Block> blocks(all.n_columns, Block::words);
    const SlotTable &chars = all.chars.table();
    for (std::size_t s = 0; s < chars.capacity(); ++s)
        if (chars.slot(s).key && chars.slot(s).column != no_column)
            blocks[chars.slot(s).column] = Block::chars;
    return blocks;
}

// Leaves the `most` columns of each block with the largest counts, the earlier among equals.
void keep_most_frequent(const Rows &rows, const std::vector<Block> &blocks, std::size_t most,
                        std::vector<bool> &kept) {
    std::vector<std::uint64_t> counts(kept.size());
    for (std::size_t i = 0; i < rows.columns.size(); ++i) counts[rows.columns[i]] += rows.counts[i];
    for (const Block block : {Block::words, Block::chars}) {
        std::vector<std::uint32_t> columns;
        for (std::uint32_t column = 0; column < kept.size(); ++column)
            if (kept[column] && blocks[column] == block) columns.push_back(column);
        if (columns.size() <= most) continue;
        std::nth_element(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(most),
                         columns.end(), [&](std::uint32_t a, std::uint32_t b) {
                             return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;
                         });
        for (std::size_t i = most; i < columns.size(); ++i) kept[columns[i]] = false;
    }
}

// The column of a term, which is added. `alone`: no column for the shorter terms that it holds; a
// vocabulary that goes on learning has one for each of them.
std::int32_t add_term(Vocabulary &all, const Written &term, bool alone) {
    if (const auto kind = term.kind()) {
        const std::uint64_t key = string_key(term.inner(), term.inner_size());
        return Learning(all).string(*kind, key, term.inner(), term.inner_size()).column;
    }
    std::uint32_t prefix = no_id;
    Slot *last = nullptr;
    int n = 0;
    const auto number = [&](Slot &slot, bool wanted) {
        if (wanted && slot.column == no_column) slot.column = all.next_column(Block::words);
    };
    term.each_word([&](const Byte *at, std::size_t size) {
        bool added;
        last = &all.words.find_or_add(string_key(at, size), at, size, added);
        number(*last, !alone && all.first_level == 1);
        if (++n > 1) {
            last = &all.level(n).find_or_add(pair_key(prefix, last->id), added);
            number(*last, !alone && n >= all.first_level);
        }
        prefix = last->id;
    });
    number(*last, true);
    return last->column;
}

}  // namespace

std::size_t Features::limit(std::uint64_t fewest, std::uint64_t most_documents,
                            std::optional<std::size_t> most, Rows &rows) {
    const std::size_t n = n_columns();
    const std::vector<Block> blocks = blocks_of(*vocabulary_);
    std::vector<bool> kept(n);
    for (std::size_t column = 0; column < n; ++column)
        kept[column] = frequency[column] >= fewest && frequency[column] <= most_documents;
    if (most) keep_most_frequent(rows, blocks, *most, kept);
    std::vector<std::int32_t> number(n, no_column);
    Zeroed<std::uint32_t> frequencies(n + 1024);
    auto limited = std::make_unique<Vocabulary>(settings_, vocabulary_->limit);
    for (std::size_t column = 0; column < n; ++column) {
        if (!kept[column]) continue;
        number[column] = limited->next_column(blocks[column]);
        frequencies[number[column]] = frequency[column];
    }
    Copier(*vocabulary_, number, *limited).copy();
    rows.renumber(number);
    vocabulary_ = std::move(limited);
    frequency = std::move(frequencies);
    idf = Zeroed<double>();
    look_at_all_columns();
    closed = true;
    return n_columns();
}

std::vector<std::int32_t> Features::add_terms(const std::vector<std::string> &terms) {
    std::vector<std::int32_t> columns;
    columns.reserve(terms.size());
    for (const std::string &term : terms)
        columns.push_back(
            hashing()
                ? HashWalk<BucketNames>(settings_, &make_bucket_names(), {}).term(Written(term))
                : add_term(*vocabulary_, Written(term), closed));
    if (!hashing()) fit_columns(n_columns());
    return columns;
}

void Features::give_vocabulary(const std::vector<std::string> &terms) {
    const std::uint64_t before = vocabulary_->n_columns;
    closed = true;
    add_terms(terms);
    if (vocabulary_->n_columns - before != terms.size())
        throw std::invalid_argument("a term of the vocabulary is given twice");
}

}  // namespace hardlimit::text
