#include "readers/svmlight.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "numeric/decimal.hpp"
#include "readers/blanks.hpp"

namespace hardlimit {
namespace {

// Columns are numbered from 0 in int32, and their count must fit it too.
constexpr std::uint64_t largest = std::numeric_limits<std::int32_t>::max() - 1;
constexpr std::int64_t most_digits = 19;  // that a uint64 surely holds

// Where a field ends: at a blank or with the line.
bool ends(const char *at, const char *end) { return at == end || is_blank(*at); }

// "qid:7"; null where it is something else.
const char *read_query(const char *at, const char *end) {
    constexpr std::string_view mark = "qid:";
    if (static_cast<std::size_t>(end - at) <= mark.size() ||
        std::memcmp(at, mark.data(), mark.size()) != 0)
        return nullptr;
    const char *const first = at + mark.size();
    at = first;
    while (at != end && is_digit(*at)) ++at;
    return at != first && ends(at, end) ? at : nullptr;
}

}  // namespace

std::size_t SvmlightRows::read(std::string_view bytes) {
    const char *at = bytes.data(), *const end = at + bytes.size();
    while (at != end) {
        const std::size_t n_cells = indices.size();
        const auto rest = static_cast<std::size_t>(end - at);
        const auto *stop = static_cast<const char *>(std::memchr(at, '\n', rest));
        if (!stop) stop = end;
        const auto size = static_cast<std::size_t>(stop - at);
        const auto *comment = static_cast<const char *>(std::memchr(at, '#', size));
        if (!read_line(at, comment ? comment : stop)) {
            indices.resize(n_cells);
            values.resize(n_cells);
            break;
        }
        ++n_lines;
        at = stop == end ? end : stop + 1;
    }
    return static_cast<std::size_t>(at - bytes.data());
}

bool SvmlightRows::read_line(const char *at, const char *end) {
    at = skip_blanks(at, end);
    if (at == end) return true;
    double label = 0;
    const char *after = read_decimal(at, end, label);
    if (!after) return false;
    const bool labelled = ends(after, end);
    if (!labelled && (need_label || *after != ':')) return false;
    bool query = false;
    if (labelled) {
        at = skip_blanks(after, end);
        if (const char *const behind = read_query(at, end)) {
            query = true;
            at = behind;
        }
    }
    if (!read_cells(at, end)) return false;
    close_row(labelled ? label : 0.0, labelled, query);
    return true;
}

void SvmlightRows::close_row(double label, bool labelled, bool query) {
    labels.push_back(label);
    starts.push_back(static_cast<std::int64_t>(indices.size()));
    lines.push_back(n_lines + 1);
    n_queries += query;
    n_unlabelled += !labelled;
}

bool SvmlightRows::read_cells(const char *at, const char *end) {
    const std::size_t first = indices.size();
    std::int64_t previous = -1;
    bool ascending = true;
    while ((at = skip_blanks(at, end)) != end) {
        const char *const start = at;
        std::uint64_t index = 0;
        double value = 0;
        take_digits(at, end, index);
        if (at == start || at - start > most_digits || index > largest) return false;
        if (at == end || *at != ':') return false;
        at = read_decimal(at + 1, end, value);
        if (!at || !ends(at, end)) return false;
        ascending = ascending && static_cast<std::int64_t>(index) > previous;
        previous = static_cast<std::int64_t>(index);
        indices.push_back(static_cast<std::int32_t>(index));
        values.push_back(value);
    }
    return ascending || sort_row(first);
}

// Sorts the cells from `first` on; false where an index occurs twice.
bool SvmlightRows::sort_row(std::size_t first) {
    std::vector<std::pair<std::int32_t, double>> cells;
    cells.reserve(indices.size() - first);
    for (std::size_t i = first; i < indices.size(); ++i) cells.emplace_back(indices[i], values[i]);
    const auto by_index = [](const auto &a, const auto &b) { return a.first < b.first; };
    std::sort(cells.begin(), cells.end(), by_index);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i && cells[i].first == cells[i - 1].first) return false;
        indices[first + i] = cells[i].first;
        values[first + i] = cells[i].second;
    }
    return true;
}

}  // namespace hardlimit
