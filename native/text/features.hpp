// What a vectorizer has learnt, and how texts become rows of counts with it.
#pragma once
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <vector>

#include "text/buckets.hpp"
#include "text/crew.hpp"
#include "text/learning_line.hpp"
#include "text/rows.hpp"
#include "text/vocabulary.hpp"

namespace hardlimit::text {

class Features {
  public:
    // `count_documents`: keep document frequencies (a vocabulary always does).
    Features(const Settings &settings, bool count_documents, std::uint32_t column_limit);

    const Settings &settings() const { return settings_; }
    std::size_t n_columns() const;
    std::size_t longest_search() const;  // for tests

    // Appends a row of counts per document. Learning adds terms and counts document frequencies.
    // Returns how many code points were replaced.
    // `pause` is called now and then; where it throws, the document that it broke off is forgotten.
    std::uint64_t count(Documents documents, bool learn, Rows &rows, const Pause &pause = {});
    // The same by several threads (crew.cpp). Without `keep` rows may be missing.
    std::uint64_t count(Documents documents, bool learn, bool keep, Rows &rows, Crew &crew);

    // Leaves the terms that are in `fewest` to `most_documents` documents, and of the n-grams of
    // words and those of characters the `most` that occur most often in `rows`. Columns get new
    // numbers, in `rows` too. Returns how many are left. Nothing is added to them any more.
    std::size_t limit(std::uint64_t fewest, std::uint64_t most_documents,
                      std::optional<std::size_t> most, Rows &rows);
    // Adds terms, as they are written, that were in no document; returns their columns.
    std::vector<std::int32_t> add_terms(const std::vector<std::string> &terms);
    // These terms, in this order, are all that an empty vocabulary will ever hold.
    void give_vocabulary(const std::vector<std::string> &terms);
    bool closed = false;  // the vocabulary grows no more

    // The distinct document frequencies of columns that have no idf yet, ascending. Cost: these
    // columns, and not all that there are, so that a text of a stream costs its own terms.
    std::vector<std::uint32_t> frequencies_without_idf() const;
    // Gives those columns their idf; `idf` holds it by document frequency.
    void learn_idf(const ValueTable &idf);
    void forget_idf();
    // Any column may be without idf: what was put in from outside is looked through once.
    void look_at_all_columns();
    void weigh(Rows &rows, const Weighting &weighting, bool use_idf, double idf_of_unseen,
               Team &team);

    // Names of terms, in the order of the (valid) columns asked for; empty where unknown.
    std::vector<std::string> names(const std::vector<std::int32_t> &columns) const;

    // The block of a column, with blocks.
    Block block(std::uint32_t column) const {
        if (hashing()) return static_cast<Block>(column & 1);
        return vocabulary_->blocks[column];
    }

    const Vocabulary &vocabulary() const { return *vocabulary_; }
    Vocabulary &vocabulary() { return *vocabulary_; }
    bool hashing() const { return settings_.hash_bits > 0; }
    const BucketNames *bucket_names() const { return names_.get(); }
    BucketNames &make_bucket_names();

    std::uint64_t n_documents = 0;
    Zeroed<std::uint32_t> frequency;  // by column; documents that hold the term
    Zeroed<double> idf;               // by column; 0: not learnt

    mutable std::shared_mutex mutex;  // readers share it, learning takes it alone

  private:
    static constexpr std::size_t most_noted = std::size_t(1) << 16;

    void weigh_by_blocks(Rows &rows, const Weighting &weighting, bool use_idf, double idf_of_unseen,
                         Team &team);
    void fit_columns(std::size_t n);
    template <class Walker>
    std::uint64_t walk(Documents documents, Walker &&walker, bool learn, Rows &rows);
    std::uint64_t count_naming(Documents documents, FoundNames &names, Rows &rows,
                               const Pause &pause);
    std::uint64_t learn_side_by_side(Documents documents, bool keep, Rows &rows, Crew &crew);
    void add_learnt(const Unit &unit, Rows *rows);
    std::uint64_t count_side_by_side(const std::vector<Documents> &parts, bool learn, Rows &rows,
                                     Crew &crew);
    void count_documents(const std::deque<Rows> &parts, std::size_t n_parts, Rows *rows, Team &team,
                         bool learn = true);
    void count_range(const Rows &rows, std::int32_t first, std::int32_t end,
                     std::vector<std::uint32_t> &met) noexcept;
    void count_document(const Rows &rows, std::size_t first);
    int column_bits() const;
    std::size_t terms_of_byte() const;
    void make_room_to_note(std::size_t more);
    void note_new(std::uint32_t column);
    template <class Visit>
    void each_without_idf(Visit &&visit) const;

    Settings settings_;
    bool count_documents_;
    // Columns that were counted for the first time and have no idf yet; of very many, all columns
    // are looked at instead.
    std::vector<std::uint32_t> without_idf_;
    bool look_at_all_ = false;
    std::unique_ptr<Vocabulary> vocabulary_;
    std::unique_ptr<BucketNames> names_;
};

}  // namespace hardlimit::text
