// Products of a row's columns, as columns of their own: all monomials up to a degree, or all pairs.
//
// A row comes as its non-zero cells, columns ascending, from dense and sparse rows alike, and the
// products go to a sink in ascending order of their columns: the same products of the same factors
// in the same order, so that dense and sparse rows give the same bits.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "text/hash.hpp"

namespace hardlimit {

struct Cell {
    std::int64_t column;
    double value;
};
using RowCells = std::vector<Cell>;

// Multisets of k out of n: n (n + 1) .. (n + k - 1) / k!. Python keeps it below 2^53.
inline std::int64_t multisets(std::int64_t n, int k) {
    std::int64_t found = 1;
    for (int j = 0; j < k; ++j) found = found * (n + j) / (j + 1);
    return found;
}

// The map of the kernel (c + <x, z>)^degree: by degree, then in the order of the first factor, of
// the second, and so on, each x_i1 .. x_ik times sqrt(c^(p-k) p! / ((p-k)! a_1! a_2! ..)).
class Monomials {
  public:
    Monomials(std::int64_t n_columns, int degree, double c)
        : n_columns_(n_columns), degree_(degree), least_(c == 0 ? degree : 0) {
        std::int64_t offset = 0, square = 1;
        for (int k = 0; k <= degree; ++k) {
            offsets_.push_back(offset);
            squares_.push_back(square);
            if (k >= least_) offset += multisets(n_columns, k);
            square *= degree - k;
        }
        powers_.assign(static_cast<std::size_t>(degree) + 1, 1.0);
        for (std::size_t k = powers_.size() - 1; k-- > 0;) powers_[k] = powers_[k + 1] * c;
    }

    // How many cells a row of so many non-zeros becomes; a double, because it may be too many.
    double count(std::int64_t n) const {
        double cells = 0, of_degree = 1;
        for (int k = 0; k <= degree_; ++k) {
            if (k >= least_) cells += of_degree;
            of_degree = of_degree * static_cast<double>(n + k) / (k + 1);
        }
        return cells;
    }

    template <class Sink>
    void expand(const RowCells &row, Sink sink) const {
        for (int k = least_; k <= degree_; ++k) {
            const auto at = static_cast<std::size_t>(k);
            if (k == 0)
                sink(offsets_[at], std::sqrt(powers_[at]));
            else
                descend(row, {offsets_[at], 0, 0, 0, 1.0, squares_[at], powers_[at]}, k, sink);
        }
    }

  private:
    // The factors chosen so far: the product's first possible column, the first column that may
    // follow, where it stands in the row and how often it was taken, the product and its weight.
    struct Chosen {
        std::int64_t column, least;
        std::size_t next;
        int times;
        double product;
        std::int64_t square;
        double power;
    };

    template <class Sink>
    void descend(const RowCells &row, const Chosen &so_far, int left, Sink &sink) const {
        if (left == 1) return finish(row, so_far, sink);
        for (std::size_t i = so_far.next; i < row.size(); ++i) {
            Chosen more = so_far;
            more.times = i == so_far.next ? so_far.times + 1 : 1;
            more.column += multisets(n_columns_ - so_far.least, left) -
                           multisets(n_columns_ - row[i].column, left);
            more.least = row[i].column;
            more.next = i;
            more.product *= row[i].value;
            more.square /= more.times;
            descend(row, more, left - 1, sink);
        }
    }

    template <class Sink>
    void finish(const RowCells &row, const Chosen &so_far, Sink &sink) const {
        const double fresh = std::sqrt(static_cast<double>(so_far.square) * so_far.power);
        const double again =
            std::sqrt(static_cast<double>(so_far.square / (so_far.times + 1)) * so_far.power);
        const std::int64_t column = so_far.column - so_far.least;
        for (std::size_t i = so_far.next; i < row.size(); ++i)
            sink(column + row[i].column,
                 so_far.product * row[i].value * (i == so_far.next ? again : fresh));
    }

