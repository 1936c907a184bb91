#include "text/features.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace hardlimit::text {

std::string term_name(Strings kind, const Byte *at, std::size_t size) {
    std::string name(kind == Strings::runs ? "{" : "[");
    name.append(reinterpret_cast<const char *>(at), size);
    return name += kind == Strings::runs ? '}' : ']';
}

Features::Features(const Settings &settings, bool count_documents, std::uint32_t column_limit)
    : settings_(settings), count_documents_(count_documents || !settings.hash_bits) {
    if (!settings_.hash_bits) {
        vocabulary_ = std::make_unique<Vocabulary>(settings_, column_limit);
    } else if (count_documents_) {
        frequency = Zeroed<std::uint32_t>(std::size_t(1) << settings_.hash_bits);
        idf = Zeroed<double>(std::size_t(1) << settings_.hash_bits);
    }
}

std::size_t Features::n_columns() const {
    return hashing() ? std::size_t(1) << settings_.hash_bits : vocabulary_->n_columns;
}

std::size_t Features::longest_search() const {
    if (hashing()) return names_ ? names_->longest_search() : 0;
    const Vocabulary &all = *vocabulary_;
    std::size_t longest = 0;
    for (const StringTable *strings : {&all.words, &all.runs, &all.chars})
        longest = std::max(longest, strings->table().longest_distance());
    for (const PairTable &pairs : all.grams)
        longest = std::max(longest, pairs.table().longest_distance());
    return longest;
}

int Features::column_bits() const {
    return hashing() ? settings_.hash_bits
                     : std::max<int>(1, std::bit_width(vocabulary_->n_columns));
}

BucketNames &Features::make_bucket_names() {
    if (!names_) names_ = std::make_unique<BucketNames>(settings_.hash_bits);
    return *names_;
}

// Document frequencies and idf follow the columns, with room to spare.
void Features::fit_columns(std::size_t n) {
    if (n <= frequency.size()) return;
    Zeroed<std::uint32_t> more(n + n / 2 + 1024);
    std::copy_n(frequency.data(), frequency.size(), more.data());
    frequency = std::move(more);
}

template <class Walker>
std::uint64_t Features::walk(Documents documents, Walker &&walker, bool learn, Rows &rows) {
    Lowered lowered;
    Columns columns;
    std::uint64_t replaced = 0;
    for (const Source &document : documents) {
        lowered.assign(document);
        columns.clear();
        const std::size_t first = rows.columns.size();
        const bool growing = learn && vocabulary_ && !closed;
        if (growing) vocabulary_->begin_document();
        try {
            walker.document(lowered, columns);
            rows.add(columns, column_bits());
            if (learn && count_documents_) {
                fit_columns(n_columns());
                make_room_to_note(rows.columns.size() - first);
            }
        } catch (...) {
            if (growing) vocabulary_->forget_document();
            throw;
        }
        replaced += lowered.replaced();
        if (!learn) continue;
        ++n_documents;
        if (!count_documents_) continue;
        count_document(rows, first);
    }
    return replaced;
}

// Counts the document whose columns begin there. They are spread over megabytes: asked for ahead.
void Features::count_document(const Rows &rows, std::size_t first) {
    constexpr std::size_t ahead = 16;
    const std::int32_t *const columns = rows.columns.data();
    std::uint32_t *const counts = frequency.data();
    const std::size_t end = rows.columns.size();
    for (std::size_t i = first; i < end; ++i) {
        prefetch(counts + columns[std::min(i + ahead, end - 1)]);
        if (++counts[columns[i]] == 1) note_new(static_cast<std::uint32_t>(columns[i]));
    }
}

std::uint64_t Features::count(Documents documents, bool learn, Rows &rows, const Pause &pause) {
    if (hashing() && learn)
        return walk(documents, HashWalk<BucketNames>(settings_, &make_bucket_names(), pause), true,
                    rows);
    if (hashing())
        return walk(documents, HashWalk<NoNames>(settings_, nullptr, pause), false, rows);
    if (learn && !closed) {
        Learning lookup(*vocabulary_);
        return walk(documents, Walk<Learning>(settings_, lookup, pause), true, rows);
    }
    const Reading lookup(*vocabulary_);
    return walk(documents, Walk<const Reading>(settings_, lookup, pause), learn, rows);
}

