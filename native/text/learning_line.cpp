#include "text/learning_line.hpp"

namespace hardlimit::text {
namespace {

// Where the sizes of a vocabulary stand.
enum Size : std::size_t { n_columns, n_words, n_runs, n_chars, n_pairs };

// Looks strings up and adds those that are new, with provisional columns.
class LearningStrings {
  public:
    LearningStrings(StringTable &table, std::size_t &n_new) : table_(table), n_new_(n_new) {}

    HARDLIMIT_INLINE void prefetch_string(Strings, std::uint64_t key) const {
        table_.prefetch_key(key);
    }
    HARDLIMIT_INLINE bool glance_at_string(Strings, std::uint64_t key, Found &found) const {
        return Learning::glance(table_.table(), key, found) & !(key & long_string);
    }
    HARDLIMIT_INLINE Found string(Strings, std::uint64_t key, const Byte *at, std::size_t size) {
        bool added;
        Slot &slot = table_.find_or_add(key, at, size, added);
        if (added) slot.column = NewColumns::provisional(n_new_++);
        return {slot.id, slot.column};
    }

  private:
    StringTable &table_;
    std::size_t &n_new_;
};

// Looks up keys whose slots were asked for: `note(i, slot)` for each, and where its first slot does
// not settle it, `search(i)` later, in the order of the keys. Nobody can predict which these are,
// so that there is no branch on it. `prepare` gets their places before.
template <class Note, class Prepare, class Search>
HARDLIMIT_INLINE void find_block(const SlotTable &table, const std::uint64_t *keys, std::size_t n,
                                 std::uint64_t never, Note &&note, Prepare &&prepare,
                                 Search &&search) {
    std::uint32_t left[256];
    std::size_t n_left = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const Slot slot = table.home_slot(keys[i]);
        note(i, slot);
        left[n_left] = static_cast<std::uint32_t>(i);
        n_left += !((slot.key == keys[i]) & !(keys[i] & never));
    }
    prepare(left, n_left);
    for (std::size_t j = 0; j < n_left; ++j) note(left[j], search(left[j]));
}

}  // namespace

LearningLine::LearningLine(Vocabulary &all, const Settings &settings, Crew &crew,
                           const std::vector<Documents> &units, std::size_t n_bytes)
    : all_(all),
      settings_(settings),
      crew_(crew),
      units_(units),
      open_(crew.units()),
      n_levels_(all.grams.size() + 1),
      n_stages_(6 + (n_levels_ > 2 ? n_levels_ - 2 : 0)),
      n_new_words_(n_levels_),
      new_keys_(n_levels_),
      of_runs_(n_bytes),
      of_chars_(n_bytes * static_cast<std::size_t>(settings.chars.most - settings.chars.least + 1)),
      before_(all.sizes()),
      learnt_(before_) {
    for (std::size_t level = 0; level < n_levels_; ++level) of_words_.emplace_back(n_bytes);
}

std::size_t LearningLine::run(const std::function<void(const Unit &)> &add) {
    add_ = &add;
    std::vector<bool> is_shared(n_stages_);
    is_shared[0] = is_shared[n_stages_ - 2] = true;
    Pipeline line(crew_.team, is_shared, units_.size(), open_.size());
    try {
        line.run([this](std::size_t stage, std::size_t unit, std::size_t worker) {
            work(stage, unit, worker);
        });
    } catch (const Full &) {
        settle(nullptr);
        return line.n_passed();
    } catch (...) {
        settle(nullptr);
        throw;
    }
    settle(&crew_.team);
    return line.n_passed();
}

void LearningLine::work(std::size_t stage, std::size_t number_of_unit, std::size_t worker) {
    Unit &unit = open_[number_of_unit % open_.size()];
    if (stage == 0) {
        unit.begin(units_[number_of_unit], n_levels_, before_.size());
        return cut_words(unit);
    }
    if (stage == 1) return find_words(unit, crew_.pause(worker));
    if (stage == 2) return find_chars(unit, crew_.pause(worker));
    if (stage < n_stages_ - 3) return find_grams(unit, stage - 2, crew_.pause(worker));
    if (stage == n_stages_ - 3) return number(unit, crew_.pause(worker));
    if (stage == n_stages_ - 2) return make_rows(unit);
    (*add_)(unit);
    learnt_ = unit.sizes;
}

void LearningLine::cut_words(Unit &unit) const {
    for (std::size_t i = 0; i < unit.documents.size(); ++i) {
        Lowered &lowered = unit.lowered[i];
        lowered.assign(unit.documents[i]);
        unit.replaced += lowered.replaced();
        if (settings_.words.any())
            cut_kept_words(lowered, settings_.stop_words.get(),
                           [&](const Byte *at, std::size_t size) HARDLIMIT_INLINE_LAMBDA {
                               unit.words.push({string_key(at, size), at, size});
                           });
        unit.word_ends.push(unit.words.size());
    }
}

