#include "cache/weighed.hpp"

#include <algorithm>
#include <memory>

#include "cache/filling.hpp"

namespace hardlimit::cache {
namespace {

// Columns, and tf idf of each cell.
template <class Of>
class Products {
  public:
    Products(const text::Features &features, Idf idf, Of of_count, std::int32_t *columns,
             double *products)
        : idf_of_(features.idf),
          idf_(idf),
          of_count_(of_count),
          columns_(columns),
          products_(products) {}

    HARDLIMIT_INLINE void column(std::uint64_t column) {
        column_ = static_cast<std::int32_t>(column);
        factor_ = 1;
        if (idf_.used) {
            const double learnt = column < idf_of_.size() ? idf_of_[column] : 0;
            prefetch(idf_of_.data() + column + columns_ahead);
            factor_ = learnt == 0 ? idf_.of_unseen : learnt;
        }
        of_one_ = of_count_(1) * factor_;
    }
    HARDLIMIT_INLINE void put(std::uint32_t at) {
        columns_[at] = column_;
        products_[at] = of_one_;
    }
    HARDLIMIT_INLINE void put(std::uint32_t at, std::uint32_t count) {
        columns_[at] = column_;
        products_[at] = of_count_(count) * factor_;
    }

  private:
    // Columns ascend, and most lines of the table are looked at.
    static constexpr std::size_t columns_ahead = 128;
    const Zeroed<double> &idf_of_;
    Idf idf_;
    Of of_count_;
    std::int32_t *columns_;
    double *products_;
    std::int32_t column_ = 0;
    double factor_ = 1, of_one_ = 1;
};

class RowScaling {
  public:
    RowScaling(const text::Features &features, const text::Weighting &weighting)
        : features_(features), weighting_(weighting) {}

    void scale(std::size_t n, const std::int32_t *columns, const double *products,
               std::uint32_t *cells) {
        const auto once = [](std::uint32_t) { return 1.0; };
        const auto product = [products](std::size_t i) { return products[i]; };
        const auto column = [columns](std::size_t i) { return columns[i]; };
        if (!features_.settings().blocks) {
            text::weigh_row(once, weighting_, n, cells, buffer_, product, column);
            return;
        }
        const auto block = [&](std::size_t i) {
            return features_.block(static_cast<std::uint32_t>(columns[i]));
        };
        text::weigh_row_by_blocks(once, weighting_, n, cells, buffer_, product, column, block);
    }

  private:
    const text::Features &features_;
    const text::Weighting &weighting_;
    std::vector<double> buffer_;
};

}  // namespace

void unpack_weighed(Bytes packed_columns, Bytes packed_counts, std::int64_t n_rows,
                    std::int64_t n_cells, const text::Features &features,
                    const text::Weighting &weighting, Idf idf, std::int64_t *starts,
                    std::int32_t *columns, float *values) {
    check_size(n_rows, n_cells, packed_columns);
    const std::unique_ptr<double[]> products(new double[static_cast<std::size_t>(n_cells) + 1]);
    weighting.with_function([&](auto of_count) {
        using Sink = Products<decltype(of_count)>;
        Filling<Sink, MoreCounts>(n_rows, n_cells, features.n_columns(), starts,
                                  Sink(features, idf, of_count, columns, products.get()),
                                  MoreCounts(packed_counts, static_cast<std::uint64_t>(n_cells)))
            .fill(packed_columns);
    });
    RowScaling scaling(features, weighting);
    auto *const cells = reinterpret_cast<std::uint32_t *>(values);
    for (std::int64_t row = 0; row < n_rows; ++row) {
        const std::int64_t first = starts[row];
        scaling.scale(static_cast<std::size_t>(starts[row + 1] - first), columns + first,
                      products.get() + first, cells + first);
    }
}

std::uint32_t largest_count(Bytes packed_counts, std::int64_t n_cells) {
    MoreCounts more(packed_counts, static_cast<std::uint64_t>(n_cells));
    std::uint32_t largest = 1;
    while (more.next() < static_cast<std::uint64_t>(n_cells))
        largest = std::max(largest, more.take());
    return largest;
}

}  // namespace hardlimit::cache
