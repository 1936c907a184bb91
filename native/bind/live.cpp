// The door to corrections on top of a base: rows, the overlay, and rows whose answers are followed.
#include <cmath>

#include "bind/bytes.hpp"
#include "bind/containers.hpp"
#include "bind/parts.hpp"
#include "bind/shared_pointer.hpp"
#include "bind/text_input.hpp"
#include "bind/unlocked.hpp"
#include "live/row_bytes.hpp"
#include "live/state_bytes.hpp"
#include "live/texts.hpp"
#include "live/watch.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hardlimit {
namespace {

using live::Overlay;
using live::Row;
using live::Step;
using live::Watch;
using text::Scorer;

std::string to_string(nb::bytes bytes) { return {bytes.c_str(), bytes.size()}; }

std::vector<Step> to_steps(nb::handle list) {
    std::vector<Step> steps;
    for (const nb::handle pair : list)
        steps.push_back({nb::cast<std::uint32_t>(pair[0]), nb::cast<double>(pair[1])});
    return steps;
}

nb::list from_steps(const std::vector<Step> &steps) {
    nb::list list;
    for (const Step &step : steps) list.append(nb::make_tuple(step.output, step.step));
    return list;
}

nb::list from_changes(const std::vector<Watch::Change> &changes) {
    nb::list list;
    for (const Watch::Change &change : changes)
        list.append(nb::make_tuple(change.number, change.before, change.after));
    return list;
}

// A row of a text, made under the interpreter's lock: its scratch is shared by all threads.
class TextReader {
  public:
    TextReader(const Scorer &scorer, bool grows)
        : grows_(grows && scorer.takes_new_terms()), rows_(scorer, grows) {}

    Row read(Overlay &overlay, nb::handle text, bool learn) {
        nb::list one;
        one.append(text);
        Py_ssize_t next = 0;
        const TextBatch batch(one, next, 0, 1);
        Row row;
        rows_.read(batch.sources()[0], overlay.terms, learn, overlay.bias(), row);
        return row;
    }
    bool grows() const { return grows_; }

  private:
    bool grows_;
    live::TextRows rows_;
};

// Scores (text-major doubles) of every text, and how many of its terms have weights; of none is a
// row made that outlives it.
nb::tuple scores_of_texts(Overlay &self, const Scorer &scorer, bool grows, nb::handle texts) {
    const Py_ssize_t n = PySequence_Size(texts.ptr());
    if (n < 0) throw nb::python_error();
    const std::size_t k = self.n_outputs();
    std::vector<double> scores(static_cast<std::size_t>(n) * k);
    std::vector<std::size_t> known(static_cast<std::size_t>(n));
    live::TextRows rows(scorer, grows, text::Pause(look_for_signals));
    Row row;
    for (Py_ssize_t next = 0, done = 0; next < n;) {
        if (PyErr_CheckSignals()) throw nb::python_error();
        const TextBatch batch(texts, next, 0, batch_bytes);
        Unlocked released;
        for (const text::Source &source : batch.sources()) {
            rows.read(source, self.terms, false, self.bias(), row);
            const auto place = static_cast<std::size_t>(done++);
            self.scores(row, scores.data() + place * k);
            known[place] = row.n_known();
        }
    }
    return nb::make_tuple(as_bytes(scores), known);
}

// A row of columns of the base, and of named terms that it does not know: those that corrections
// do not know either are added with `learn`, and left out without.
Row make_row(Overlay &overlay, const std::vector<std::uint32_t> &columns,
             const std::vector<double> &values, std::vector<double> base,
             const std::vector<std::string> &names, const std::vector<double> &sizes, bool learn) {
    if (columns.size() != values.size() || base.size() != overlay.base_outputs() ||
        names.size() != sizes.size())
        throw std::invalid_argument("lengths that differ");
    Row row;
    for (std::size_t i = 0; i < columns.size(); ++i) row.add(columns[i], values[i]);
    row.n_columns = columns.size();
    row.base = std::move(base);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].size() > live::Terms::longest) continue;
        const std::string term = "w" + names[i];
        const std::uint32_t id = learn ? overlay.terms.find_or_add(term) : overlay.terms.find(term);
        if (id == live::Terms::none) continue;
        row.add(live::new_term | id, sizes[i]);
        ++row.n_new;
    }
    if (overlay.bias() > 0) row.add(live::of_bias, overlay.bias());
    return row;
}

