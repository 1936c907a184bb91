// The door to compiled readers of files.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind/containers.hpp"
#include "bind/parts.hpp"
#include "bind/unlocked.hpp"
#include "bind/vectors.hpp"
#include "readers/csv_records.hpp"
#include "readers/svmlight.hpp"
#include "readers/svmlight_writer.hpp"
#include "readers/vowpal.hpp"

namespace nb = nanobind;

namespace hardlimit {
namespace {

std::size_t read_svmlight(SvmlightRows &self, nb::bytes block, std::size_t first) {
    if (first > block.size()) throw nb::value_error("first lies behind the block");
    const std::string_view rest(block.c_str() + first, block.size() - first);
    Unlocked released;
    return self.read(rest);
}

void add_svmlight(SvmlightRows &self, double label, const std::vector<std::int32_t> &indices,
                  const std::vector<double> &values, bool labelled, bool query) {
    if (indices.size() != values.size()) throw nb::value_error("one value an index is wanted");
    self.indices.insert(self.indices.end(), indices.begin(), indices.end());
    self.values.insert(self.values.end(), values.begin(), values.end());
    self.close_row(labelled ? label : 0.0, labelled, query);
    ++self.n_lines;
}

nb::tuple take_svmlight(SvmlightRows &self) {
    return nb::make_tuple(own_vector(std::move(self.labels)), own_vector(std::move(self.starts)),
                          own_vector(std::move(self.indices)), own_vector(std::move(self.values)),
                          own_vector(std::move(self.lines)));
}

std::size_t read_vowpal(VowpalRows &self, nb::bytes block, std::size_t first) {
    if (first > block.size()) throw nb::value_error("first lies behind the block");
    const std::string_view rest(block.c_str() + first, block.size() - first);
    Unlocked released;
    return self.read(rest);
}

void add_vowpal(VowpalRows &self, double label, double weight,
                const nb::typed<nb::list, nb::bytes> &spaces,
                const nb::typed<nb::list, nb::bytes> &names, const std::vector<double> &values,
                bool labelled, bool base) {
    if (spaces.size() != values.size() || names.size() != values.size())
        throw nb::value_error("one namespace and one value a name is wanted");
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto space = nb::cast<nb::bytes>(spaces[i]), name = nb::cast<nb::bytes>(names[i]);
        self.add_feature({space.c_str(), space.size()}, {name.c_str(), name.size()}, values[i]);
    }
    if (!self.close_row(label, weight, labelled, base))
        throw nb::value_error("the values of a feature have no finite sum");
    ++self.n_lines;
}

nb::typed<nb::list, nb::bytes> names_of(const VowpalRows &self) {
    nb::typed<nb::list, nb::bytes> found;
    for (const std::string &name : self.names.all())
        found.append(nb::bytes(name.data(), name.size()));
    return found;
}

nb::tuple take_vowpal(VowpalRows &self) {
    return nb::make_tuple(own_vector(std::move(self.labels)), own_vector(std::move(self.weights)),
                          own_vector(std::move(self.starts)), own_vector(std::move(self.indices)),
                          own_vector(std::move(self.values)), own_vector(std::move(self.lines)));
}

void know_names(VowpalRows &self, const nb::typed<nb::list, nb::bytes> &known) {
    std::string padded;  // eight bytes behind a name are read when it is hashed
    for (nb::handle one : known) {
        const auto name = nb::cast<nb::bytes>(one);
        padded.reserve(name.size() + 8);
        padded.assign(name.c_str(), name.size());
        self.names.find(padded);
    }
    self.names.close();
}

nb::bytes write_rows(const VectorIn<double> &labels, const VectorIn<std::int64_t> &starts,
                     const VectorIn<std::int32_t> &indices, const VectorIn<double> &values,
                     std::int64_t lowest) {
    const std::size_t n = labels.shape(0), cells = indices.shape(0);
    if (values.shape(0) != cells) throw nb::value_error("one value an index is wanted");
    bool good = starts.shape(0) == n + 1 && starts.data()[0] == 0;
    for (std::size_t i = 0; good && i < n; ++i) good = starts.data()[i] <= starts.data()[i + 1];
    if (!good || static_cast<std::size_t>(starts.data()[n]) != cells)
        throw nb::value_error("starts do not say where rows begin");
    std::string text;
    {
        Unlocked released;
        write_svmlight({labels.data(), starts.data(), indices.data(), values.data()}, 0, n, lowest,
                       text);
    }
    return nb::bytes(text.data(), text.size());
}

}  // namespace

