// Counting the features of a batch by several threads: the same rows, vocabulary and frequencies as
// by one.
#include "text/crew.hpp"

#include <numeric>

#include "text/features.hpp"

namespace hardlimit::text {
namespace {

constexpr std::size_t bytes_of_round = std::size_t(1) << 20;  // of each worker
constexpr std::size_t learning_costs = 2;                     // so much more must be worth a thread
// Of a unit that passes the stages of learning: of few texts too there are some.
constexpr std::size_t most_of_unit = std::size_t(1) << 16, least_of_unit = most_of_unit / 4,
                      units_wanted = 32;
constexpr std::size_t cost_of_document = 64;  // beside its bytes, in bytes

// Rows in parts, and where each part belongs behind the rows before.
class Append {
  public:
    Append(Rows &rows, const std::deque<Rows> &parts, std::size_t n_parts)
        : rows_(rows), parts_(parts), cells_{rows.columns.size()}, places_{rows.starts.size()} {
        for (std::size_t part = 0; part < n_parts; ++part) {
            cells_.push_back(cells_.back() + parts[part].columns.size());
            places_.push_back(places_.back() + parts[part].n_rows());
        }
        rows.columns.reserve(n_cells());
        rows.counts.reserve(n_cells());
        rows.starts.reserve(n_rows());
    }
    std::size_t n_parts() const { return cells_.size() - 1; }
    std::size_t n_cells() const { return cells_.back() - cells_[0]; }
    std::size_t n_rows() const { return places_.back() - places_[0]; }

    // To be called before any part is copied. Does not fail.
    void begin() {
        rows_.columns.extend(n_cells());
        rows_.counts.extend(n_cells());
        rows_.starts.extend(n_rows());
    }
    void copy(std::size_t part) {
        const Rows &from = parts_[part];
        const std::size_t n = from.columns.size();
        if (n) {
            std::memcpy(rows_.columns.data() + cells_[part], from.columns.data(), n * 4);
            std::memcpy(rows_.counts.data() + cells_[part], from.counts.data(), n * 4);
        }
        std::int64_t *const starts = rows_.starts.data() + places_[part];
        for (std::size_t row = 0; row < from.n_rows(); ++row)
            starts[row] = from.starts[row + 1] + static_cast<std::int64_t>(cells_[part]);
    }

