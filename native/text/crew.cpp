// Counting the features of a batch by several threads: the same rows, vocabulary and frequencies as
// by one.
#include "text/crew.hpp"

#include <numeric>

#include "text/features.hpp"
#include "text/merge.hpp"

namespace hardlimit::text {
namespace {

constexpr std::size_t merging_costs = 4;  // so much more must be worth a thread that is merged
constexpr std::size_t many_columns = 100000;
constexpr std::size_t bytes_of_round = std::size_t(1) << 20;  // of each worker
constexpr std::size_t cost_of_document = 64;                  // beside its bytes, in bytes
constexpr std::size_t least_tokens = std::size_t(1) << 14;    // that are worth a thread

// Turns the tokens of documents from `first` to `end` of a run into rows whose cells begin there.
void write_rows(const VocabularyRun &run, const std::int32_t *columns, int bits, std::size_t first,
                std::size_t end, std::int32_t *to, std::uint32_t *counts) {
    ColumnSorter sorter;
    Columns sorted;
    for (std::size_t document = first; document < end; ++document) {
        const std::size_t begin = document ? run.ends[document - 1] : 0;
        const std::size_t n = run.ends[document] - begin;
        sorted.clear();
        std::uint32_t *const from = sorted.extend(n + 1);
        const std::uint32_t *const tokens = run.tokens.data() + begin;
        for (std::size_t i = 0; i < n; ++i)
            from[i] = static_cast<std::uint32_t>(columns[tokens[i]]);
        sorter.sort(from, n, bits);
        from[n] = 0xFFFFFFFF;
        const std::size_t kept = count_repeats(from, n, to, counts);
        to += kept;
        counts += kept;
    }
}

// Appends the documents of a run, in the columns of the whole, side by side.
void append(Rows &rows, const VocabularyRun &run, const std::int32_t *columns, int bits,
            Team &team) {
    const std::size_t n = run.n_documents();
    const std::size_t before = rows.columns.size();
    std::int64_t *const starts = rows.starts.extend(n);
    std::int64_t next = static_cast<std::int64_t>(before);
    for (std::size_t i = 0; i < n; ++i) starts[i] = next += run.sizes[i];
    std::int32_t *const to = rows.columns.extend(static_cast<std::size_t>(next) - before);
    std::uint32_t *const counts = rows.counts.extend(static_cast<std::size_t>(next) - before);
    const std::size_t n_tokens = run.tokens.size();
    const std::size_t n_parts =
        std::clamp<std::size_t>(n_tokens / least_tokens, 1, 4 * team.n_workers());
    const auto document_at = [&](std::size_t part) {
        const std::uint64_t token = n_tokens * part / n_parts;
        const std::uint64_t *const ends = run.ends.data();
        return static_cast<std::size_t>(std::lower_bound(ends, ends + n, token) - ends);
    };
    team.run(n_parts, [&](std::size_t part, std::size_t) {
        const std::size_t first = part ? document_at(part) : 0;
        const std::size_t end = part + 1 < n_parts ? document_at(part + 1) : n;
        if (first >= end) return;
        const std::size_t cell = (first ? starts[first - 1] : std::int64_t(before)) - before;
        write_rows(run, columns, bits, first, end, to + cell, counts + cell);
    });
}

// Appends the rows of all parts in their order, side by side.
void append(Rows &rows, const std::deque<Rows> &parts, std::size_t n_parts, Team &team) {
    std::vector<std::size_t> cells{rows.columns.size()}, places{rows.starts.size()};
    for (std::size_t part = 0; part < n_parts; ++part) {
        cells.push_back(cells.back() + parts[part].columns.size());
        places.push_back(places.back() + parts[part].n_rows());
    }
    rows.columns.extend(cells.back() - cells[0]);
    rows.counts.extend(cells.back() - cells[0]);
    rows.starts.extend(places.back() - places[0]);
    team.run(n_parts, [&](std::size_t part, std::size_t) {
        const Rows &from = parts[part];
        const std::size_t n = from.columns.size();
        if (n) {
            std::memcpy(rows.columns.data() + cells[part], from.columns.data(), n * 4);
            std::memcpy(rows.counts.data() + cells[part], from.counts.data(), n * 4);
        }
        std::int64_t *const starts = rows.starts.data() + places[part];
        for (std::size_t row = 0; row < from.n_rows(); ++row)
            starts[row] = from.starts[row + 1] + static_cast<std::int64_t>(cells[part]);
    });
}

}  // namespace

std::vector<Documents> cut(Documents documents, std::size_t most, std::size_t least_bytes,
                           double first_share) {
    std::size_t cost = 0;
    if (documents.empty()) return {};
    for (const Source &document : documents) cost += document.size + cost_of_document;
    const std::size_t n =
        std::clamp<std::size_t>(cost / std::max<std::size_t>(1, least_bytes), 1, most);
    const double share = static_cast<double>(cost) / (static_cast<double>(n - 1) + first_share);
    std::vector<Documents> parts;
    std::size_t first = 0, done = 0;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        done += documents[i].size + cost_of_document;
        const double end = share * (static_cast<double>(parts.size()) + first_share);
        if (static_cast<double>(done) < end && i + 1 < documents.size()) continue;
        parts.push_back(documents.subspan(first, i + 1 - first));
        first = i + 1;
    }
    return parts;
}

