#include "text/scorer.hpp"

#include <algorithm>
#include <cmath>

#include "portability.hpp"

namespace hardlimit::text {
namespace {

// Rows of weights asked of memory before their turn.
constexpr std::size_t ahead = 16;

}  // namespace

Scorer::Scorer(const Settings &settings, Weighting weighting, double idf_of_unseen,
               const Incoming &tensors, std::shared_ptr<const CheckedBytes> weights,
               std::vector<double> intercept, std::vector<double> logs)
    : settings_(settings),
      weighting_(std::move(weighting)),
      idf_of_unseen_(idf_of_unseen),
      intercept_(std::move(intercept)),
      logs_(std::move(logs)),
      has_columns_(tensors.has("columns")),
      has_idf_(tensors.has("idf")),
      has_rows_(tensors.has("weight_rows")),
      packed_(tensors.has("packed.runs")),
      weights_(packed_ ? tensors.bytes("packed.cells") : weights) {
    if (intercept_.empty()) throw DamagedModel("model file: a text model without outputs");
    if (packed_) has_rows_ = false;
    n_rows_ = weights_.size() / intercept_.size();
    if (has_columns_) columns_ = tensors.array<std::int32_t>("columns");
    if (has_idf_) idf_ = StoredIdf(tensors);
    if (has_rows_) {
        weight_rows_ = tensors.array<std::int32_t>("weight_rows");
        used_ = tensors.array<std::int32_t>("used");
    }
    if (settings_.hash_bits) {
        n_terms_ = has_columns_ ? columns_.size() : std::size_t(1) << settings_.hash_bits;
        name_ends_ = Ends(tensors, "name");
        name_bytes_ = tensors.bytes("name_bytes");
    } else {
        frozen_.emplace(settings_, tensors);
        origins_ = tensors.array<std::uint32_t>("origins");
        n_terms_ = origins_.size();
        if (settings_.blocks) blocks_ = tensors.array<std::uint8_t>("blocks");
        if (settings_.blocks && blocks_.size() != (n_terms_ + 7) / 8)
            throw DamagedModel("model file: blocks of " + std::to_string(8 * blocks_.size()) +
                               " terms for " + std::to_string(n_terms_));
    }
    if (packed_) {
        take_runs(tensors);
        return;
    }
    const bool fits = (!has_columns_ || columns_.size() == n_terms_) &&
                      (!has_idf_ || idf_.size() == n_terms_) &&
                      (!has_rows_ || weight_rows_.size() == n_terms_) &&
                      n_rows_ == (has_rows_ ? used_.size() : n_terms_) &&
                      weights_.size() == n_rows_ * intercept_.size() && n_terms_ <= 0x80000000;
    if (!fits)
        throw DamagedModel("model file: " + std::to_string(n_terms_) + " terms and " +
                           std::to_string(weights_.size()) + " weights for " +
                           std::to_string(intercept_.size()) +
                           " outputs; the sizes of the text tensors contradict each other");
    weights_first_ = weights->range(0, 0);
}

void Scorer::take_runs(const Incoming &tensors) {
    runs_ = tensors.array<std::uint32_t>("packed.runs");
    wide_ = weights_.size() >> 32 != 0;
    narrow_ = intercept_.size() <= 256;
    if (wide_)
        starts64_ = tensors.array<std::uint64_t>("packed.starts");
    else
        starts32_ = tensors.array<std::uint32_t>("packed.starts");
    if (narrow_)
        outputs8_ = tensors.array<std::uint8_t>("packed.outputs");
    else
        outputs32_ = tensors.array<std::uint32_t>("packed.outputs");
    const std::size_t n_starts = wide_ ? starts64_.size() : starts32_.size();
    const std::size_t n_outputs = narrow_ ? outputs8_.size() : outputs32_.size();
    if ((has_columns_ && columns_.size() != n_terms_) || (has_idf_ && idf_.size() != n_terms_) ||
        runs_.size() != n_terms_ || n_starts == 0 || n_starts > 0x80000000 ||
        n_outputs != weights_.size() || n_terms_ > 0x80000000)
        throw DamagedModel("model file: the sizes of the packed weights contradict each other");
    n_rows_ = n_starts - 1;
    runs_first_ = tensors.bytes("packed.runs")->range(0, 0);
    starts_first_ = tensors.bytes("packed.starts")->range(0, 0);
    outputs_first_ = tensors.bytes("packed.outputs")->range(0, 0);
    weights_first_ = tensors.bytes("packed.cells")->range(0, 0);
}

std::pair<std::size_t, std::size_t> Scorer::cells_of(std::int32_t run) const {
    const std::size_t first = start(static_cast<std::size_t>(run)),
                      end = start(static_cast<std::size_t>(run) + 1);
    if (end < first || end - first > n_outputs())
        throw DamagedModel("model file: run " + std::to_string(run) + " of the weights has " +
                           std::to_string(end - first) + " cells");
    return {first, end - first};
}

// see(output, weight) for the cells of a run. One of all outputs has them in order.
template <class See>
HARDLIMIT_INLINE void Scorer::visit_run(std::int32_t run, See see) const {
    const auto [first, count] = cells_of(run);
    const float *cells = weights_.items(first, count);
    const std::size_t k = n_outputs();
    const auto each = [&](const auto *outputs) {
        for (std::size_t j = 0; j < count; ++j) {
            if (outputs[j] >= k)
                throw DamagedModel("model file: a weight of output " + std::to_string(outputs[j]) +
                                   " of " + std::to_string(k));
            see(static_cast<std::size_t>(outputs[j]), cells[j]);
        }
    };
    if (count == k)
        for (std::size_t j = 0; j < k; ++j) see(j, cells[j]);
    else if (narrow_)
        each(outputs8_.items(first, count));
    else
        each(outputs32_.items(first, count));
}

// The columns of a hashed model ascend evenly: guess by proportion, then close in by doubling.
std::int32_t Scorer::term_of_column(std::uint32_t column) const {
    if (!has_columns_) return static_cast<std::int32_t>(column);
    const std::size_t n = n_terms_;
    if (!n) return no_column;
    const auto wanted = static_cast<std::int32_t>(column);
    const std::size_t guess =
        std::min<std::size_t>(n - 1, (std::uint64_t(column) * n) >> settings_.hash_bits);
    std::size_t low, high;  // the first column >= wanted is in [low, high]
    if (columns_[guess] < wanted) {
        std::size_t step = 1;
        for (low = guess + 1; low + step < n && columns_[low + step] < wanted; step *= 2)
            low += step + 1;
        low = std::min(low, n);
        high = std::min(low + step, n);
    } else {
        std::size_t step = 1;
        for (high = guess; high > step && columns_[high - step] >= wanted; step *= 2) high -= step;
        low = high > step ? high - step : 0;
    }
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (columns_[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && columns_[low] == wanted ? static_cast<std::int32_t>(low) : no_column;
}

std::uint32_t Scorer::column_of_term(std::int32_t term) const {
    return static_cast<std::uint32_t>(has_columns_ ? columns_[term] : term);
}

double Scorer::idf(const Feature &feature) const {
    if (!has_idf_) return 1;
    const double learnt = feature.term == no_column ? 0 : idf_[feature.term];
    return learnt == 0 ? idf_of_unseen_ : learnt;
}

Block Scorer::block(const Feature &feature) const {
    if (settings_.hash_bits) return static_cast<Block>(feature.column & 1);
    const auto term = static_cast<std::size_t>(feature.term);
    return static_cast<Block>(blocks_[term / 8] >> term % 8 & 1);
}

double Scorer::log_or_ask(std::uint32_t count) const {
    return count && count <= logs_.size() ? logs_[count - 1] : log_of(count);
}

std::int32_t Scorer::weight_row(const Feature &feature) const {
    if (feature.term == no_column) return no_column;
    if (packed_) {
        const std::uint32_t run = runs_[static_cast<std::size_t>(feature.term)];
        if (run > n_rows_)
            throw DamagedModel("model file: a term claims run " + std::to_string(run) + " of " +
                               std::to_string(n_rows_));
        return static_cast<std::int32_t>(run) - 1;
    }
    const std::int32_t row = has_rows_ ? weight_rows_[feature.term] : feature.term;
    if (row < no_column || (row >= 0 && static_cast<std::size_t>(row) >= n_rows_))
        throw DamagedModel("model file: a term claims weights in row " + std::to_string(row) +
                           " of " + std::to_string(n_rows_));
    return row;
}

std::vector<float> Scorer::weights(std::int32_t row) const {
    std::vector<float> weights(n_outputs());
    if (packed_) {
        visit_run(row, [&](std::size_t k, float weight) { weights[k] = weight; });
        return weights;
    }
    weights_.copy(static_cast<std::size_t>(row) * n_outputs(), n_outputs(), weights.data());
    return weights;
}

std::string Scorer::term(std::size_t row) const {
    const std::size_t n_named = packed_ ? n_terms_ : n_rows_;
    if (row >= n_named)
        throw std::out_of_range("row " + std::to_string(row) + "; there are " +
                                std::to_string(n_named) + " rows of weights");
    return name_of_term(has_rows_ ? static_cast<std::size_t>(used_[row]) : row);
}

std::string Scorer::name_of_column(std::uint32_t column) const {
    const std::int32_t term = term_of_column(column);
    if (term == no_column || static_cast<std::size_t>(term) >= n_terms_) return {};
    return name_of_term(static_cast<std::size_t>(term));
}

std::vector<float> Scorer::weights_of_column(std::uint32_t column) const {
    const std::int32_t term = term_of_column(column);
    if (term == no_column || static_cast<std::size_t>(term) >= n_terms_) return {};
    const std::int32_t row = weight_row({column, term, 0});
    return row == no_column ? std::vector<float>() : weights(row);
}

std::string Scorer::name_of_term(std::size_t term) const {
    if (frozen_) return frozen_->name(origins_[term]);
    const std::uint64_t first = term ? name_ends_[term - 1] : 0, end = name_ends_[term];
    const std::size_t size = end < first ? name_bytes_->size() + 1 : end - first;
    return {reinterpret_cast<const char *>(name_bytes_->range(first, size)), size};
}

bool Scorer::knows(bool is_word, const Byte *at, std::size_t size) const {
    const std::uint64_t key = string_key(at, size);
    const Found found =
        is_word ? frozen_->word(key, at, size) : frozen_->string(Strings::runs, key, at, size);
    return found.column != no_column;
}

double Scorer::new_value(std::uint32_t count, double length) const {
    const double tf = weighting_.tf == Tf::binary ? 1
                      : weighting_.tf == Tf::raw  ? count
                                                  : log_or_ask(count);
    const double value = tf * (has_idf_ ? idf_of_unseen_ : 1);
    const double norm = weighting_.l2 ? std::sqrt(length * length + value * value) : 1;
    const double weight = settings_.blocks ? weighting_.of_block[0] : 1;
    return static_cast<float>(weight * value / norm);
}

int Scorer::key_bits() const {
    return settings_.hash_bits ? settings_.hash_bits : std::max<int>(1, std::bit_width(n_terms_));
}

Scorer::Session::Session(const Scorer &scorer, const Pause &pause) : scorer_(scorer) {
    if (scorer.frozen_)
        walk_.emplace(scorer.settings_, *scorer.frozen_, pause);
    else
        hash_walk_.emplace(scorer.settings_, nullptr, pause);
}

std::vector<Feature> &Scorer::Session::features(const Source &document) {
    lowered_.assign(document);
    columns_.clear();
    if (walk_)
        walk_->document(lowered_, columns_);
    else
        hash_walk_->document(lowered_, columns_);
    collect(columns_);
    weigh();
    return features_;
}

void Scorer::Session::weigh() {
    const std::size_t n = features_.size();
    cells_.resize(n);
    for (std::size_t i = 0; i < n; ++i) cells_[i] = features_[i].cell;
    const auto idf = [&](std::size_t i) { return scorer_.idf(features_[i]); };
    const auto column = [&](std::size_t i) { return features_[i].column; };
    const auto weigh = [&](auto of_count) {
        if (scorer_.settings_.blocks)
            length_ = weigh_row_by_blocks(
                of_count, scorer_.weighting_, n, cells_.data(), values_, idf, column,
                [&](std::size_t i) { return scorer_.block(features_[i]); });
        else
            length_ =
                weigh_row(of_count, scorer_.weighting_, n, cells_.data(), values_, idf, column);
    };
    if (scorer_.weighting_.tf == Tf::sublinear)
        weigh([&](std::uint32_t count) { return scorer_.log_or_ask(count); });
    else
        scorer_.weighting_.with_function(weigh);
    for (std::size_t i = 0; i < n; ++i) features_[i].cell = cells_[i];
}

// Sorted, counted, with terms and original columns; what comes next is asked of memory ahead.
void Scorer::Session::collect(Columns &columns) {
    columns.reserve(1);
    sorter_.sort(columns.data(), columns.size(), scorer_.key_bits());
    features_.clear();
    const bool hashing = scorer_.settings_.hash_bits > 0;
    for (std::size_t i = 0; i < columns.size();) {
        const std::size_t first = i;
        while (i < columns.size() && columns[i] == columns[first]) ++i;
        Feature feature{columns[first], static_cast<std::int32_t>(columns[first]),
                        static_cast<std::uint32_t>(i - first)};
        if (hashing)
            feature.term = scorer_.term_of_column(feature.column);
        else if (static_cast<std::size_t>(feature.term) >= scorer_.n_terms_)
            throw DamagedModel("model file: a slot names term " + std::to_string(feature.term) +
                               " of " + std::to_string(scorer_.n_terms_));
        else
            feature.column = scorer_.column_of_term(feature.term);
        if (feature.term != no_column && scorer_.has_idf_)
            scorer_.idf_.prefetch_item(static_cast<std::size_t>(feature.term));
        if (feature.term != no_column && scorer_.packed_)
            prefetch(scorer_.runs_first_ + feature.term * sizeof(std::uint32_t));
        features_.push_back(feature);
    }
}

std::size_t Scorer::Session::scores(double *out) {
    const std::size_t k = scorer_.n_outputs();
    sums_.assign(8 * k, 0);
    rows_.resize(features_.size());
    for (std::size_t i = 0; i < features_.size(); ++i) rows_[i] = scorer_.weight_row(features_[i]);
    scorer_.packed_ ? add_runs() : add_rows();
    for (std::size_t j = 0; j < k; ++j) {
        EightSums tree;
        for (std::size_t lane = 0; lane < 8; ++lane) tree.sums[lane] = sums_[lane * k + j];
        out[j] = tree.total() + scorer_.intercept_[j];
    }
    return rows_.size() -
           static_cast<std::size_t>(std::count(rows_.begin(), rows_.end(), no_column));
}

void Scorer::Session::add_rows() {
    const std::size_t k = scorer_.n_outputs();
    const auto ask_for = [&](std::size_t i) {
        if (i >= rows_.size() || rows_[i] == no_column) return;
        const unsigned char *first = scorer_.weights_first_ + rows_[i] * k * sizeof(float);
        for (std::size_t byte = 0; byte < k * sizeof(float); byte += 64) prefetch(first + byte);
        prefetch(first + k * sizeof(float) - 1);
    };
    for (std::size_t i = 0; i < ahead; ++i) ask_for(i);
    for (std::size_t i = 0; i < features_.size(); ++i) {
        ask_for(i + ahead);
        const Feature &feature = features_[i];
        const std::int32_t row = rows_[i];
        if (row == no_column) continue;
        const float *weights = scorer_.weights_.items(static_cast<std::size_t>(row) * k, k);
        const double value = feature.value();
        double *sums = sums_.data() + (feature.column & 7) * k;
        for (std::size_t j = 0; j < k; ++j) sums[j] += static_cast<double>(weights[j]) * value;
    }
}

// In three steps ahead of their turn: where a run begins, its cells, and their sums.
void Scorer::Session::add_runs() {
    const std::size_t k = scorer_.n_outputs(), width = scorer_.wide_ ? 8 : 4;
    const auto ask_for_start = [&](std::size_t i) {
        if (i < rows_.size() && rows_[i] != no_column)
            prefetch(scorer_.starts_first_ + static_cast<std::size_t>(rows_[i]) * width);
    };
    const auto ask_for_cells = [&](std::size_t i) {
        if (i >= rows_.size() || rows_[i] == no_column) return;
        const std::size_t first = scorer_.start(static_cast<std::size_t>(rows_[i]));
        prefetch(scorer_.weights_first_ + first * sizeof(float));
        prefetch(scorer_.outputs_first_ + first * (scorer_.narrow_ ? 1 : 4));
    };
    for (std::size_t i = 0; i < 2 * ahead; ++i) ask_for_start(i);
    for (std::size_t i = 0; i < ahead; ++i) ask_for_cells(i);
    for (std::size_t i = 0; i < features_.size(); ++i) {
        ask_for_start(i + 2 * ahead);
        ask_for_cells(i + ahead);
        if (rows_[i] == no_column) continue;
        const double value = features_[i].value();
        double *sums = sums_.data() + (features_[i].column & 7) * k;
        scorer_.visit_run(rows_[i], [&](std::size_t output, float weight) {
            sums[output] += static_cast<double>(weight) * value;
        });
    }
}

}  // namespace hardlimit::text
