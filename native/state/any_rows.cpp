#include "state/any_rows.hpp"

#include <type_traits>

namespace hardlimit {
namespace {

template <class Rows>
class RowsOf final : public AnyRows {
  public:
    explicit RowsOf(const Rows &rows) : AnyRows(rows), rows_(rows) {}

    double dot(std::int64_t i, const double *w, std::int64_t coming) const override {
        return rows_.dot(i, w, coming);
    }
    std::int64_t dots_of_present(const Examples &examples, const double *w,
                                 double *out) const override {
        std::int64_t values = 0;
        for (std::int64_t p = 0; p < examples.n_present; ++p) {
            const std::int64_t i = examples.present_row(p);
            out[i] = rows_.dot(i, w, i);
            values += rows_.work(i);
        }
        return values;
    }
    void dots(std::int64_t i, const double *w, Outputs outputs, double *sums,
              double *out) const override {
        rows_.dots(i, w, outputs, sums, out);
    }
    void dots(std::int64_t i, const Cells &cells, int vector, double *sums,
              double *out) const override {
        hardlimit::dots(rows_, i, cells, vector, sums, out);
    }
    double sqnorm(std::int64_t i) const override { return rows_.sqnorm(i); }
    void add_scaled(std::int64_t i, double scale, double *w, std::int64_t stride) const override {
        rows_.add_scaled(i, scale, w, stride);
    }
    std::int64_t work(std::int64_t i) const override { return rows_.work(i); }

  private:
    void visit_each(std::int64_t i, SeeCell see, void *context) const override {
        rows_.visit_stored(i,
                           [&](std::int64_t column, double value) { see(context, column, value); });
    }

    const Rows &rows_;
};

}  // namespace

std::unique_ptr<const AnyRows> any_rows(const StoredRows &rows) {
    return std::visit(
        [](const auto &stored) -> std::unique_ptr<const AnyRows> {
            return std::make_unique<RowsOf<std::decay_t<decltype(stored)>>>(stored);
        },
        rows);
}

}  // namespace hardlimit