// The terms of a byte of text, roughly: short texts of many n-grams are worth threads too.
std::size_t Features::terms_of_byte() const {
    const Range &chars = settings_.chars;
    return 1 + (chars.any() ? 2 * static_cast<std::size_t>(chars.most - chars.least + 1) : 0);
}

std::uint64_t Features::count(Documents documents, bool learn, bool keep, Rows &rows, Crew &crew) {
    const bool growing = learn && !hashing() && !closed;
    const std::size_t least_bytes = crew.least_bytes / terms_of_byte();
    if (growing) {
        // The first part is looked up in the whole, whose tables are larger than those of a run.
        const double first_share = n_columns() > many_columns ? 0.75 : 1;
        const auto parts =
            cut(documents, crew.team.n_workers(), merging_costs * least_bytes, first_share);
        if (parts.size() > 1) return learn_side_by_side(parts, keep, rows, crew);
    } else if (!crew.team.alone()) {
        // In rounds, so that the rows of a part stay in the cache until they are copied.
        std::uint64_t replaced = 0;
        for (const Documents round :
             cut(documents, documents.size(), bytes_of_round * crew.team.n_workers())) {
            const auto parts = cut(round, crew.team.n_workers(), least_bytes);
            replaced += parts.size() > 1 ? count_side_by_side(parts, learn, rows, crew)
                                         : count(round, learn, rows, crew.pause(0));
        }
        return replaced;
    }
    return count(documents, learn, rows, crew.pause(0));
}

std::uint64_t Features::learn_side_by_side(const std::vector<Documents> &parts, bool keep,
                                           Rows &rows, Crew &crew) {
    std::deque<VocabularyRun> &runs = crew.fresh_runs(parts.size() - 1, settings_);
    std::uint64_t replaced = 0;
    // The first part is learnt where it belongs; the others wait for its numbers.
    crew.team.run(parts.size(), [&](std::size_t part, std::size_t worker) {
        if (part)
            runs[part - 1].count(parts[part], settings_, crew.pause(worker));
        else
            replaced = count(parts[0], true, rows, crew.pause(worker));
    });
    for (std::size_t part = 1; part < parts.size(); ++part) {
        Merge merge(*vocabulary_, runs[part - 1], crew.team);
        if (merge.find())
            replaced += learn_run(runs[part - 1], merge, keep ? &rows : nullptr, crew.team);
        else
            replaced += count(parts[part], true, rows, crew.pause(0));
    }
    return replaced;
}

