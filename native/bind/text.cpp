// The door to compiled featurising; hardlimit.text is its front.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>

#include "bind/containers.hpp"
#include "bind/parts.hpp"
#include "bind/text_input.hpp"
#include "bind/text_model.hpp"
#include "bind/unlocked.hpp"
#include "text/features.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hardlimit {
namespace {

using text::Features;
using text::Rows;

// What three arrays of one call lie in.
struct Taken {
    text::Growing<std::int64_t> starts;
    text::Growing<std::int32_t> columns;
    text::Growing<std::uint32_t> values;
};

template <class T>
nb::object to_numpy(T *items, std::size_t n, const nb::capsule &owner) {
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(items, {n}, owner));
}

// indptr, indices and cells, handed over without a copy; the rows are empty then. Cells are the
// values of weighed rows, or counts.
template <class Cell>
nb::tuple take_rows(Rows &rows) {
    rows.columns.reserve(1);  // never a null pointer
    rows.counts.reserve(1);
    auto made = std::make_unique<Taken>(
        Taken{std::move(rows.starts), std::move(rows.columns), std::move(rows.counts)});
    rows.starts.push(0);
    Taken &taken = *made;
    const nb::capsule owner(made.get(), [](void *p) noexcept { delete static_cast<Taken *>(p); });
    made.release();
    auto *values = reinterpret_cast<Cell *>(taken.values.data());
    return nb::make_tuple(to_numpy(taken.starts.data(), taken.starts.size(), owner),
                          to_numpy(taken.columns.data(), taken.columns.size(), owner),
                          to_numpy(values, taken.values.size(), owner));
}

std::uint64_t count_terms(Features &self, nb::handle texts, Py_ssize_t first, bool learn,
                          Rows &rows, bool keep, std::size_t n_threads, std::size_t least_share) {
    std::uint64_t replaced = 0;
    Team team(n_threads, look_for_signals);
    text::Crew crew(team, least_share);
    const std::size_t size_limit = batch_bytes * std::min(n_threads, most_batches);
    for (Py_ssize_t next = 0, n = PySequence_Size(texts.ptr()); next < n;) {
        if (PyErr_CheckSignals()) throw nb::python_error();
        const TextBatch batch(texts, next, first, size_limit);
        Unlocked released;
        const Team::Gathering until_locked(team);
        if (learn) {
            const std::unique_lock lock(self.mutex);
            replaced += self.count(batch.sources(), true, keep, rows, crew);
        } else {
            const std::shared_lock lock(self.mutex);
            replaced += self.count(batch.sources(), false, keep, rows, crew);
        }
        if (!keep) rows.clear();
    }
    return replaced;
}

// A look at what learning changes. Waits without the interpreter's lock, where it must.
template <class What>
auto look(What what) {
    return [what](const Features &self) {
        if (const std::shared_lock lock(self.mutex, std::try_to_lock); lock)
            return std::invoke(what, self);
        const Unlocked released;
        const std::shared_lock lock(self.mutex);
        return std::invoke(what, self);
    };
}

template <class Do>
void learn(Features &self, Do work) {
    const Unlocked released;
    const std::unique_lock lock(self.mutex);
    work();
}

// Nearly all counts are small, a bit each; the few others are sorted.
class CountsMet {
  public:
    void note(std::uint32_t count) {
        if (count < 64 * small_.size())
            small_[count / 64] |= std::uint64_t(1) << count % 64;
        else
            large_.push_back(count);
    }
    void add(const CountsMet &other) {
        for (std::size_t i = 0; i < small_.size(); ++i) small_[i] |= other.small_[i];
        large_.insert(large_.end(), other.large_.begin(), other.large_.end());
    }
    std::vector<std::uint32_t> ascending() {
        std::vector<std::uint32_t> distinct;
        for (std::size_t i = 0; i < small_.size(); ++i)
            for (std::uint64_t bits = small_[i]; bits; bits &= bits - 1)
                distinct.push_back(static_cast<std::uint32_t>(64 * i + std::countr_zero(bits)));
        std::sort(large_.begin(), large_.end());
        std::unique_copy(large_.begin(), large_.end(), std::back_inserter(distinct));
        return distinct;
    }

  private:
    std::array<std::uint64_t, 64> small_{};
    std::vector<std::uint32_t> large_;
};