void LearningLine::find_words(Unit &unit, Pause pause) {
    StringTable &table = all_.words;
    const bool with_columns = has_columns(0);
    const std::size_t n = unit.words.size();
    std::uint64_t keys[block_size];
    std::uint32_t scratch[block_size];
    unit.ids[0].extend(n);
    unit.columns[0].extend(n);
    for (std::size_t first = 0; first < n; first += block_size) {
        const std::size_t size = std::min(block_size, n - first);
        const Unit::Word *const words = unit.words.data() + first;
        std::uint32_t *const ids = unit.ids[0].data() + first, *const columns =
                                                                   unit.columns[0].data() + first;
        pause.after(size);
        for (std::size_t i = 0; i < size; ++i) table.prefetch_key(keys[i] = words[i].key);
        find_block(
            table.table(), keys, size, long_string,
            [&](std::size_t i, const Slot &slot) {
                ids[i] = slot.id;
                columns[i] = static_cast<std::uint32_t>(slot.column);
            },
            [&](const std::uint32_t *left, std::size_t n_left) {
                table.prefetch_bytes(keys, left, n_left, scratch);
            },
            [&](std::size_t i) -> const Slot & {
                bool added;
                Slot &slot = table.find_or_add(keys[i], words[i].at, words[i].size, added);
                if (added && with_columns) slot.column = NewColumns::provisional(n_new_words_[0]++);
                return slot;
            });
    }
    LearningStrings lookup(all_.runs, n_new_runs_);
    Walk<LearningStrings> walk(settings_, lookup, std::move(pause));
    for (std::size_t i = 0; i < unit.documents.size(); ++i) {
        if (settings_.words.any() && unit.lowered[i].has_unspaced())
            walk.runs(unit.lowered[i], unit.runs);
        unit.run_ends.push(unit.runs.size());
    }
    unit.sizes[n_words] = table.size();
    unit.sizes[n_runs] = all_.runs.size();
}

void LearningLine::find_chars(Unit &unit, Pause pause) {
    LearningStrings lookup(all_.chars, n_new_chars_);
    Walk<LearningStrings> walk(settings_, lookup, std::move(pause));
    for (std::size_t i = 0; i < unit.documents.size(); ++i) {
        if (settings_.chars.any()) walk.chars(unit.lowered[i], unit.chars);
        unit.char_ends.push(unit.chars.size());
    }
    unit.sizes[n_chars] = all_.chars.size();
}

// Of n-grams that end at the words from `first` to `end`, a block at most. `new_column(key)` is
// that of a new one.
template <class NewColumn>
HARDLIMIT_INLINE void LearningLine::find_grams_of(Unit &unit, std::size_t level, std::size_t first,
                                                  std::size_t end, NewColumn &&new_column) {
    if (first >= end) return;
    PairTable &table = all_.grams[level - 1];
    const std::uint32_t *const words = unit.ids[0].data() + first, *const shorter =
                                                                       unit.ids[level - 1].data() +
                                                                       first - 1;
    std::uint32_t *const ids = unit.ids[level].data() + first, *const columns =
                                                                   unit.columns[level].data() +
                                                                   first;
    std::uint64_t keys[block_size];
    for (std::size_t i = 0; i < end - first; ++i)
        table.prefetch_key(keys[i] = pair_key(shorter[i], words[i]));
    find_block(
        table.table(), keys, end - first, 0,
        [&](std::size_t i, const Slot &slot) {
            ids[i] = slot.id;
            columns[i] = static_cast<std::uint32_t>(slot.column);
        },
        [&](const std::uint32_t *left, std::size_t n_left) {
            for (std::size_t j = 0; j < n_left; ++j) table.table().prefetch_behind(keys[left[j]]);
        },
        [&](std::size_t i) -> const Slot & {
            bool added;
            Slot &slot = table.find_or_add(keys[i], added);
            if (added) slot.column = new_column(keys[i]);
            return slot;
        });
}

void LearningLine::find_grams(Unit &unit, std::size_t level, Pause pause) {
    unit.ids[level].extend(unit.words.size());
    unit.columns[level].extend(unit.words.size());
    const bool with_columns = has_columns(level);
    std::size_t begin = 0;
    for (std::size_t document = 0; document < unit.documents.size(); ++document) {
        const std::size_t end = unit.word_ends[document];
        for (std::size_t at = begin + level; at < end; at += block_size) {
            pause.after(block_size);
            find_grams_of(unit, level, at, std::min(at + block_size, end), [&](std::uint64_t key) {
                if (!with_columns) return no_column;
                new_keys_[level].push(key);
                return NewColumns::provisional(n_new_words_[level]++);
            });
        }
        begin = end;
    }
    unit.sizes[n_pairs + level - 1] = all_.grams[level - 1].size();
}

