// The door to frozen text models: tables out of a vectorizer, state in and out, and the scorer.
#include "bind/text_model.hpp"

#include <nanobind/ndarray.h>

#include <deque>
#include <mutex>

#include "bind/bytes.hpp"
#include "bind/containers.hpp"
#include "bind/shared_pointer.hpp"
#include "bind/text_input.hpp"
#include "bind/unlocked.hpp"
#include "text/absorbing.hpp"
#include "text/scorer.hpp"
#include "text/state.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hardlimit {
namespace {

using text::Features;
using text::Scorer;

// {name: (kind, numpy array of bytes)}; the front gives each its kind.
nb::dict to_dict(text::Tensors &tensors) {
    nb::dict arrays;
    for (text::Tensor &tensor : tensors.all) {
        nb::capsule owner(tensor.memory, [](void *p) noexcept { std::free(p); });
        auto *memory = static_cast<unsigned char *>(std::exchange(tensor.memory, nullptr));
        const std::size_t size = tensor.size;
        nb::ndarray<nb::numpy, unsigned char, nb::ndim<1>> array(memory, {size}, owner);
        arrays[tensor.name.c_str()] = nb::make_tuple(tensor.kind, nb::cast(array));
    }
    return arrays;
}

text::Incoming to_incoming(const nb::dict &tensors) {
    text::Incoming incoming;
    for (const auto [name, buffer] : tensors)
        incoming.add(nb::cast<std::string>(name), nb::cast<std::shared_ptr<CheckedBytes>>(buffer));
    return incoming;
}

text::Range to_range(nb::handle pair) { return {nb::cast<int>(pair[0]), nb::cast<int>(pair[1])}; }

double log_from_python(std::uint32_t count) {
    const Relocked python;
    return nb::cast<double>(nb::module_::import_("hardlimit.text.logs").attr("sublinear")(count));
}

// The bounds are those of hardlimit.text.settings.
void read_block_weights(nb::handle pair, double (&weights)[2]) {
    bool good = nb::isinstance<nb::list>(pair) && nb::len(pair) == 2;
    for (int b = 0; b < 2 && good; ++b) {
        double weight = 0;
        good = nb::try_cast<double>(pair[b], weight) && 1e-6 <= weight && weight <= 1e6;
        if (good) weights[b] = weight;
    }
    if (!good) throw DamagedModel("model file: a text header with impossible weights of blocks");
}

void make_scorer(Scorer *self, nb::object header, const nb::dict &tables,
                 std::shared_ptr<CheckedBytes> weights, std::vector<double> intercept) {
    if (PyUnicode_Check(header.ptr())) header = nb::module_::import_("json").attr("loads")(header);
    const auto of = [&](const char *key) -> nb::object { return header[key]; };
    const auto tf = nb::cast<std::string>(of("tf"));
    const nb::object of_block = header.attr("get")("block_weights");
    const bool weighed_apart =
        !of_block.is_none() && to_range(of("words")).any() && to_range(of("chars")).any();
    const nb::object stop_words = header.attr("get")("stop_words");
    const text::Settings settings{
        to_range(of("words")),
        to_range(of("chars")),
        nb::cast<int>(of("hash_bits")),
        nb::cast<std::uint64_t>(of("salt")),
        weighed_apart,
        header.attr("get")("analyzer").equal(nb::str("char")),
        stop_words.is_none()
            ? nullptr
            : text::make_stop_words(nb::cast<std::vector<std::string>>(stop_words))};
    const auto possible = [](const text::Range &range) {
        return range.any() ? 1 <= range.least && range.least <= range.most && range.most <= 64
                           : range.least == 0 && range.most == 0;
    };
    if (settings.hash_bits < 0 || settings.hash_bits > 31 || !possible(settings.words) ||
        !possible(settings.chars))
        throw DamagedModel("model file: a text header with impossible settings");
    text::Weighting weighting;
    weighting.tf = tf == "raw"      ? text::Tf::raw
                   : tf == "binary" ? text::Tf::binary
                                    : text::Tf::sublinear;
    weighting.l2 = !of("norm").is_none();
    double block_weights[2];
    if (!of_block.is_none()) read_block_weights(of_block, block_weights);
    if (settings.blocks) std::copy_n(block_weights, 2, weighting.of_block);
    const text::Incoming incoming = to_incoming(tables);
    std::vector<double> logs;
    if (incoming.has("logs")) {
        const auto stored = incoming.array<double>("logs");
        for (std::size_t i = 0; i < stored.size(); ++i) logs.push_back(stored[i]);
    }
    if (!weights && !incoming.has("packed.runs"))
        throw DamagedModel("model file: a text model without weights");
    new (self) Scorer(settings, std::move(weighting), nb::cast<double>(of("idf_of_unseen")),
                      incoming, std::move(weights), std::move(intercept), std::move(logs));
    self->log_of = log_from_python;
}

// Scores (document-major doubles) and known features of every text.
struct TextScores {
    std::vector<double> scores;
    std::vector<std::size_t> known;
};

TextScores score_texts(const Scorer &self, nb::handle texts, std::size_t n_threads,
                       std::size_t least_share) {
    const Py_ssize_t n = PySequence_Size(texts.ptr());
    if (n < 0) throw nb::python_error();
    const std::size_t k = self.n_outputs();
    TextScores found{std::vector<double>(n * k), std::vector<std::size_t>(n)};
    Team team(n_threads, look_for_signals);
    text::Crew crew(team, least_share);
    std::deque<Scorer::Session> sessions;
    while (sessions.size() < team.n_workers())
        sessions.emplace_back(self, crew.pause(sessions.size()));
    for (Py_ssize_t next = 0, done = 0; next < n;) {
        if (PyErr_CheckSignals()) throw nb::python_error();
        const TextBatch batch(texts, next, 0, batch_bytes * std::min(n_threads, most_batches));
        Unlocked released;
        const Team::Gathering until_locked(team);
        const auto parts = crew.cut(batch.sources());
        team.run(parts.size(), [&](std::size_t part, std::size_t worker) {
            std::size_t at = done + (parts[part].data() - batch.sources().data());
            for (const text::Source &source : parts[part]) {
                sessions[worker].features(source);
                found.known[at] = sessions[worker].scores(found.scores.data() + at * k);
                ++at;
            }
        });
        done = next;
    }
    return found;
}

// A model file may hold anything: names come out with U+FFFD where they are not UTF-8.
nb::object as_text(const std::string &name) {
    return nb::steal(PyUnicode_DecodeUTF8(name.data(), name.size(), "replace"));
}

nb::list list_terms(const Scorer &self, nb::handle text) {
    nb::list one, found;
    one.append(text);
    Py_ssize_t next = 0;
    const TextBatch batch(one, next, 0, 1);
    Scorer::Session session(self);
    for (const text::Feature &feature : session.features(batch.sources()[0])) {
        const std::int32_t row = self.weight_row(feature);
        if (row < 0) continue;
        nb::list weights;
        for (const float weight : self.weights(row)) weights.append(nb::float_(weight));
        found.append(nb::make_tuple(feature.column, nb::float_(feature.value()),
                                    self.named_row(feature), nb::tuple(weights)));
    }
    return found;
}

}  // namespace

