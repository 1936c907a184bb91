#include "state/packed.hpp"

namespace hardlimit {
namespace {

template <class Rows, class Value, class Output>
void score_each(const Rows &rows, const PackedRuns<Value, Output> &packed, const double *bias,
                double *out) {
    const std::int64_t outputs = packed.n_outputs;
    std::vector<double> sums(static_cast<std::size_t>(8 * outputs));
    for (std::int64_t i = 0; i < rows.n_rows; ++i, out += outputs) {
        rows.prefetch_row(std::min(i + 8, rows.n_rows - 1));
        std::fill(sums.begin(), sums.end(), 0.0);
        rows.visit_ahead(i, packed, [&](std::int64_t column, double value) {
            packed.add_products(column, value, sums.data() + (column & 7) * outputs);
        });
        for (std::int64_t k = 0; k < outputs; ++k)
            out[k] = tree(sums.data() + k, outputs) + bias[k] * rows.bias;
    }
}

}  // namespace

template <class Value, class Output>
void score_packed(const StoredRows &rows, const PackedRuns<Value, Output> &packed,
                  const double *bias, double *out) {
    std::visit([&](const auto &stored) { score_each(stored, packed, bias, out); }, rows);
}

#define HARDLIMIT_SCORE_PACKED(Value, Output)                                         \
    template void score_packed(const StoredRows &, const PackedRuns<Value, Output> &, \
                               const double *, double *);
HARDLIMIT_SCORE_PACKED(float, std::uint8_t)
HARDLIMIT_SCORE_PACKED(float, std::uint32_t)
HARDLIMIT_SCORE_PACKED(double, std::uint8_t)
HARDLIMIT_SCORE_PACKED(double, std::uint32_t)
#undef HARDLIMIT_SCORE_PACKED

}  // namespace hardlimit
