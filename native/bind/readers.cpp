// The door to compiled readers of files.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "bind/containers.hpp"
#include "bind/parts.hpp"
#include "bind/unlocked.hpp"
#include "readers/svmlight.hpp"

namespace nb = nanobind;

namespace hardlimit {
namespace {

// Hands a vector over to numpy without a copy.
template <class Number>
nb::ndarray<nb::numpy, Number, nb::ndim<1>> give(std::vector<Number> &&numbers) {
    auto held = std::make_unique<std::vector<Number>>(std::move(numbers));
    auto *const cells = held.get();
    nb::capsule owner(cells,
                      [](void *p) noexcept { delete static_cast<std::vector<Number> *>(p); });
    held.release();
    return {cells->data(), {cells->size()}, owner};
}

std::size_t read(SvmlightRows &self, nb::bytes block, std::size_t first) {
    if (first > block.size()) throw nb::value_error("first lies behind the block");
    const std::string_view rest(block.c_str() + first, block.size() - first);
    Unlocked released;
    return self.read(rest);
}

void add(SvmlightRows &self, double label, const std::vector<std::int32_t> &indices,
         const std::vector<double> &values, bool labelled, bool query) {
    if (indices.size() != values.size()) throw nb::value_error("one value an index is wanted");
    self.indices.insert(self.indices.end(), indices.begin(), indices.end());
    self.values.insert(self.values.end(), values.begin(), values.end());
    self.close_row(labelled ? label : 0.0, labelled, query);
    ++self.n_lines;
}

nb::tuple take(SvmlightRows &self) {
    return nb::make_tuple(give(std::move(self.labels)), give(std::move(self.starts)),
                          give(std::move(self.indices)), give(std::move(self.values)),
                          give(std::move(self.lines)));
}

}  // namespace

void bind_readers(nb::module_ &module) {
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
        .def("read", &read, nb::arg("block"), nb::arg("first"),
             "Read whole lines from byte ``first`` on; the number of bytes read. It stops before a "
             "line that is broken or written in a rare way.")
        .def("add", &add, nb::arg("label"), nb::arg("indices"), nb::arg("values"),
             nb::arg("labelled"), nb::arg("query"), "Add the row of one line.")
        .def(
            "skip_line", [](SvmlightRows &self) { ++self.n_lines; }, "Count a line without a row.")
        .def("take", &take, "labels, starts, indices, values and lines; the rows are then gone.");
}

}  // namespace hardlimit