    std::int64_t n_columns_;
    int degree_, least_;
    std::vector<std::int64_t> offsets_, squares_;
    std::vector<double> powers_;
};

// The products x_i x_j, i < j, of chosen columns, behind the columns themselves if `singles`.
// All: pair (i, j) of the m chosen has the column i m - i (i + 1) / 2 + j - i - 1. Seen: the pairs
// of a list, ascending, have their places in it. Hashed, under
// the name "pair-1": the first b bits of fold(fold(P0 ^ i, P1) ^ j, P1), see text/hash.hpp.
class Pairs {
  public:
    // places: the rank of each column among the chosen, -1 where it is not; none where all are.
    Pairs(std::int64_t n_columns, std::vector<std::int64_t> places, bool singles, int bits)
        : places_(std::move(places)),
          chosen_(places_.empty() ? n_columns
                                  : n_columns - std::count(places_.begin(), places_.end(), -1)),
          first_(singles ? n_columns : 0),
          singles_(singles),
          bits_(bits) {}

    // From now on only these pairs: i's partners j > i are partners[starts[i]], ascending, up to
    // starts[i + 1].
    void see(std::vector<std::int64_t> starts, std::vector<std::int64_t> partners) {
        starts_ = std::move(starts);
        partners_ = std::move(partners);
    }

    std::int64_t chosen() const { return chosen_; }

    // An upper bound where not all columns are chosen, not all pairs seen, or columns shared.
    double count(std::int64_t n) const {
        const auto crossed = static_cast<double>(std::min(n, chosen_));
        return (singles_ ? static_cast<double>(n) : 0) + crossed * (crossed - 1) / 2;
    }

    template <class Sink>
    void expand(const RowCells &row, Sink sink) const {
        if (singles_)
            for (const Cell &cell : row) sink(cell.column, cell.value);
        RowCells crossed;
        for (const Cell &cell : row)
            if (place(cell) >= 0) crossed.push_back(cell);
        if (bits_ > 0)
            hash(crossed, sink);
        else if (!starts_.empty())
            look_up(crossed, sink);
        else
            number(crossed, sink);
    }

  private:
    template <class Sink>
    void number(const RowCells &row, Sink &sink) const {
        for (std::size_t a = 0; a < row.size(); ++a) {
            const std::int64_t i = place(row[a]);
            const std::int64_t column = first_ + i * chosen_ - i * (i + 1) / 2 - i - 1;
            for (std::size_t b = a + 1; b < row.size(); ++b)
                sink(column + place(row[b]), row[a].value * row[b].value);
        }
    }

    // The partners of i are few and lie together: both lists ascend, and one follows the other.
    template <class Sink>
    void look_up(const RowCells &row, Sink &sink) const {
        for (std::size_t a = 0; a < row.size(); ++a) {
            const auto i = static_cast<std::size_t>(place(row[a]));
            auto next = partners_.begin() + starts_[i];
            const auto end = partners_.begin() + starts_[i + 1];
            for (std::size_t b = a + 1; b < row.size() && next != end; ++b) {
                next = std::lower_bound(next, end, place(row[b]));
                if (next != end && *next == place(row[b]))
                    sink(first_ + (next - partners_.begin()), row[a].value * row[b].value);
            }
        }
    }

    // Products that share a column are added in the order of their pairs.
    template <class Sink>
    void hash(const RowCells &row, Sink &sink) const {
        RowCells products;
        for (std::size_t a = 0; a < row.size(); ++a) {
            const auto i = static_cast<std::uint64_t>(row[a].column);
            const std::uint64_t half = text::fold(text::P0 ^ i, text::P1);
            for (std::size_t b = a + 1; b < row.size(); ++b) {
                const auto j = static_cast<std::uint64_t>(row[b].column);
                const std::uint64_t bucket = text::fold(half ^ j, text::P1) >> (64 - bits_);
                products.push_back(
                    {first_ + static_cast<std::int64_t>(bucket), row[a].value * row[b].value});
            }
        }
        std::stable_sort(products.begin(), products.end(),
                         [](const Cell &p, const Cell &q) { return p.column < q.column; });
        for (std::size_t p = 0; p < products.size();) {
            Cell sum = products[p];
            while (++p < products.size() && products[p].column == sum.column)
                sum.value += products[p].value;
            sink(sum.column, sum.value);
        }
    }

    std::int64_t place(const Cell &cell) const {
        return places_.empty() ? cell.column : places_[static_cast<std::size_t>(cell.column)];
    }

    std::vector<std::int64_t> places_, starts_, partners_;
    std::int64_t chosen_, first_;
    bool singles_;
    int bits_;
};

}  // namespace hardlimit
