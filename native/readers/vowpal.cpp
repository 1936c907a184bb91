#include "readers/vowpal.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "numeric/decimal.hpp"
#include "readers/blanks.hpp"
#include "text/secret.hpp"

namespace hardlimit {
namespace {

// The end of a name: a blank, a colon, a bar, or the line's end.
const char *find_name_end(const char *at, const char *end) {
    while (at != end && !is_blank(*at) && *at != ':' && *at != '|') ++at;
    return at;
}

// ":0.5" behind a name; 1 where there is none. Null where it is no finite number.
const char *read_value(const char *at, const char *end, double &value) {
    value = 1;
    if (at == end || *at != ':') return at;
    at = read_decimal(at + 1, end, value);
    return at && (at == end || is_blank(*at) || *at == '|') ? at : nullptr;
}

std::string_view between(const char *first, const char *last) {
    return {first, static_cast<std::size_t>(last - first)};
}

}  // namespace

std::int32_t ColumnNames::find(std::string_view name) {
    const auto *bytes = reinterpret_cast<const unsigned char *>(name.data());
    const std::uint64_t hash = text::secret().of_bytes(bytes, name.size());
    if (2 * names_.size() >= slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = hash & mask;
    for (; slots_[place] >= 0; place = (place + 1) & mask) {
        const auto number = static_cast<std::size_t>(slots_[place]);
        if (hashes_[number] == hash && names_[number] == name) return slots_[place];
    }
    if (closed_) return -1;
    slots_[place] = static_cast<std::int32_t>(names_.size());
    names_.emplace_back(name);
    hashes_.push_back(hash);
    return slots_[place];
}

void ColumnNames::grow() {
    slots_.assign(slots_.empty() ? 1024 : 2 * slots_.size(), -1);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t number = 0; number < hashes_.size(); ++number) {
        std::size_t place = hashes_[number] & mask;
        while (slots_[place] >= 0) place = (place + 1) & mask;
        slots_[place] = static_cast<std::int32_t>(number);
    }
}

std::size_t VowpalRows::read(std::string_view bytes) {
    const char *at = bytes.data(), *const end = at + bytes.size();
    while (at != end) {
        const auto rest = static_cast<std::size_t>(end - at);
        const auto *stop = static_cast<const char *>(std::memchr(at, '\n', rest));
        if (!stop) stop = end;
        if (!read_line(at, stop)) {
            drop_features();
            break;
        }
        ++n_lines;
        at = stop == end ? end : stop + 1;
    }
    return static_cast<std::size_t>(at - bytes.data());
}

bool VowpalRows::read_line(const char *at, const char *end) {
    at = skip_blanks(at, end);
    if (at == end) return true;
    const auto size = static_cast<std::size_t>(end - at);
    const auto *bar = static_cast<const char *>(std::memchr(at, '|', size));
    if (!bar) return false;
    double numbers[3] = {0, 1, 0};  // label, importance, base
    int count = 0;
    while ((at = skip_blanks(at, bar)) != bar) {
        const char *after = at;
        while (after != bar && !is_blank(*after)) ++after;
        // The last word is a tag if a quote begins it or nothing parts it from the bar.
        if (*at == '\'' || after == bar) {
            if (skip_blanks(after, bar) != bar) return false;
            break;
        }
        if (count == 3 || read_decimal(at, after, numbers[count]) != after) return false;
        ++count;
        at = after;
    }
    if ((count == 0 && need_label) || !(numbers[1] >= 0)) return false;
    if (!read_features(bar, end)) return false;
    return close_row(numbers[0], numbers[1], count > 0, count == 3);
}

// From the first bar on: "|namespace:scale name name:value ... |namespace ...".
bool VowpalRows::read_features(const char *at, const char *end) {
    while (at != end) {
        const char *const space = ++at;  // behind the bar
        at = find_name_end(at, end);
        const std::string_view prefix = between(space, at);
        double scale = 1, value = 1;
        if (prefix.empty() && at != end && *at == ':') return false;
        if (!(at = read_value(at, end, scale))) return false;
        while ((at = skip_blanks(at, end)) != end && *at != '|') {
            const char *const name = at;
            at = find_name_end(at, end);
            const std::string_view named = between(name, at);
            if (named.empty() || !(at = read_value(at, end, value))) return false;
            value *= scale;
            if (!std::isfinite(value)) return false;
            add_feature(prefix, named, value);
        }
    }
    return true;
}

void VowpalRows::add_feature(std::string_view space, std::string_view name, double value) {
    key_.resize(space.size() + name.size() + 9);
    char *at = key_.data();
    if (!space.empty()) {
        at = std::copy(space.begin(), space.end(), at);
        *at++ = '^';
    }
    at = std::copy(name.begin(), name.end(), at);
    const std::int32_t index = names.find(between(key_.data(), at));
    if (index < 0) {
        ++unknown_;
        return;
    }
    ascending_ = ascending_ && (cells_.empty() || cells_.back().index < index);
    cells_.push_back({index, value});
}

void VowpalRows::drop_features() {
    cells_.clear();
    unknown_ = 0;
    ascending_ = true;
}

bool VowpalRows::close_row(double label, double weight, bool labelled, bool base) {
    const auto by_index = [](const Cell &a, const Cell &b) { return a.index < b.index; };
    if (!ascending_) std::stable_sort(cells_.begin(), cells_.end(), by_index);
    const std::size_t first = indices.size();
    bool finite = true;
    for (const Cell &cell : cells_) {
        // A feature that comes twice counts twice.
        if (indices.size() > first && indices.back() == cell.index) {
            values.back() += cell.value;
            finite = finite && std::isfinite(values.back());
        } else {
            indices.push_back(cell.index);
            values.push_back(cell.value);
        }
    }
    if (!finite) {
        indices.resize(first);
        values.resize(first);
        return false;
    }
    labels.push_back(labelled ? label : 0.0);
    weights.push_back(weight);
    starts.push_back(static_cast<std::int64_t>(indices.size()));
    lines.push_back(n_lines + 1);
    n_unlabelled += !labelled;
    n_bases += base;
    n_unknown += unknown_;
    drop_features();
    return true;
}

}  // namespace hardlimit