double dot(const Row &a, const Row &b) {
    std::unordered_map<live::Key, double> of_b;
    for (std::size_t i = 0; i < b.keys.size(); ++i) of_b.emplace(b.keys[i], b.values[i]);
    double sum = 0;
    for (std::size_t i = 0; i < a.keys.size(); ++i) {
        const auto found = of_b.find(a.keys[i]);
        if (found != of_b.end()) sum += a.values[i] * found->second;
    }
    return sum;
}

std::vector<double> scores_of(const Overlay &overlay, const Row &row) {
    std::vector<double> scores(overlay.n_outputs());
    overlay.scores(row, scores.data());
    return scores;
}

void check_class(const Overlay &overlay, std::size_t y) {
    if (y >= overlay.n_classes()) throw std::out_of_range("a class that there is not");
}

void check_steps(const Overlay &overlay, const std::vector<Step> &steps) {
    for (const Step &step : steps)
        if (step.output >= std::max<std::size_t>(2, overlay.n_classes()))
            throw std::out_of_range("an output that there is not");
}

// (key, output, value) of every weight that is not 0, ascending.
nb::list weights(const Overlay &self) {
    std::vector<std::tuple<live::Key, std::uint32_t, double>> all;
    self.cells.each([&](live::Key key, std::uint32_t output, double value) {
        if (value != 0) all.emplace_back(key, output, value);
    });
    std::sort(all.begin(), all.end());
    nb::list list;
    for (const auto &[key, output, value] : all) list.append(nb::make_tuple(key, output, value));
    return list;
}

nb::list list_contributions(const Overlay &self, const Row &row) {
    nb::list found;
    for (std::size_t i = 0; i < row.keys.size(); ++i) {
        nb::list cells;
        self.cells.visit(row.keys[i], [&](std::uint32_t output, double weight) {
            if (weight != 0) cells.append(nb::make_tuple(output, weight));
        });
        if (nb::len(cells)) found.append(nb::make_tuple(row.keys[i], row.values[i], cells));
    }
    return found;
}

void bind_live_rows(nb::module_ &module) {
    nb::class_<Row>(module, "LiveRow", "One example as corrections see it.")
        .def_prop_ro(
            "keys", [](const Row &self) { return self.keys; },
            "Columns, then 2**32 + the number of a new term, then 2**33 for the bias.")
        .def_prop_ro("values", [](const Row &self) { return self.values; })
        .def_prop_ro(
            "base", [](const Row &self) { return self.base; }, "The base's scores.")
        .def_ro("n_columns", &Row::n_columns)
        .def_ro("n_new", &Row::n_new)
        .def_prop_ro("n_known", &Row::n_known, "Distinct terms that have weights.")
        .def_ro("n_words", &Row::n_words, "Of a text that was read to learn from it.")
        .def_ro("n_unknown", &Row::n_unknown, "Words that the base does not know.")
        .def_prop_ro("squared_length", &Row::squared_length, "The bias included.")
        .def("dot", &dot, "other"_a)
        .def(
            "to_bytes",
            [](const Row &self, const Overlay &overlay) {
                return as_bytes(live::to_bytes(self, overlay.terms));
            },
            "overlay"_a);
    nb::class_<TextReader>(module, "LiveTextReader", "Texts to rows, with terms of their own.")
        .def(nb::init<const Scorer &, bool>(), "scorer"_a, "grows"_a, nb::keep_alive<1, 2>())
        .def_prop_ro("grows", &TextReader::grows, "Whether corrections add terms.")
        .def("read", &TextReader::read, "overlay"_a, "text"_a, "learn"_a);
}

