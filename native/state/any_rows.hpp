// Rows in whatever layout they are stored, behind one virtual call a verb.
//
// For loops whose rows cost far more than a call (a full covariance, a search over all rows, a look
// at fixed weights): they are compiled once, not once for each layout. What one row costs in the
// loops that are run most is a matter of its layout, and they are compiled for each.
#pragma once
#include <cstdint>
#include <memory>

#include "rows/examples.hpp"
#include "rows/rows.hpp"
#include "state/cells.hpp"

namespace hardlimit {

class AnyRows : public RowSet {
  public:
    explicit AnyRows(const RowSet &set) : RowSet(set.n_rows, set.n_columns, set.bias) {}
    virtual ~AnyRows() = default;

    virtual double dot(std::int64_t i, const double *w, std::int64_t coming) const = 0;
    // dot of the rows that take part: row i's goes to out[i]. How many values they have together.
    virtual std::int64_t dots_of_present(const Examples &examples, const double *w,
                                         double *out) const = 0;
    virtual void dots(std::int64_t i, const double *w, Outputs outputs, double *sums,
                      double *out) const = 0;
    virtual void dots(std::int64_t i, const Cells &cells, int vector, double *sums,
                      double *out) const = 0;
    virtual double sqnorm(std::int64_t i) const = 0;
    virtual void add_scaled(std::int64_t i, double scale, double *w, std::int64_t stride) const = 0;
    virtual std::int64_t work(std::int64_t i) const = 0;

    template <class See>
    void visit_stored(std::int64_t i, See see) const {
        visit_each(
            i,
            [](void *context, std::int64_t column, double value) {
                (*static_cast<See *>(context))(column, value);
            },
            &see);
    }

    template <class See>
    void visit(std::int64_t i, See see) const {
        visit_stored(i, [&](std::int64_t column, double value) {
            if (value != 0) see(column, value);
        });
        if (bias != 0) see(n_columns, bias);
    }

    template <class Weights, class See>
    void visit_ahead(std::int64_t i, const Weights &, See see) const {
        visit_stored(i, see);
    }

    // What lies far ahead is not fetched through a call.
    template <class Weights>
    void prefetch_columns(std::int64_t, const Weights &) const {}
    void prefetch_start(std::int64_t) const {}
    void prefetch_row(std::int64_t) const {}
    void prefetch_weights(std::int64_t, const double *, std::int64_t) const {}

  protected:
    using SeeCell = void (*)(void *context, std::int64_t column, double value);

  private:
    virtual void visit_each(std::int64_t i, SeeCell see, void *context) const = 0;
};

inline void dots(const AnyRows &rows, std::int64_t i, const Cells &cells, int vector, double *sums,
                 double *out) {
    rows.dots(i, cells, vector, sums, out);
}

// The rows stay where they are.
std::unique_ptr<const AnyRows> any_rows(const StoredRows &rows);

}  // namespace hardlimit