void bind_readers(nb::module_ &module) {
    nb::class_<CsvRecords>(module, "CsvRecords", "Where the records of a CSV file end.")
        .def(nb::init<char, std::int64_t, std::vector<std::int64_t>>(), nb::arg("delimiter"),
             nb::arg("begin"), nb::arg("targets"))
        .def(
            "read",
            [](CsvRecords &self, const nb::bytes &block) {
                const std::string_view bytes(block.c_str(), block.size());
                Unlocked released;
                return self.read(bytes);
            },
            nb::arg("block"), "False where the bytes that come next are not written plainly.")
        .def_prop_ro("may_end", &CsvRecords::may_end)
        .def_prop_ro("ends", &CsvRecords::ends,
                     "For each target the end of the first record that ends there or behind it.");
    nb::class_<SvmlightRows>(module, "SvmlightRows", "The rows of an svmlight file.")
        .def(
            "__init__",
            [](SvmlightRows *self, bool need_label) {
                new (self) SvmlightRows();
                self->need_label = need_label;
            },
            nb::arg("need_label"))
        .def_ro("n_lines", &SvmlightRows::n_lines)
        .def_ro("n_queries", &SvmlightRows::n_queries)
        .def_ro("n_unlabelled", &SvmlightRows::n_unlabelled)
        .def("read", &read_svmlight, nb::arg("block"), nb::arg("first"),
             "Read whole lines from byte ``first`` on; the number of bytes read. It stops before a "
             "line that is broken or written in a rare way.")
        .def("add", &add_svmlight, nb::arg("label"), nb::arg("indices"), nb::arg("values"),
             nb::arg("labelled"), nb::arg("query"), "Add the row of one line.")
        .def(
            "skip_line", [](SvmlightRows &self) { ++self.n_lines; }, "Count a line without a row.")
        .def("take", &take_svmlight,
             "labels, starts, indices, values and lines; the rows are then gone.");
    nb::class_<VowpalRows>(module, "VowpalRows", "The rows of a file of Vowpal Wabbit.")
        .def(
            "__init__",
            [](VowpalRows *self, bool need_label) {
                new (self) VowpalRows();
                self->need_label = need_label;
            },
            nb::arg("need_label"))
        .def_ro("n_lines", &VowpalRows::n_lines)
        .def_ro("n_unlabelled", &VowpalRows::n_unlabelled)
        .def_ro("n_bases", &VowpalRows::n_bases)
        .def_ro("n_unknown", &VowpalRows::n_unknown)
        .def(
            "know", &know_names, nb::arg("names"),
            "Take the names of the columns; features of other names are then counted and left out.")
        .def("read", &read_vowpal, nb::arg("block"), nb::arg("first"),
             "Read whole lines from byte ``first`` on; the number of bytes read. It stops before a "
             "line that is broken or written in a rare way.")
        .def("add", &add_vowpal, nb::arg("label"), nb::arg("weight"), nb::arg("spaces"),
             nb::arg("names"), nb::arg("values"), nb::arg("labelled"), nb::arg("base"),
             "Add the row of one line: namespaces, names and values of its features.")
        .def(
            "skip_line", [](VowpalRows &self) { ++self.n_lines; }, "Count a line without a row.")
        .def("names", &names_of, "The names of the columns.")
        .def("take", &take_vowpal,
             "labels, weights, starts, indices, values and lines; the rows are then gone.");
    module.def("write_svmlight_rows", &write_rows, nb::arg("labels"), nb::arg("starts"),
               nb::arg("indices"), nb::arg("values"), nb::arg("lowest"),
               "The lines of rows, index ``lowest`` for the first column; numbers have the fewest "
               "digits that give them back.");
}

}  // namespace hardlimit