// Also finds the longest n-grams, whose columns are final at once.
void LearningLine::number(Unit &unit, Pause pause) {
    const std::size_t longest = n_levels_ - 1;
    if (longest) unit.ids[longest].extend(unit.words.size());
    if (longest) unit.columns[longest].extend(unit.words.size());
    std::size_t begin = 0, first_run = 0, first_char = 0;
    for (std::size_t document = 0; document < unit.documents.size(); ++document) {
        const std::size_t end = unit.word_ends[document];
        for (std::size_t at = begin; at < end; at += block_size) {
            const std::size_t stop = std::min(at + block_size, end);
            pause.after(block_size);
            for (std::size_t level = 0; level < std::max<std::size_t>(1, longest); ++level)
                if (has_columns(level))
                    number_new(of_words_[level], unit.columns[level], std::max(at, begin + level),
                               stop, Block::words);
            if (!longest) continue;
            find_grams_of(unit, longest, std::max(at, begin + longest), stop, [&](std::uint64_t) {
                if (all_.n_columns >= all_.limit) throw Full();
                return all_.next_column(Block::words);
            });
        }
        number_new(of_runs_, unit.runs, first_run, unit.run_ends[document], Block::words);
        number_new(of_chars_, unit.chars, first_char, unit.char_ends[document], Block::chars);
        begin = end;
        first_run = unit.run_ends[document];
        first_char = unit.char_ends[document];
    }
    unit.sizes[n_columns] = all_.n_columns;
    if (longest) unit.sizes[n_pairs + longest - 1] = all_.grams[longest - 1].size();
}

void LearningLine::number_new(NewColumns &of_table, const Columns &met, std::size_t first,
                              std::size_t end, Block block) {
    if (first >= end) return;
    const std::uint32_t before = all_.n_columns;
    const std::uint32_t next = of_table.number(met.data() + first, end - first, before);
    if (next > all_.limit) throw Full();
    all_.n_columns = next;
    if (!all_.with_blocks) return;
    for (std::uint32_t column = before; column < next; ++column) all_.blocks.set(column, block);
}

void LearningLine::make_rows(Unit &unit) const {
    const int bits = std::max<int>(1, std::bit_width(unit.sizes[n_columns]));
    Columns columns;
    std::uint32_t *to = nullptr;
    const auto take = [&](const NewColumns &of_table, const Columns &from, std::size_t first,
                          std::size_t end) {
        const std::uint32_t *const met = from.data();
        for (std::size_t i = first; i < end; ++i) {
            const std::int32_t column = of_table.final_for(static_cast<std::int32_t>(met[i]));
            *to = static_cast<std::uint32_t>(column);
            to += column != no_column;
        }
    };
    std::size_t begin = 0, first_run = 0, first_char = 0;
    for (std::size_t document = 0; document < unit.documents.size(); ++document) {
        const std::size_t end = unit.word_ends[document], end_run = unit.run_ends[document],
                          end_char = unit.char_ends[document];
        columns.clear();
        to = columns.extend((end - begin) * n_levels_ + (end_run - first_run) +
                            (end_char - first_char));
        for (std::size_t level = 0; level < n_levels_; ++level)
            if (has_columns(level)) take(of_words_[level], unit.columns[level], begin + level, end);
        take(of_runs_, unit.runs, first_run, end_run);
        take(of_chars_, unit.chars, first_char, end_char);
        columns.shrink_to(static_cast<std::size_t>(to - columns.data()));
        unit.rows.add(columns, bits);
        begin = end;
        first_run = end_run;
        first_char = end_char;
    }
}

// Forgets what units left behind that were not learnt, and writes the final columns into the
// tables, by several threads where there is a team.
void LearningLine::settle(Team *team) noexcept {
    all_.forget_after(learnt_);
    if (has_columns(0)) settle_strings(team, all_.words, before_[n_words], of_words_[0]);
    settle_strings(team, all_.runs, before_[n_runs], of_runs_);
    settle_strings(team, all_.chars, before_[n_chars], of_chars_);
    for (std::size_t level = 1; level + 1 < n_levels_; ++level) {
        if (!has_columns(level)) continue;
        PairTable &table = all_.grams[level - 1];
        const std::uint64_t *const keys = new_keys_[level].data();
        settle_table(team, table.size() - before_[n_pairs + level - 1], [&](std::size_t i) {
            bool added;
            table.find_or_add(keys[i], added).column = of_words_[level][i];
        });
    }
}

void LearningLine::settle_strings(Team *team, StringTable &table, std::size_t before,
                                  const NewColumns &columns) noexcept {
    settle_table(team, table.size() - before, [&](std::size_t i) {
        const auto id = static_cast<std::uint32_t>(before + i);
        const Byte *const at = table.bytes(id);
        const std::size_t size = table.length(id);
        bool added;
        table.find_or_add(string_key(at, size), at, size, added).column = columns[i];
    });
}

// Calls `give(i)` for the i-th new term of a table.
template <class Give>
void LearningLine::settle_table(Team *team, std::size_t n_new, Give &&give) noexcept {
    constexpr std::size_t least_part = 4096;
    const std::size_t n_parts =
        team ? std::clamp<std::size_t>(n_new / least_part, 1, 4 * team->n_workers()) : 1;
    const auto part_of = [&](std::size_t part, std::size_t) {
        for (std::size_t i = n_new * part / n_parts; i < n_new * (part + 1) / n_parts; ++i) give(i);
    };
    if (team) return team->run_to_end(n_parts, part_of);
    part_of(0, 0);
}

}  // namespace hardlimit::text