void bind_overlay(nb::module_ &module) {
    nb::class_<Overlay>(module, "Overlay", "Corrections on top of a base that never changes.")
        .def(nb::init<std::size_t, double, double>(), "base_classes"_a, "threshold"_a, "bias"_a)
        .def_prop_rw("n_classes", &Overlay::n_classes, &Overlay::set_classes)
        .def_prop_rw("threshold", &Overlay::threshold, &Overlay::set_threshold)
        .def_prop_ro("n_outputs", &Overlay::n_outputs)
        .def_prop_ro("n_terms", [](const Overlay &self) { return self.terms.size(); })
        .def(
            "term",
            [](const Overlay &self, std::size_t id) {
                if (id >= self.terms.size()) throw std::out_of_range("a term that there is not");
                const std::string &name = self.terms.name(id);
                return nb::steal(PyUnicode_DecodeUTF8(
                    name.data() + 1, static_cast<Py_ssize_t>(name.size() - 1), "replace"));
            },
            "number"_a)
        .def(
            "forget_terms", [](Overlay &self, std::size_t n) { self.terms.forget_after(n); },
            "after"_a)
        .def("row", &make_row, "columns"_a, "values"_a, "base"_a,
             "terms"_a = std::vector<std::string>(), "term_values"_a = std::vector<double>(),
             "learn"_a = false, "``terms``: names of what the base does not know.")
        .def(
            "row_of_bytes",
            [](Overlay &self, nb::bytes bytes) {
                return live::from_bytes(to_string(bytes), self.terms, self.base_outputs(),
                                        self.bias());
            },
            "bytes"_a)
        .def(
            "known_row_of_bytes",
            [](const Overlay &self, nb::bytes bytes) {
                return live::known_from_bytes(to_string(bytes), self.terms, self.base_outputs(),
                                              self.bias());
            },
            "bytes"_a, "Without the terms that no row has added.")
        .def("scores_of_texts", &scores_of_texts, "scorer"_a, "grows"_a, "texts"_a,
             "Doubles, ``n_outputs`` for each text of a list, as bytes; ``n_known`` of each.")
        .def("scores", &scores_of, "row"_a)
        .def(
            "decide",
            [](const Overlay &self, const Row &row) {
                return self.decide(scores_of(self, row).data());
            },
            "row"_a)
        .def(
            "margin",
            [](const Overlay &self, const Row &row, std::size_t y) {
                check_class(self, y);
                return self.margin(scores_of(self, row).data(), y);
            },
            "row"_a, "y"_a)
        .def(
            "correct",
            [](Overlay &self, const Row &row, std::size_t y, double margin) {
                check_class(self, y);
                std::vector<double> before;
                const std::vector<Step> steps = self.correct(row, y, margin, before);
                return nb::make_tuple(from_steps(steps), as_bytes(before));
            },
            "row"_a, "y"_a, "margin"_a, "Returns the steps, and the values of before as bytes.")
        .def(
            "add",
            [](Overlay &self, const Row &row, nb::handle list) {
                std::vector<double> before;
                const std::vector<Step> steps = to_steps(list);
                check_steps(self, steps);
                self.add(row, steps, before);
                return as_bytes(before);
            },
            "row"_a, "steps"_a)
        .def(
            "rewind",
            [](Overlay &self, const Row &row, nb::handle list, nb::bytes before) {
                const std::vector<Step> steps = to_steps(list);
                std::vector<double> values(before.size() / sizeof(double));
                if (before.size() != steps.size() * row.keys.size() * sizeof(double))
                    throw std::invalid_argument("values of another step");
                std::memcpy(values.data(), before.c_str(), before.size());
                self.rewind(row, steps, values.data());
            },
            "row"_a, "steps"_a, "before"_a)
        .def("weights", &weights, "``(key, output, value)`` of each that is not 0, ascending.")
        .def("contributions", &list_contributions, "row"_a,
             "``(key, value, [(output, weight), ...])`` of the row's keys that were corrected.")
        .def("dump", [](const Overlay &self) { return as_bytes(live::dump(self)); })
        .def(
            "restore",
            [](Overlay &self, nb::bytes bytes) { live::restore(self, to_string(bytes)); },
            "bytes"_a);
}

void bind_watch(nb::module_ &module) {
    nb::class_<Watch>(module, "Watch", "Rows whose answers are followed.")
        .def(nb::init<>())
        .def("__len__", &Watch::size)
        .def("add", &Watch::add, "overlay"_a, "number"_a, "row"_a, "Returns the class of now.")
        .def("remove", &Watch::remove, "number"_a)
        .def(
            "move",
            [](Watch &self, const Overlay &overlay, const Row &row, nb::handle steps) {
                self.move(overlay, row, to_steps(steps));
            },
            "overlay"_a, "row"_a, "steps"_a)
        .def(
            "changes",
            [](Watch &self, const Overlay &overlay) { return from_changes(self.changes(overlay)); },
            "overlay"_a, "``(number, class before, class of now)`` of the rows that changed.")
        .def(
            "refresh",
            [](Watch &self, const Overlay &overlay) { return from_changes(self.refresh(overlay)); },
            "overlay"_a);
}

}  // namespace

void bind_live(nb::module_ &module) {
    bind_live_rows(module);
    bind_overlay(module);
    bind_watch(module);
}

}  // namespace hardlimit
