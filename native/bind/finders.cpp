// Searches for separating directions and for multipliers, by name.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <mutex>
#include <string>

#include "bind/containers.hpp"
#include "bind/rows_handle.hpp"
#include "bind/unlocked.hpp"
#include "bind/vectors.hpp"
#include "finders/integer_perceptron.hpp"
#include "finders/registry.hpp"

namespace hardlimit {
namespace {

using Whole = VectorIn<std::int64_t>;

// Without the interpreter's lock: another thread may ask while a search advances.
template <class Do>
auto alone(std::mutex &mutex, Do work) {
    const Unlocked release;
    const std::lock_guard guard(mutex);
    return work();
}

// A search and the rows that it looks into.
class Searching {
  public:
    Searching(nb::object rows, std::unique_ptr<Search> search, std::int64_t n_columns)
        : search_(std::move(search)), rows_(std::move(rows)), n_columns_(n_columns) {}

    template <class Get>
    auto look(Get get) const {
        return alone(mutex_, [&] { return get(*search_); });
    }

    void advance(std::int64_t work_limit) {
        alone(mutex_, [&] { search_->advance(work_limit); });
    }

    VectorOf<double> direction() const {
        auto found = look([](const Search &search) { return search.direction; });
        found.resize(static_cast<std::size_t>(n_columns_));
        return own_vector(std::move(found));
    }

    VectorOf<double> weighting() const {
        return own_vector(look([](const Search &search) { return search.weighting(); }));
    }

  private:
    mutable std::mutex mutex_;
    std::unique_ptr<Search> search_;
    nb::object rows_;
    std::int64_t n_columns_;
};

// Signed rows of float64, with a bias column of their own where they have one.
std::unique_ptr<Searching> new_search(const std::string &name, nb::object rows, double parameter,
                                      std::uint64_t seed) {
    const auto &handle = nb::cast<const RowsHandle &>(rows);
    const RowSet &set = handle.set();
    if (set.n_rows < 1 || set.n_columns < 1) throw nb::value_error("a search needs rows");
    auto search = make_search(name, handle.storage, parameter, seed);
    if (!search) throw nb::value_error("a search of that name, over rows of float64, is wanted");
    return std::make_unique<Searching>(rows, std::move(search), set.n_columns);
}

// The exact perceptron, and the arrays that it looks into.
class ExactPerceptron {
  public:
    ExactPerceptron(Whole starts, Whole columns, Whole values, std::int64_t n_columns,
                    std::uint64_t seed)
        : starts_(starts), columns_(columns), values_(values) {
        const auto n_rows = static_cast<std::int64_t>(starts.size()) - 1;
        if (n_rows < 1) throw nb::value_error("a search needs rows");
        const auto n_values = static_cast<std::int64_t>(values.size());
        bool sound = starts.data()[0] == 0 && starts.data()[n_rows] == n_values &&
                     columns.size() == values.size();
        for (std::int64_t i = 0; i < n_rows; ++i)
            sound = sound && starts.data()[i] <= starts.data()[i + 1];
        for (std::int64_t p = 0; sound && p < n_values; ++p)
            sound = columns.data()[p] >= 0 && columns.data()[p] < n_columns;
        if (!sound) throw nb::value_error("the arrays contradict each other");
        run_ = std::make_unique<IntegerPerceptron>(
            IntegerRows{starts.data(), columns.data(), values.data(), n_rows, n_columns}, seed);
    }

    void advance(std::int64_t work_limit) {
        alone(mutex_, [&] { run_->advance(work_limit); });
    }

    template <class Get>
    auto look(Get get) const {
        return alone(mutex_, [&] { return get(*run_); });
    }

  private:
    mutable std::mutex mutex_;
    std::unique_ptr<IntegerPerceptron> run_;
    Whole starts_, columns_, values_;
};

template <class Get>
auto of_search(Get get) {
    return [get](const Searching &searching) { return searching.look(get); };
}

template <class Get>
auto of_run(Get get) {
    return [get](const ExactPerceptron &exact) { return exact.look(get); };
}

}  // namespace

void bind_finders(nb::module_ &module) {
    nb::class_<Searching>(module, "Search", "A search among signed rows: see native/finders/.")
        .def("advance", &Searching::advance, nb::arg("work_limit"))
        .def("direction", &Searching::direction)
        .def("weighting", &Searching::weighting)
        .def_prop_ro("smallest", of_search([](const Search &s) { return s.smallest; }))
        .def_prop_ro("length", of_search([](const Search &s) { return s.length; }))
        .def_prop_ro("iterations", of_search([](const Search &s) { return s.iterations; }))
        .def_prop_ro("found_at", of_search([](const Search &s) { return s.found_at; }))
        .def_prop_ro("done", of_search([](const Search &s) { return s.done; }));
    module.def("new_search", &new_search, nb::arg("name"), nb::arg("rows"), nb::arg("parameter"),
               nb::arg("seed"));
    nb::class_<ExactPerceptron>(module, "ExactPerceptron",
                                "The perceptron on integer rows, which sees its weights repeat.")
        .def(nb::init<Whole, Whole, Whole, std::int64_t, std::uint64_t>(),
             nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
             nb::arg("values").noconvert(), nb::arg("n_columns"), nb::arg("seed"))
        .def("advance", &ExactPerceptron::advance, nb::arg("work_limit"))
        .def("direction",
             [](const ExactPerceptron &e) {
                 return own_vector(e.look([](const IntegerPerceptron &run) { return run.w; }));
             })
        .def("weighting",
             [](const ExactPerceptron &e) {
                 return own_vector(e.look([](const IntegerPerceptron &run) { return run.counts; }));
             })
        .def_prop_ro("n_corrections", of_run([](const IntegerPerceptron &run) { return run.k; }))
        .def_prop_ro("period", of_run([](const IntegerPerceptron &run) { return run.period; }))
        .def_prop_ro("ended", [](const ExactPerceptron &e) -> std::string {
            switch (e.look([](const IntegerPerceptron &run) { return run.ended; })) {
                case Ended::separated:
                    return "separated";
                case Ended::repeated:
                    return "repeated";
                case Ended::too_large:
                    return "too large";
                default:
                    return "";
            }
        });
}

}  // namespace hardlimit