std::uint64_t Features::learn_run(const VocabularyRun &run, Merge &merge, Rows *rows, Team &team) {
    vocabulary_->begin_document();
    try {
        merge.add();
        fit_columns();
        make_room_to_note(run.vocabulary.n_columns);
        if (rows) append(*rows, run, merge.columns(), column_bits(), team);
    } catch (...) {
        vocabulary_->forget_document();
        throw;
    }
    constexpr std::size_t ahead = 16;
    const std::int32_t *const columns = merge.columns();
    const std::size_t n = run.vocabulary.n_columns;
    for (std::size_t i = 0; i < n; ++i) {
        prefetch(frequency.data() + columns[std::min(i + ahead, n - 1)]);
        std::uint32_t &counted = frequency[columns[i]];
        if (!counted) note_new(static_cast<std::uint32_t>(columns[i]));
        counted += run.met[i].n;
    }
    n_documents += run.n_documents();
    return run.replaced;
}

std::uint64_t Features::count_side_by_side(const std::vector<Documents> &parts, bool learn,
                                           Rows &rows, Crew &crew) {
    std::deque<Rows> &rows_of = crew.fresh_rows(parts.size());
    std::vector<std::uint64_t> replaced(parts.size());
    std::deque<BucketNames> names;
    if (learn && hashing()) {
        const BucketNames &known = make_bucket_names();
        while (names.size() < parts.size()) names.emplace_back(settings_.hash_bits, &known);
    }
    crew.team.run(parts.size(), [&](std::size_t part, std::size_t worker) {
        const Pause pause = crew.pause(worker);
        replaced[part] = names.empty()
                             ? count(parts[part], false, rows_of[part], pause)
                             : count_naming(parts[part], names[part], rows_of[part], pause);
    });
    const std::size_t first_row = rows.n_rows();
    append(rows, rows_of, parts.size(), crew.team);
    for (std::size_t part = 0; part < names.size(); ++part) {
        if (names_->add_all(names[part])) continue;
        rows_of[part].clear();
        count_naming(parts[part], *names_, rows_of[part], crew.pause(0));
    }
    if (learn && count_documents_) count_documents_from(rows, first_row, crew.team);
    if (learn) n_documents += rows.n_rows() - first_row;
    return std::accumulate(replaced.begin(), replaced.end(), std::uint64_t(0));
}

// Of the rows from that one on. Each thread counts in a range of columns of its own.
void Features::count_documents_from(const Rows &rows, std::size_t first_row, Team &team) {
    fit_columns();
    const std::size_t n_parts = team.n_workers(), n = n_columns();
    const std::size_t most = std::min(
        rows.columns.size() - static_cast<std::size_t>(rows.starts[first_row]), most_noted);
    make_room_to_note(most);
    std::vector<std::vector<std::uint32_t>> met(n_parts);  // columns, for the first time
    for (auto &of_part : met) of_part.reserve(most + 1);
    team.run(n_parts, [&](std::size_t part, std::size_t) {
        const auto first = static_cast<std::int32_t>(n * part / n_parts);
        const auto end = static_cast<std::int32_t>(n * (part + 1) / n_parts);
        for (std::size_t row = first_row; row < rows.n_rows(); ++row) {
            const std::int32_t *const last = rows.columns.data() + rows.starts[row + 1];
            const std::int32_t *at =
                std::lower_bound(rows.columns.data() + rows.starts[row], last, first);
            for (; at < last && *at < end; ++at) {
                prefetch(frequency.data() + at[std::min<std::ptrdiff_t>(16, last - at - 1)]);
                if (++frequency[*at] == 1 && met[part].size() <= most)
                    met[part].push_back(static_cast<std::uint32_t>(*at));
            }
        }
    });
    for (const auto &of_part : met)
        for (const std::uint32_t column : of_part) note_new(column);
}

}  // namespace hardlimit::text