std::vector<std::uint32_t> distinct_counts(const Rows &rows, std::size_t n_threads) {
    Unlocked released;
    Team team(n_threads, look_for_signals);
    CountsMet met;
    std::mutex mutex;
    rows.each_part(team, [&](std::size_t, std::size_t first, std::size_t end) {
        CountsMet of_part;
        for (std::size_t i = first; i < end; ++i) of_part.note(rows.counts.data()[i]);
        const std::lock_guard lock(mutex);
        met.add(of_part);
    });
    return met.ascending();
}

template <class T>
void append(text::Growing<T> &to, const text::Growing<T> &from) {
    if (from.size()) std::memcpy(to.extend(from.size()), from.data(), from.size() * sizeof(T));
}

Rows copy_rows(const Rows &rows) {
    Rows copy;
    copy.starts.clear();
    append(copy.starts, rows.starts);
    append(copy.columns, rows.columns);
    append(copy.counts, rows.counts);
    return copy;
}

void bind_text_rows(nb::module_ &module) {
    nb::class_<Rows>(module, "TextRows",
                     "Rows in the making: counts first, weights after weighing.")
        .def(nb::init<>())
        .def_prop_ro("n_values", [](const Rows &rows) { return rows.columns.size(); })
        .def("distinct_counts", &distinct_counts, "n_threads"_a = 1,
             "The term frequencies that occur, ascending.")
        .def("take", &take_rows<float>,
             "``(indptr, indices, data)``, handed over; the rows are empty then.")
        .def_prop_ro(
            "n_columns", [](const Rows &rows) { return rows.n_columns; },
            "Columns of the features that weighed them.")
        .def("copy", &copy_rows, "The same rows once more.")
        .def("take_counts", &take_rows<std::uint32_t>, "The same of rows that were not weighed.");
}

