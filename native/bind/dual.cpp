// The names under which Python asks kernels, their Gram matrices and the dual form.
#include "bind/dual_handle.hpp"
#include "state/any_rows.hpp"

namespace hardlimit {
namespace {

GramHandle compute_gram(nb::object rows, nb::object others, std::shared_ptr<MercerKernel> kernel,
                        double bias) {
    const auto &a = nb::cast<const RowsHandle &>(rows), &b = nb::cast<const RowsHandle &>(others);
    return std::visit(
        [&](const auto &found) -> GramHandle {
            using Rows = std::decay_t<decltype(found)>;
            if (!std::holds_alternative<Rows>(b.storage))
                throw nb::value_error("both rows must be stored alike");
            return {std::make_shared<ComputedGram<Rows>>(found, std::get<Rows>(b.storage),
                                                         std::move(kernel), bias),
                    {rows, others}};
        },
        a.storage);
}

GramHandle wrap_gram(nb::object matrix) {
    const auto values = nb::cast<Numbers<const double, 2>>(matrix, false);
    return {std::make_shared<GivenGram>(values.data(), static_cast<std::int64_t>(values.shape(0)),
                                        static_cast<std::int64_t>(values.shape(1))),
            {matrix}};
}

void check_numbers(const Positions &numbers, std::int64_t n) {
    for (std::size_t j = 0; j < numbers.size(); ++j)
        if (numbers.data()[j] < 0 || numbers.data()[j] >= n)
            throw nb::value_error("there is no such row");
}

// K of some rows with some others, in the one order of summation.
Matrix block(const GramHandle &handle, Positions rows, Positions others) {
    Gram &gram = *handle.gram;
    check_numbers(rows, gram.n_rows);
    check_numbers(others, gram.n_others);
    Matrix result = make_matrix<double>(rows.size(), others.size());
    double *out = result.data();
    Unlocked release;
    for (std::size_t i = 0; i < rows.size(); ++i)
        gram.row(rows.data()[i], others.data(), static_cast<std::int64_t>(others.size()),
                 out + i * others.size());
    return result;
}

// Squared lengths of all rows, without the bias.
nb::ndarray<nb::numpy, double, nb::ndim<1>> sqnorms(const RowsHandle &handle) {
    const auto n = static_cast<std::size_t>(handle.set().n_rows);
    auto *found = new double[n];
    nb::capsule owner(found, [](void *p) noexcept { delete[] static_cast<double *>(p); });
    const auto rows = any_rows(handle.storage);
    for (std::int64_t i = 0; i < rows->n_rows; ++i)
        found[i] = rows->sqnorm(i) - rows->bias * rows->bias;
    return {found, {n}, owner};
}

}  // namespace

void bind_dual(nb::module_ &module) {
    nb::class_<MercerKernel>(module, "MercerKernel", "A kernel as the loops see it.");
    module.def("compiled_kernel", &make_kernel, nb::arg("name"), nb::arg("parameters"));
    nb::class_<GramHandle>(module, "Gram", "Inner products of rows in the space of a kernel.")
        .def("block", &block, nb::arg("rows").noconvert(), nb::arg("others").noconvert())
        .def_prop_ro("n_rows", [](const GramHandle &handle) { return handle.gram->n_rows; });
    module.def("compute_gram", &compute_gram, nb::arg("rows"), nb::arg("others"), nb::arg("kernel"),
               nb::arg("bias"));
    module.def("wrap_gram", &wrap_gram, nb::arg("matrix"));
    module.def("sqnorms", &sqnorms, nb::arg("rows"));
    nb::class_<Holding>(module, "Holding", "Who holds the supports: see native/dual/dual.hpp.");
    nb::class_<Dual, TrainingState>(module, "Dual", "The training state of a kernel classifier.")
        .def(nb::init<std::shared_ptr<Rule>, const std::string &, std::int64_t, std::int64_t,
                      bool>(),
             nb::arg("rule"), nb::arg("scheme"), nb::arg("n_places"), nb::arg("n_outputs"),
             nb::arg("averaged"))
        .def("attach", &Dual::attach, nb::arg("gram"), nb::arg("n_supports"))
        .def("set_scores_ahead", &Dual::set_scores_ahead, nb::arg("scores").noconvert(),
             nb::arg("products").noconvert(), nb::arg("deviation").noconvert(),
             nb::arg("magnitude").noconvert(), nb::arg("moved"), nb::arg("by_row"))
        .def("set_holding", &Dual::set_holding, nb::arg("holding").none())
        .def("detach", &Dual::detach)
        .def("coefficients", &Dual::coefficients)
        .def("drop_scores_ahead", &Dual::drop_scores_ahead)
        .def_prop_ro("stale", &Dual::stale)
        .def("present_span", &Dual::present, nb::arg("examples"), nb::arg("begin"), nb::arg("end"),
             nb::arg("exact_margins"))
        .def("verify_span", &Dual::verify_span, nb::arg("examples"), nb::arg("begin"),
             nb::arg("end"))
        .def("close", &Dual::close, nb::arg("examples"))
        .def("votes", &Dual::votes, nb::arg("examples"))
        .def("kept", &Dual::kept)
        .def("compact", &Dual::compact)
        .def("spread", &Dual::spread)
        .def_prop_rw("held", &Dual::held, &Dual::set_held)
        .def("resize", &Dual::resize, nb::arg("n_places"))
        .def("begin_skipping", &Dual::begin_skipping, nb::arg("examples"), nb::arg("always"),
             nb::arg("epochs"))
        .def("end_skipping", &Dual::end_skipping)
        .def("take_products", &Dual::take_products)
        .def_prop_ro("supports", &Dual::supports);
}

}  // namespace hardlimit
