// The votes as Python holds them: made by Online.votes, or restored from what a file keeps.
#include "readouts/votes.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <vector>

#include "bind/rows_handle.hpp"
#include "bind/unlocked.hpp"
#include "bind/vectors.hpp"
#include "state/any_rows.hpp"

namespace hardlimit {
namespace {

nb::dict copy_arrays(const Votes &votes) {
    nb::dict arrays;
    VoteArrays copy = votes.arrays();
    VoteArrays::fields(
        copy, [&](const char *name, auto &array) { arrays[name] = own_vector(std::move(array)); });
    return arrays;
}

// Copies, so that nobody can change afterwards what is checked now.
template <class Number>
void take_array(const nb::dict &arrays, const char *name, std::vector<Number> &target) {
    VectorIn<Number> given;
    if (!arrays.contains(name) || !nb::try_cast<VectorIn<Number>>(arrays[name], given, false))
        throw nb::value_error((std::string("votes: '") + name + "' must be a contiguous array of " +
                               (sizeof(Number) == 4                ? "int32"
                                : std::is_floating_point_v<Number> ? "float64"
                                                                   : "int64"))
                                  .c_str());
    target.assign(given.data(), given.data() + given.size());
}

Votes restore(const nb::dict &arrays) {
    VoteArrays copy;
    VoteArrays::fields(copy,
                       [&](const char *name, auto &target) { take_array(arrays, name, target); });
    Unlocked release;
    return Votes(std::move(copy));
}

// Multiply-adds between two looks at signals: a few milliseconds.
constexpr double work_of_slice = 1 << 24;

Matrix score_by_votes(const Votes &votes, const RowsHandle &handle) {
    const std::int64_t n_rows = handle.set().n_rows, n_outputs = votes.n_outputs();
    if (handle.set().n_columns != votes.n_columns())
        throw nb::value_error("the rows have another number of columns");
    Matrix result =
        make_matrix<double>(static_cast<std::size_t>(n_rows), static_cast<std::size_t>(n_outputs));
    double *out = result.data();
    Voting voting(votes);
    const auto rows = any_rows(handle.storage);
    for (std::int64_t begin = 0; begin < n_rows;) {
        {
            Unlocked release;
            double left = work_of_slice;
            for (; begin < n_rows && left > 0; begin += Voting::lanes) {
                voting.block(*rows, begin, out + begin * n_outputs);
                left -= (votes.work() + 64) * Voting::lanes;
            }
        }
        if (PyErr_CheckSignals()) throw nb::python_error();
    }
    return result;
}

}  // namespace

void bind_votes(nb::module_ &module) {
    nb::class_<Votes>(module, "Votes",
                      "All hypotheses of a run, each to vote as often as it lived.")
        .def_static(
            "restore", &restore, nb::arg("arrays"),
            "From what ``arrays()`` gave. Everything is checked, for files may be hostile;\n"
            "ValueError says what does not fit.")
        .def("arrays", &copy_arrays,
             "Copies of all there is: {name: vector}. ``counts`` holds presentations, n_columns,\n"
             "n_outputs and the scheme.")
        .def("__getstate__", &copy_arrays)
        .def("__setstate__",
             [](Votes &votes, const nb::dict &arrays) { new (&votes) Votes(restore(arrays)); })
        .def(
            "scores", &score_by_votes, nb::arg("rows"),
            "(votes for - votes against) / presentations for each output, in [-1, 1]; of coupled\n"
            "classes the share of the votes for each, in [0, 1]. A score of zero and a tie at the\n"
            "top abstain. Signals are looked at on the way.")
        .def(
            "cost",
            [](const Votes &votes, std::int64_t n_rows) {
                return votes.work() * static_cast<double>(n_rows);
            },
            nb::arg("n_rows"), "Multiply-adds for so many rows, about.")
        .def_prop_ro("nbytes", &Votes::nbytes, "Memory: grows with every correction.")
        .def_prop_ro("n_corrections", &Votes::n_corrections)
        .def_prop_ro("n_rows", &Votes::n_rows, "Distinct rows among the corrected.")
        .def_prop_ro("n_presentations", &Votes::n_presentations)
        .def_prop_ro("n_columns", &Votes::n_columns)
        .def_prop_ro("n_outputs", &Votes::n_outputs);
}

}  // namespace hardlimit