void bind_frozen(nb::class_<Features> &features) {
    features
        .def(
            "freeze",
            [](const Features &self, std::optional<std::vector<std::int32_t>> used,
               bool keep_unused, bool with_idf) {
                std::optional<text::Tensors> tensors;
                {
                    Unlocked released;
                    const std::shared_lock lock(self.mutex);
                    tensors.emplace(text::freeze(self, used, keep_unused, with_idf));
                }
                return to_dict(*tensors);
            },
            "used"_a.none(), "keep_unused"_a, "with_idf"_a)
        .def("dump",
             [](const Features &self) {
                 std::optional<text::Tensors> tensors;
                 {
                     const Unlocked released;
                     const std::shared_lock lock(self.mutex);
                     tensors.emplace(text::dump_state(self));
                 }
                 return to_dict(*tensors);
             })
        .def(
            "restore",
            [](Features &self, const nb::dict &tensors, std::uint64_t n_documents) {
                const text::Incoming incoming = to_incoming(tensors);
                const Unlocked released;
                const std::unique_lock lock(self.mutex);
                text::restore_state(self, incoming, n_documents);
            },
            "tensors"_a, "n_documents"_a)
        .def(
            "absorb",
            [](Features &self, const nb::dict &tensors, std::uint64_t n_documents) {
                const text::Incoming incoming = to_incoming(tensors);
                const Unlocked released;
                const std::unique_lock lock(self.mutex);
                text::absorb_state(self, incoming, n_documents);
            },
            "tensors"_a, "n_documents"_a,
            "Learn what another vocabulary learnt of the texts that come next.");
}

void bind_scorer(nb::module_ &module) {
    nb::class_<Scorer>(module, "TextScorer",
                       "Raw text to scores, straight from the tensors of a model file.")
        .def("__init__", &make_scorer, "header"_a, "tables"_a, "weights"_a.none(), "intercept"_a,
             "``header``: TextVectorizer.header() as JSON or dict; ``tables``: {name: "
             "CheckedBuffer};\n``weights``: float32, a row of outputs for each used column; None "
             "where the tables\nhave packed weights: runs, starts, outputs and cells.")
        .def_prop_ro("n_outputs", &Scorer::n_outputs)
        .def(
            "scores",
            [](const Scorer &self, nb::handle texts, std::size_t n_threads,
               std::size_t least_share) {
                return as_bytes(score_texts(self, texts, n_threads, least_share).scores);
            },
            "texts"_a, "n_threads"_a = 1, "least_share"_a = 1 << 18,
            "Doubles, ``n_outputs`` for each text of a list, as bytes.")
        .def(
            "known",
            [](const Scorer &self, nb::handle texts, std::size_t n_threads,
               std::size_t least_share) {
                return score_texts(self, texts, n_threads, least_share).known;
            },
            "texts"_a, "n_threads"_a = 1, "least_share"_a = 1 << 18,
            "Distinct terms of each text that have weights.")
        .def(
            "scores_and_known",
            [](const Scorer &self, nb::handle texts, std::size_t n_threads,
               std::size_t least_share) {
                const TextScores found = score_texts(self, texts, n_threads, least_share);
                return nb::make_tuple(as_bytes(found.scores), found.known);
            },
            "texts"_a, "n_threads"_a = 1, "least_share"_a = 1 << 18, "Both in one pass.")
        .def(
            "name_of_column",
            [](const Scorer &self, std::uint32_t column) {
                return as_text(self.name_of_column(column));
            },
            "column"_a, "The term of an original column; '' where hashing lost it.")
        .def("weights_of_column", &Scorer::weights_of_column, "column"_a,
             "The weights of an original column, by output; none where it has none.")
        .def("contributions", &list_terms, "text"_a,
             "``(original column, value, row of weights, weights)`` of each known term that has\n"
             "weights, ascending column.")
        .def(
            "term", [](const Scorer &self, std::size_t row) { return as_text(self.term(row)); },
            "row"_a, "The term that a row of weights belongs to; '' where hashing lost it.");
}

}  // namespace hardlimit