void bind_features(nb::module_ &module) {
    nb::class_<Features> features(module, "TextFeatures",
                                  "A vocabulary or a hashing, and its frequencies.");
    features
        .def(
            "__init__",
            [](Features *self, std::pair<int, int> words, std::pair<int, int> chars, int hash_bits,
               std::uint64_t salt, bool count_documents, std::uint32_t column_limit, bool blocks,
               bool across, std::vector<std::string> stop_words) {
                text::Settings settings{{words.first, words.second},
                                        {chars.first, chars.second},
                                        hash_bits,
                                        salt,
                                        blocks,
                                        across,
                                        text::make_stop_words(std::move(stop_words))};
                new (self) Features(settings, count_documents, column_limit);
            },
            "words"_a, "chars"_a, "hash_bits"_a, "salt"_a, "count_documents"_a,
            "column_limit"_a = 0x7FFFFFFF, "blocks"_a = false, "across"_a = false,
            "stop_words"_a = std::vector<std::string>(),
            "(0, 0) is none; hash_bits 0 is a vocabulary. ``across``: n-grams of characters reach\n"
            "over the borders of words.")
        .def(
            "limit",
            [](Features &self, std::uint64_t fewest, std::uint64_t most_documents,
               std::optional<std::size_t> most, Rows &rows) {
                std::size_t left = 0;
                learn(self, [&] { left = self.limit(fewest, most_documents, most, rows); });
                return left;
            },
            "fewest"_a, "most_documents"_a, "most"_a.none(), "rows"_a,
            "Leave the terms in so many documents, and the ``most`` frequent of words and of\n"
            "characters; returns how many are left.")
        .def(
            "add_terms",
            [](Features &self, const std::vector<std::string> &terms) {
                std::vector<std::int32_t> columns;
                learn(self, [&] { columns = self.add_terms(terms); });
                return columns;
            },
            "terms"_a, "Add terms that were in no document; returns their columns.")
        .def(
            "give_vocabulary",
            [](Features &self, const std::vector<std::string> &terms) {
                learn(self, [&] { self.give_vocabulary(terms); });
            },
            "terms"_a, "All terms, by column, of features that have learnt nothing yet.")
        .def_prop_rw(
            "closed", look(&Features::closed),
            [](Features &self, bool closed) { learn(self, [&] { self.closed = closed; }); })
        .def("count", &count_terms, "texts"_a, "first"_a, "learn"_a, "rows"_a, "keep"_a = true,
             "n_threads"_a = 1, "least_share"_a = 1 << 18,
             "Append rows of counts; returns how many code points were replaced. Texts of fewer\n"
             "than ``least_share`` bytes get no thread of their own.")
        .def_prop_rw("n_documents", look(&Features::n_documents),
                     [](Features &self, std::uint64_t n_documents) {
                         learn(self, [&] { self.n_documents = n_documents; });
                     })
        .def_prop_ro("n_columns", look(&Features::n_columns))
        .def("longest_search", look(&Features::longest_search),
             "Steps of the longest search of a term, for tests: O(capacity).")
        .def("frequencies_without_idf", look(&Features::frequencies_without_idf))
        .def(
            "learn_idf",
            [](Features &self, std::vector<std::uint32_t> frequencies, std::vector<double> idf) {
                const text::ValueTable table(std::move(frequencies), std::move(idf));
                learn(self, [&] { self.learn_idf(table); });
            },
            "frequencies"_a, "idf"_a)
        .def("forget_idf", [](Features &self) { learn(self, [&] { self.forget_idf(); }); })
        .def(
            "weigh",
            [](Features &self, Rows &rows, int tf, bool l2, bool use_idf, double idf_of_unseen,
               std::vector<std::uint32_t> counts, std::vector<double> logs,
               std::pair<double, double> of_block, std::size_t n_threads) {
                Unlocked released;
                Team team(n_threads, look_for_signals);
                const std::shared_lock lock(self.mutex);
                const text::Weighting weighting{static_cast<text::Tf>(tf),
                                                l2,
                                                {std::move(counts), std::move(logs)},
                                                {of_block.first, of_block.second}};
                self.weigh(rows, weighting, use_idf, idf_of_unseen, team);
                rows.n_columns = self.n_columns();
            },
            "rows"_a, "tf"_a, "l2"_a, "use_idf"_a, "idf_of_unseen"_a, "counts"_a, "logs"_a,
            "of_block"_a = std::pair(1.0, 1.0), "n_threads"_a = 1,
            "``of_block``: weights of words and characters.")
        .def(
            "names",
            [](const Features &self, const std::vector<std::int32_t> &columns) {
                std::vector<std::string> names;
                {
                    Unlocked released;
                    const std::shared_lock lock(self.mutex);
                    names = self.names(columns);
                }
                nb::list found;  // restored strings may be anything: U+FFFD where not UTF-8
                for (const std::string &name : names)
                    found.append(nb::steal(
                        PyUnicode_DecodeUTF8(name.data(), Py_ssize_t(name.size()), "replace")));
                return found;
            },
            "columns"_a);
    bind_frozen(features);
}

void raise_as_input_error(const std::exception_ptr &thrown, void *) {
    try {
        std::rethrow_exception(thrown);
    } catch (const text::TooManyColumns &full) {
        const nb::object error = nb::module_::import_("hardlimit.exceptions").attr("InputError");
        PyErr_SetString(error.ptr(), full.what());
    }
}

}  // namespace

void bind_text(nb::module_ &module) {
    module.def(
        "sorted_columns",
        [](std::vector<std::uint32_t> columns, int bits) {
            text::ColumnSorter().sort(columns.data(), columns.size(), bits);
            return columns;
        },
        "columns"_a, "bits"_a, "The sort of one document's columns, each below 2**bits.");
    module.def(
        "siphash13",
        [](std::uint64_t k0, std::uint64_t k1, nb::bytes bytes) {
            std::string padded(bytes.c_str(), bytes.size());
            padded.resize(padded.size() + 8);
            return text::Sip(k0, k1).of_bytes(
                reinterpret_cast<const unsigned char *>(padded.data()), bytes.size());
        },
        "k0"_a, "k1"_a, "bytes"_a, "The keyed hash of growing tables, for tests.");
    module.def(
        "in_unicode_tables",
        [](std::uint32_t code_point) {
            const auto &found = text::properties(code_point);
            return found.flags != 0 || found.lower != 0;
        },
        "code_point"_a, "Whether the tables know anything of a code point below 0x110000.");
    module.attr("UNICODE_VERSION") = text::tables::unicode_version;
    module.attr("HASH_NAME") = text::hash_name;
    nb::register_exception_translator(raise_as_input_error);
    bind_text_rows(module);
    bind_features(module);
    bind_scorer(module);
}

}  // namespace hardlimit