  private:
    Rows &rows_;
    const std::deque<Rows> &parts_;
    std::vector<std::size_t> cells_, places_;
};

Documents all_of(const std::vector<Documents> &parts) {
    const Source *const first = parts.front().data();
    return {first, parts.back().data() + parts.back().size()};
}

// Columns between which about equal numbers of cells lie: the first ones occur most often.
std::vector<std::int32_t> even_ranges(const std::deque<Rows> &parts, std::size_t n_parts,
                                      std::size_t n_ranges) {
    constexpr std::size_t n_samples = 64;  // of each part
    std::vector<std::int32_t> samples, borders{0};
    for (std::size_t part = 0; part < n_parts; ++part) {
        const Growing<std::int32_t> &columns = parts[part].columns;
        for (std::size_t i = 0; i < n_samples && columns.size(); ++i)
            samples.push_back(columns[columns.size() * i / n_samples]);
    }
    std::sort(samples.begin(), samples.end());
    for (std::size_t range = 1; range < n_ranges; ++range)
        borders.push_back(samples.empty() ? 0 : samples[samples.size() * range / n_ranges]);
    borders.push_back(0x7FFFFFFF);
    return borders;
}

}  // namespace

std::vector<Documents> cut(Documents documents, std::size_t most, std::size_t least_bytes) {
    std::size_t cost = 0;
    if (documents.empty()) return {};
    for (const Source &document : documents) cost += document.size + cost_of_document;
    const std::size_t n =
        std::clamp<std::size_t>(cost / std::max<std::size_t>(1, least_bytes), 1, most);
    std::vector<Documents> parts;
    std::size_t first = 0, done = 0;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        done += documents[i].size + cost_of_document;
        if (done * n < cost * (parts.size() + 1) && i + 1 < documents.size()) continue;
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
    if (crew.team.alone()) return count(documents, learn, rows, crew.pause(0));
    const bool growing = learn && !hashing() && !closed;
    const std::size_t least_bytes = crew.least_bytes / terms_of_byte(), n = crew.team.n_workers();
    if (growing) {
        const bool worth_it = cut(documents, 2, learning_costs * least_bytes).size() > 1;
        return worth_it ? learn_side_by_side(documents, keep, rows, crew)
                        : count(documents, true, rows, crew.pause(0));
    }
    std::uint64_t replaced = 0;
    // In rounds, so that what a worker makes stays in its cache until it is used.
    for (const Documents round : cut(documents, documents.size(), bytes_of_round * n)) {
        const auto parts = cut(round, n, least_bytes);
        if (parts.size() < 2)
            replaced += count(round, learn, rows, crew.pause(0));
        else
            replaced += count_side_by_side(parts, learn, rows, crew);
    }
    return replaced;
}

std::uint64_t Features::learn_side_by_side(Documents documents, bool keep, Rows &rows, Crew &crew) {
    std::size_t n_bytes = 0;
    for (const Source &document : documents) n_bytes += document.size + 2;
    const std::size_t of_unit = std::clamp(n_bytes / units_wanted, least_of_unit, most_of_unit);
    const auto units = cut(documents, documents.size(), std::min(of_unit, crew.least_bytes));
    std::uint64_t replaced = 0;
    // Lower case may take three bytes for one.
    LearningLine line(*vocabulary_, settings_, crew, units, 3 * n_bytes);
    const std::size_t n_learnt = line.run([&](const Unit &unit) {
        add_learnt(unit, keep ? &rows : nullptr);
        replaced += unit.replaced;
    });
    if (n_learnt == units.size()) return replaced;
    // One by one, up to the document that is too much.
    const auto rest = static_cast<std::size_t>(units[n_learnt].data() - documents.data());
    return replaced + count(documents.subspan(rest), true, rows, crew.pause(0));
}

// Where it throws, nothing was added.
void Features::add_learnt(const Unit &unit, Rows *rows) {
    const Rows &more = unit.rows;
    const std::size_t n = more.columns.size();
    fit_columns(unit.sizes[0]);
    make_room_to_note(n);
    if (rows) {
        rows->columns.reserve(n);
        rows->counts.reserve(n);
        rows->starts.reserve(more.n_rows());
        const auto before = static_cast<std::int64_t>(rows->columns.size());
        std::int64_t *const starts = rows->starts.extend(more.n_rows());
        for (std::size_t row = 0; row < more.n_rows(); ++row)
            starts[row] = before + more.starts[row + 1];
        if (n) std::memcpy(rows->columns.extend(n), more.columns.data(), n * 4);
        if (n) std::memcpy(rows->counts.extend(n), more.counts.data(), n * 4);
    }
    count_document(more, 0);
    n_documents += more.n_rows();
}

std::uint64_t Features::count_side_by_side(const std::vector<Documents> &parts, bool learn,
                                           Rows &rows, Crew &crew) {
    std::deque<Rows> &rows_of = crew.fresh_rows(parts.size());
    std::vector<std::uint64_t> replaced(parts.size());
    const bool naming = learn && hashing();
    std::deque<FoundNames> none;
    std::deque<FoundNames> &names =
        naming ? crew.fresh_names(parts.size(), settings_.hash_bits, make_bucket_names()) : none;
    crew.team.run(parts.size(), [&](std::size_t part, std::size_t worker) {
        const Pause pause = crew.pause(worker);
        replaced[part] = naming ? count_naming(parts[part], names[part], rows_of[part], pause)
                                : count(parts[part], false, rows_of[part], pause);
    });
    if (naming && !names_->add_all(names, parts.size(), crew.team))
        return count(all_of(parts), true, rows, crew.pause(0));
    count_documents(rows_of, parts.size(), &rows, crew.team, learn);
    return std::accumulate(replaced.begin(), replaced.end(), std::uint64_t(0));
}

// Appends the parts to `rows`, if there are any, and counts their documents where they are learnt.
// Each thread counts in a range of columns of its own. Where it throws, nothing was counted.
void Features::count_documents(const std::deque<Rows> &parts, std::size_t n_parts, Rows *rows,
                               Team &team, bool learn) {
    Rows none;
    Append append(rows ? *rows : none, parts, rows ? n_parts : 0);
    const std::size_t n_ranges = learn && count_documents_ ? team.n_workers() : 0;
    std::vector<std::vector<std::uint32_t>> met(n_ranges);  // columns, for the first time
    std::vector<std::int32_t> borders;
    if (n_ranges) {
        std::size_t most = 0;
        for (std::size_t part = 0; part < n_parts; ++part) most += parts[part].columns.size();
        fit_columns(n_columns());
        make_room_to_note(most);
        for (auto &of_range : met) of_range.reserve(std::min(most, most_noted) + 1);
        borders = even_ranges(parts, n_parts, n_ranges);
    }
    append.begin();
    team.run_to_end(n_ranges + append.n_parts(), [&](std::size_t job, std::size_t) {
        if (job >= n_ranges) return append.copy(job - n_ranges);
        for (std::size_t part = 0; part < n_parts; ++part)
            count_range(parts[part], borders[job], borders[job + 1], met[job]);
    });
    for (const auto &of_range : met)
        for (const std::uint32_t column : of_range) note_new(column);
    if (!learn) return;
    for (std::size_t part = 0; part < n_parts; ++part) n_documents += parts[part].n_rows();
}

void Features::count_range(const Rows &rows, std::int32_t first, std::int32_t end,
                           std::vector<std::uint32_t> &met) noexcept {
    constexpr std::ptrdiff_t ahead = 16;
    std::uint32_t *const counts = frequency.data();
    for (std::size_t row = 0; row < rows.n_rows(); ++row) {
        const std::int32_t *at = rows.columns.data() + rows.starts[row];
        const std::int32_t *const last = rows.columns.data() + rows.starts[row + 1];
        if (first) at = std::lower_bound(at, last, first);
        for (; at < last && *at < end; ++at) {
            prefetch(counts + at[std::min(ahead, last - at - 1)]);
            if (++counts[*at] == 1 && met.size() < met.capacity())
                met.push_back(static_cast<std::uint32_t>(*at));
        }
    }
}

}  // namespace hardlimit::text
