// The door to counting terms in bounded memory; hardlimit.streaming.counting is its front.
#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "bind/bytes.hpp"
#include "bind/containers.hpp"
#include "bind/parts.hpp"
#include "bind/unlocked.hpp"
#include "counting/merge.hpp"
#include "counting/selection.hpp"
#include "counting/spill.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hardlimit {
namespace {

using counting::Merge;
using counting::Occurrences;
using counting::Selection;
using counting::Spill;
using text::Features;

// What `write(to)` appends.
template <class Write>
nb::bytes written(Write &&write) {
    std::string to;
    {
        Unlocked released;
        write(to);
    }
    return nb::bytes(to.data(), to.size());
}

void bind_selection(nb::module_ &module) {
    nb::class_<Selection>(module, "TermSelection", "The terms that a vocabulary keeps.")
        .def(
            "__init__",
            [](Selection *self, std::uint64_t fewest, std::uint64_t most_documents,
               std::optional<std::size_t> most,
               bool keep_all) { new (self) Selection({fewest, most_documents, most, keep_all}); },
            "fewest"_a, "most_documents"_a, "most"_a.none(), "keep_all"_a)
        .def(
            "add",
            [](Selection &self, const nb::bytes &records) {
                const std::string_view view = view_of(records);
                Unlocked released;
                self.add(view);
            },
            "records"_a, "Look at whole records.")
        .def("choose", &Selection::choose, nb::call_guard<Unlocked>(),
             "After the last record; how many parts of kept terms are wanted.")
        .def(
            "find_parts",
            [](Selection &self, const nb::bytes &records) {
                const std::string_view view = view_of(records);
                Unlocked released;
                self.find_parts(view);
            },
            "records"_a, "Look at the same records once more, for those parts.")
        .def_prop_ro("n_kept", &Selection::n_kept)
        .def("fill", &Selection::fill, "features"_a, "n_documents"_a, nb::call_guard<Unlocked>(),
             "Put the terms into features that have learnt nothing.");
}

}  // namespace

void bind_counting(nb::module_ &module) {
    nb::class_<Occurrences>(module, "TermOccurrences", "How often each column occurs.")
        .def(nb::init<>())
        .def("add", &Occurrences::add, "rows"_a, nb::call_guard<Unlocked>(),
             "Add the counts of rows that are not weighed.")
        .def_prop_ro("n_bytes", &Occurrences::n_bytes);
    module.def(
        "count_bytes_of_terms",
        [](const Features &features, std::size_t words, std::size_t runs, std::size_t chars) {
            return counting::count_bytes(features, {words, runs, chars});
        },
        "features"_a, "words"_a = 0, "runs"_a = 0, "chars"_a = 0,
        "Bytes that a vocabulary and its records take with so many more terms.");
    nb::class_<Spill>(module, "TermSpill", "The terms of a vocabulary as sorted records.")
        .def(nb::init<const Features &, const Occurrences &, std::uint32_t>(), "features"_a,
             "occurrences"_a, "run"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def(
            "write",
            [](Spill &self, std::size_t n_bytes) {
                return written([&](std::string &to) { self.write(n_bytes, to); });
            },
            "n_bytes"_a, "The next records, about so many bytes; none after the last.");
    nb::class_<Merge>(module, "TermMerge", "Sorted records of several sources as one.")
        .def(nb::init<std::size_t>(), "n_sources"_a)
        .def("hungry", &Merge::hungry, "A source that needs more bytes; -1: none.")
        .def(
            "feed",
            [](Merge &self, std::size_t source, const nb::bytes &bytes) {
                self.feed(source, view_of(bytes));
            },
            "source"_a, "bytes"_a, "More bytes of a source; none at its end.")
        .def(
            "write",
            [](Merge &self, std::size_t n_bytes) {
                return written([&](std::string &to) { self.write(n_bytes, to); });
            },
            "n_bytes"_a, "Merged records, until a source is hungry.")
        .def_prop_ro("done", &Merge::done);
    bind_selection(module);
}

}  // namespace hardlimit
