#include "text/merge.hpp"

namespace hardlimit::text {
namespace {

constexpr std::int32_t is_new = -2;       // a column that the whole has not
constexpr std::size_t block = 64;         // look-ups whose lines are asked for together
constexpr std::size_t least_part = 4096;  // terms that are worth a thread

}  // namespace

Merge::Merge(Vocabulary &all, VocabularyRun &run, Team &team)
    : all_(all),
      run_(run),
      team_(team),
      columns_(run.columns),
      words_(run.word_ids),
      runs_(run.run_ids),
      chars_(run.char_ids),
      levels_(run.level_ids),
      n_new_(all.grams.size()) {}

// Calls `work(first, end)` for parts of 0 to n, side by side.
template <class Work>
void Merge::each_part(std::size_t n, Work &&work) {
    const std::size_t n_parts = std::clamp<std::size_t>(n / least_part, 1, team_.n_workers());
    team_.run(n_parts, [&](std::size_t part, std::size_t) {
        work(n * part / n_parts, n * (part + 1) / n_parts);
    });
}

bool Merge::find() {
    std::fill_n(columns_.extend(run_.vocabulary.n_columns), run_.vocabulary.n_columns, is_new);
    find_strings(all_.words, run_.vocabulary.words, run_.words, words_);
    find_strings(all_.runs, run_.vocabulary.runs, run_.runs, runs_);
    find_strings(all_.chars, run_.vocabulary.chars, run_.chars, chars_);
    for (std::size_t level = 0; level < levels_.size(); ++level) find_pairs(level);
    std::size_t n_new = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) n_new += columns_[i] == is_new;
    return !is_odd_ && n_new <= all_.limit - all_.n_columns;
}

// Where the whole has the term; else it stays a new one.
HARDLIMIT_INLINE void Merge::settle(const Slot *found, std::uint32_t &id, std::int32_t column) {
    if (!found) return;
    id = found->id;
    // A vocabulary from outside may hold terms without columns that learning gives one, or not.
    if ((found->column == no_column) != (column == no_column)) is_odd_ = true;
    if (column != no_column) columns_.data()[column] = found->column;
}

void Merge::find_strings(const StringTable &in, const StringTable &from, const RunTerms &terms,
                         Ids &ids) {
    std::uint32_t *const to = ids.extend(terms.size());
    each_part(terms.size(), [&](std::size_t first, std::size_t end) {
        std::fill(to + first, to + end, no_id);
        for (; first < end; first += std::min(block, end - first)) {
            const std::size_t stop = std::min(first + block, end);
            for (std::size_t i = first; i < stop; ++i) in.prefetch_key(terms[i].key);
            for (std::size_t i = first; i < stop; ++i) {
                const auto id = static_cast<std::uint32_t>(i);
                settle(in.find(terms[i].key, from.bytes(id), from.length(id)), to[i],
                       terms[i].column);
            }
        }
    });
    number_new(ids, in.size());
}

// Also makes the keys those of the whole.
void Merge::find_pairs(std::size_t level) {
    RunTerms &terms = run_.levels[level];
    const PairTable &in = all_.grams[level];
    const Ids &prefixes = level ? levels_[level - 1] : words_;
    const std::size_t n_words = all_.words.size(),
                      n_prefixes = level ? all_.grams[level - 1].size() : n_words;
    std::uint32_t *const to = levels_[level].extend(terms.size());
    each_part(terms.size(), [&](std::size_t first, std::size_t end) {
        std::uint32_t known[block];  // whose parts the whole has; nobody can predict that
        std::fill(to + first, to + end, no_id);
        for (; first < end; first += std::min(block, end - first)) {
            const std::size_t stop = std::min(first + block, end);
            std::size_t n_known = 0;
            for (std::size_t i = first; i < stop; ++i) {
                RunTerm &term = terms.data()[i];
                const std::uint32_t prefix = prefixes[(term.key - 1) >> 32],
                                    last = words_[static_cast<std::uint32_t>(term.key - 1)];
                term.key = pair_key(prefix, last);
                in.prefetch_key(term.key);
                known[n_known] = static_cast<std::uint32_t>(i);
                n_known += (prefix < n_prefixes) & (last < n_words);
            }
            for (std::size_t j = 0; j < n_known; ++j) {
                const RunTerm &term = terms.data()[known[j]];
                settle(in.find(term.key), to[known[j]], term.column);
            }
        }
    });
    n_new_[level] = number_new(levels_[level], in.size());
}

