// Raw text to scores, straight from the tensors of a model: no Python object is built, and of a
// large model only the blocks that hold the text's terms are touched.
//
//   score_k = sum over the row, ascending original column, in eight partial sums by column & 7, of
//             double(float32 weight) * double(float32 value), plus intercept_k
#pragma once
#include <functional>
#include <optional>

#include "text/frozen.hpp"

namespace hardlimit::text {

struct Feature {
    std::uint32_t column;  // original
    std::int32_t term;     // number among the terms of the file, or -1
    std::uint32_t cell;    // the count, then the bits of the float32 value
    float value() const { return std::bit_cast<float>(cell); }
};

class Scorer {
  public:
    // `log_of` gives 1 + ln(count) for counts beyond the table `logs` (1, 2, ...). Weights are
    // packed (state/packed.hpp) where the tensors have `runs`, by term, `starts`, `outputs` and
    // `cells`; else `weights` has a row of all outputs for each term, or for those that `used`
    // names.
    Scorer(const Settings &settings, Weighting weighting, double idf_of_unseen,
           const Incoming &tensors, std::shared_ptr<const CheckedBytes> weights,
           std::vector<double> intercept, std::vector<double> logs);

    std::size_t n_outputs() const { return intercept_.size(); }

    // Scratch of one thread; a scorer may serve several at once.
    class Session {
      public:
        explicit Session(const Scorer &scorer, const Pause &pause = {});
        // The weighed features of a document, ascending original column. Counts whose logarithm is
        // not in the table are asked of `log_of`.
        std::vector<Feature> &features(const Source &document);
        // Adds up the scores of the last document's features; returns how many have weights.
        std::size_t scores(double *out);
        // Of the last document: as it was cut, and the length of its known words before they were
        // divided by it.
        const Lowered &lowered() const { return lowered_; }
        double length() const { return length_; }
        // Of the last document: words and runs, and those that are no terms of the vocabulary.
        std::size_t n_words() const { return walk_ ? walk_->n_words() : 0; }
        std::size_t n_unknown() const { return walk_ ? walk_->n_unknown() : 0; }

      private:
        void collect(Columns &columns);
        void weigh();
        void add_rows();
        void add_runs();
        const Scorer &scorer_;
        Lowered lowered_;
        std::optional<Walk<const Frozen>> walk_;
        std::optional<HashWalk<NoNames>> hash_walk_;
        ColumnSorter sorter_;
        Columns columns_;
        std::vector<std::uint32_t> cells_;
        std::vector<Feature> features_;
        std::vector<std::int32_t> rows_;
        std::vector<double> values_, sums_;
        double length_ = 0;
    };

    // Row of weights of a feature, or -1; of packed weights the number of its run less 1.
    std::int32_t weight_row(const Feature &feature) const;
    std::vector<float> weights(std::int32_t row) const;
    // What `term` calls the row of a feature that has weights.
    std::int32_t named_row(const Feature &feature) const {
        return packed_ ? feature.term : weight_row(feature);
    }
    // Name of the term that a row of weights belongs to.
    std::string term(std::size_t row) const;
    // Of an original column: the name of its term, "" where hashing lost it, and its weights, none
    // where it has none.
    std::string name_of_column(std::uint32_t column) const;
    std::vector<float> weights_of_column(std::uint32_t column) const;

    // Terms that corrections may add (live/texts.hpp): single words and runs of scripts without
    // spaces, of models with a vocabulary that counts single words.
    bool takes_new_terms() const { return !settings_.hash_bits && settings_.words.least == 1; }
    const StopWords *stop_words() const { return settings_.stop_words.get(); }
    bool knows(bool is_word, const Byte *at, std::size_t size) const;
    // The value of such a term that occurs `count` times, as if it were the only new one in a text
    // whose known words have this length.
    double new_value(std::uint32_t count, double length) const;

    std::function<double(std::uint32_t)> log_of;

  private:
    std::int32_t term_of_column(std::uint32_t column) const;
    std::string name_of_term(std::size_t term) const;
    std::uint32_t column_of_term(std::int32_t term) const;
    double idf(const Feature &feature) const;
    Block block(const Feature &feature) const;
    double log_or_ask(std::uint32_t count) const;
    int key_bits() const;
    void take_runs(const Incoming &tensors);
    // The cells of a run: first, and how many.
    std::pair<std::size_t, std::size_t> cells_of(std::int32_t run) const;
    template <class See>
    void visit_run(std::int32_t run, See see) const;
    std::size_t start(std::size_t run) const { return wide_ ? starts64_[run] : starts32_[run]; }

    Settings settings_;
    Weighting weighting_;
    double idf_of_unseen_;
    std::vector<double> intercept_, logs_;
    std::optional<Frozen> frozen_;
    std::size_t n_terms_ = 0, n_rows_ = 0;
    bool has_columns_ = false, has_idf_ = false, has_rows_ = false, packed_ = false;
    bool wide_ = false, narrow_ = false;  // starts of 8 bytes; outputs of one
    CheckedArray<std::int32_t> columns_, weight_rows_, used_;
    CheckedArray<std::uint32_t> origins_;
    StoredIdf idf_;
    CheckedArray<std::uint8_t> blocks_;
    Ends name_ends_;
    std::shared_ptr<const CheckedBytes> name_bytes_;
    CheckedArray<float> weights_;
    CheckedArray<std::uint32_t> runs_, starts32_, outputs32_;
    CheckedArray<std::uint64_t> starts64_;
    CheckedArray<std::uint8_t> outputs8_;
    // For prefetching.
    const unsigned char *weights_first_ = nullptr, *runs_first_ = nullptr, *starts_first_ = nullptr,
                        *outputs_first_ = nullptr;
};

}  // namespace hardlimit::text