// The rows alone, and the first term of each bucket.
std::uint64_t Features::count_naming(Documents documents, FoundNames &names, Rows &rows,
                                     const Pause &pause) {
    return walk(documents, HashWalk<FoundNames>(settings_, &names, pause), false, rows);
}

// So that counting a document does not fail half-way.
void Features::make_room_to_note(std::size_t more) {
    if (look_at_all_) return;
    const std::size_t wanted = std::min(without_idf_.size() + more, most_noted);
    if (wanted > without_idf_.capacity())
        without_idf_.reserve(std::max(wanted, 2 * without_idf_.capacity()));
}

void Features::note_new(std::uint32_t column) {
    if (look_at_all_) return;
    // Bounded, since without idf nobody ever takes the columns off the list.
    if (without_idf_.size() == most_noted) return look_at_all_columns();
    without_idf_.push_back(column);
}

void Features::look_at_all_columns() {
    without_idf_.clear();
    look_at_all_ = true;
}

template <class Visit>
void Features::each_without_idf(Visit &&visit) const {
    const auto look = [&](std::size_t column) {
        if (frequency[column] && (column >= idf.size() || idf[column] == 0)) visit(column);
    };
    if (!look_at_all_) {
        for (const std::uint32_t column : without_idf_) look(column);
        return;
    }
    const std::size_t n = std::min(n_columns(), frequency.size());
    for (std::size_t column = 0; column < n; ++column) look(column);
}

std::vector<std::uint32_t> Features::frequencies_without_idf() const {
    // Nearly all frequencies are small; the few others are sorted.
    std::array<bool, 256> met{};
    std::vector<std::uint32_t> large, distinct;
    each_without_idf([&](std::size_t column) {
        const auto count = std::min<std::uint64_t>(frequency[column], n_documents);
        if (count < met.size())
            met[count] = true;
        else
            large.push_back(static_cast<std::uint32_t>(count));
    });
    for (std::uint32_t count = 1; count < met.size(); ++count)
        if (met[count]) distinct.push_back(count);
    std::sort(large.begin(), large.end());
    std::unique_copy(large.begin(), large.end(), std::back_inserter(distinct));
    return distinct;
}

void Features::learn_idf(const ValueTable &by_frequency) {
    const std::size_t n = std::min(n_columns(), frequency.size());
    if (idf.size() < n) {
        Zeroed<double> more(n + n / 2);
        std::copy_n(idf.data(), idf.size(), more.data());
        idf = std::move(more);
    }
    each_without_idf([&](std::size_t column) { idf[column] = by_frequency(frequency[column]); });
    without_idf_.clear();
    look_at_all_ = false;
}

void Features::forget_idf() {
    idf = Zeroed<double>(idf.size());
    look_at_all_columns();
}

void Features::weigh(Rows &rows, const Weighting &weighting, bool use_idf, double idf_of_unseen,
                     Team &team) {
    if (settings_.blocks) return weigh_by_blocks(rows, weighting, use_idf, idf_of_unseen, team);
    if (!use_idf) {
        rows.weigh(weighting, team);
        return;
    }
    rows.weigh(weighting, team, [&](std::int32_t column) {
        const double learnt = static_cast<std::size_t>(column) < idf.size() ? idf[column] : 0;
        return learnt == 0 ? idf_of_unseen : learnt;
    });
}

void Features::weigh_by_blocks(Rows &rows, const Weighting &weighting, bool use_idf,
                               double idf_of_unseen, Team &team) {
    const std::size_t n_learnt = use_idf ? idf.size() : 0;
    rows.weigh_by_blocks(
        weighting, team,
        [&](std::int32_t column) {
            if (!use_idf) return 1.0;
            const double learnt = static_cast<std::size_t>(column) < n_learnt ? idf[column] : 0;
            return learnt == 0 ? idf_of_unseen : learnt;
        },
        [&](std::int32_t column) { return block(static_cast<std::uint32_t>(column)); });
}

}  // namespace hardlimit::text