// Numbers those that are new behind those before; returns how many they are.
std::size_t Merge::number_new(Ids &ids, std::size_t n_before) {
    auto next = static_cast<std::uint32_t>(n_before);
    std::uint32_t *const all = ids.data();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const bool unknown = all[i] == no_id;
        all[i] = unknown ? next : all[i];
        next += unknown;
    }
    return next - n_before;
}

void Merge::add() {
    number_columns();
    add_strings(all_.words, run_.vocabulary.words, run_.words, words_);
    add_strings(all_.runs, run_.vocabulary.runs, run_.runs, runs_);
    add_strings(all_.chars, run_.vocabulary.chars, run_.chars, chars_);
    for (std::size_t level = 0; level < levels_.size(); ++level) add_pairs(level);
}

void Merge::number_columns() {
    std::int32_t *const columns = columns_.data();
    if (all_.with_blocks) {
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (columns[i] == is_new) columns[i] = all_.next_column(run_.vocabulary.blocks[i]);
        return;
    }
    auto next = static_cast<std::int32_t>(all_.n_columns);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const bool unknown = columns[i] == is_new;
        columns[i] = unknown ? next : columns[i];
        next += unknown;
    }
    all_.n_columns = static_cast<std::uint32_t>(next);
}

void Merge::add_strings(StringTable &to, const StringTable &from, const RunTerms &terms,
                        const Ids &ids) {
    const std::size_t n_before = to.size();
    for (std::size_t first = 0; first < terms.size(); first += block) {
        const std::size_t stop = std::min(first + block, terms.size());
        for (std::size_t i = first; i < stop; ++i) to.prefetch_key(terms[i].key);
        for (std::size_t i = first; i < stop; ++i) {
            if (ids[i] < n_before) continue;
            bool added;
            const auto id = static_cast<std::uint32_t>(i);
            Slot &slot = to.find_or_add(terms[i].key, from.bytes(id), from.length(id), added);
            if (terms[i].column != no_column) slot.column = columns_[terms[i].column];
        }
    }
}

void Merge::add_pairs(std::size_t level) {
    SlotTable &to = all_.grams[level].table();
    const RunTerms &terms = run_.levels[level];
    const Ids &ids = levels_[level];
    const std::size_t n_before = to.size();
    to.reserve(n_new_[level]);
    to.count_placed(n_new_[level]);
    const auto slot_of = [&](std::size_t i) -> Slot {
        const std::int32_t column = terms[i].column;
        return {terms[i].key, ids[i], column == no_column ? no_column : columns_[column]};
    };
    const std::size_t n_parts =
        std::clamp<std::size_t>(n_new_[level] / least_part, 1, team_.n_workers());
    std::vector<std::vector<std::uint32_t>> left(n_parts);  // whose search leaves its part
    team_.run(n_parts, [&](std::size_t part, std::size_t) {
        const std::size_t first = to.capacity() * part / n_parts,
                          end = to.capacity() * (part + 1) / n_parts;
        std::uint32_t own[block];
        std::size_t n_own = 0;
        const auto place = [&] {
            for (std::size_t j = 0; j < n_own; ++j)
                if (!to.place_within(slot_of(own[j]), end)) left[part].push_back(own[j]);
            n_own = 0;
        };
        for (std::size_t i = 0; i < terms.size(); ++i) {
            const std::uint64_t key = terms[i].key;
            own[n_own] = static_cast<std::uint32_t>(i);
            n_own += (ids[i] >= n_before) & to.begins_within(key, first, end);
            if (n_own < block) continue;
            for (const std::uint32_t one : own) to.prefetch_key(terms[one].key);
            place();
        }
        place();
    });
    for (const auto &of_part : left)
        for (const std::uint32_t i : of_part) to.place(slot_of(i));
}

}  // namespace hardlimit::text
