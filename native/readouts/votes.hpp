// The voted read-out: every hypothesis that passed by votes, as often as it lived.
//
// The hypotheses are not stored. A log of the corrections tells the scores of all of them for a row
// x, one from the other, once the inner products with the corrected rows are known:
//   score <- shrink * score + tau * <x_k, x>
// A hypothesis that is born by a correction at presentation b lives until the next correction of
// its counter, at d: it votes d - b times, the last one as if d were one behind the last
// presentation. The weights at the start are zero, their score is, and votes of a zero score
// abstain. Memory: the distinct corrected rows and the log, which grows by up to 44 bytes a
// correction for as long as there are any.
//   Freund and Schapire, Machine Learning 37 (1999), Fig. 1 and Sect. 3.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "readouts/octets.hpp"
#include "rows/rows.hpp"
#include "state/state.hpp"

namespace hardlimit {

// What a file keeps of the votes. The corrected rows are sparse, without zeros and without the
// bias; the log has a place a correction in each of its arrays. An array that would say nothing is
// empty: `plus` for a single output, `minus` where one output moves alone, `shrink` where all
// are 1.
struct VoteArrays {
    std::vector<std::int64_t> counts;  // presentations, n_columns, n_outputs, scheme
    std::vector<double> bias;          // one number
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    std::vector<std::int32_t> rows;  // of the log, as are those below
    std::vector<std::int64_t> presentations;
    std::vector<std::int32_t> plus, minus;
    std::vector<double> tau, shrink;

    template <class Self, class See>
    static void fields(Self &self, See see) {
        see("counts", self.counts);
        see("bias", self.bias);
        see("starts", self.starts);
        see("columns", self.columns);
        see("values", self.values);
        see("rows", self.rows);
        see("presentations", self.presentations);
        see("plus", self.plus);
        see("minus", self.minus);
        see("tau", self.tau);
        see("shrink", self.shrink);
    }

    SchemeName scheme() const { return static_cast<SchemeName>(counts[3]); }
    std::size_t counter(std::size_t k) const {
        return scheme() == SchemeName::independent ? static_cast<std::size_t>(plus[k]) : 0;
    }
    bool shrinks() const { return !shrink.empty(); }
};

// Checked arrays, ready to vote; never changed, so that any number of threads may ask.
class Votes {
  public:
    // Throws std::invalid_argument, with the reason, where the arrays do not belong together.
    explicit Votes(VoteArrays arrays);

    // As they were given.
    VoteArrays arrays() const;

    std::int64_t n_presentations() const { return log_.counts[0]; }
    std::int64_t n_columns() const { return log_.counts[1]; }
    std::int64_t n_outputs() const { return log_.counts[2]; }
    std::int64_t n_corrections() const { return static_cast<std::int64_t>(log_.rows.size()); }
    std::int64_t n_rows() const { return static_cast<std::int64_t>(log_.starts.size()) - 1; }

    std::size_t nbytes() const;
    // Multiply-adds for one row, about: its products with the corrected rows, and the walk.
    double work() const;

  private:
    friend class Voting;
    VoteArrays log_;             // its columns renumbered by octets_
    std::vector<double> lives_;  // how often each hypothesis votes
    Octets octets_;
};

// One number for each row of a block.
struct alignas(64) Line {
    static constexpr std::int64_t lanes = 16;
    double of[lanes] = {};
};

// The scores of rows by vote, a block of rows at a time, so that the corrected rows and the log are
// read once a block; a row's bits do not depend on its block.
class Voting {
  public:
    static constexpr std::int64_t lanes = Line::lanes;

    explicit Voting(const Votes &votes);

    // For rows begin .. begin + lanes - 1, as far as there are any, writes n_outputs numbers each:
    // (votes for - votes against) / presentations, or of coupled classes the share of each.
    template <class Rows>
    void block(const Rows &rows, std::int64_t begin, double *out) {
        const std::int64_t end = std::min(begin + lanes, rows.n_rows);
        for (std::int64_t i = begin; i < end; ++i)
            rows.visit(i, [&](std::int64_t column, double value) {
                if (column < votes_.n_columns()) put(i - begin, column, value);
            });
        answer(end - begin, rows.bias, out);
        clear();
    }

  private:
    void put(std::int64_t lane, std::int64_t column, double value);
    void answer(std::int64_t count, double bias, double *out);
    void clear();

    const Votes &votes_;
    // The rows of the block: a line for every column that one of them has. Line 0 is zero, for all
    // other columns.
    std::vector<Line> lines_;
    std::vector<std::int32_t> line_of_, in_use_;
    std::vector<Line> products_, scores_, tally_;
};

// The votes of the hypotheses that this state logged while it learnt from these rows.
template <class Rows>
Votes votes_of(const Rows &rows, const State &state) {
    if (!state.hypotheses || !state.hypotheses->correction_log())
        throw std::invalid_argument("votes: the corrections were not logged");
    if (rows.n_columns >= std::int64_t{1} << 31 || rows.n_rows >= std::int64_t{1} << 31)
        throw std::invalid_argument("votes: fewer than 2^31 columns and rows can be remembered");
    VoteArrays a;
    a.counts = {state.presentations, rows.n_columns, state.n_outputs,
                static_cast<std::int64_t>(state.scheme)};
    a.bias = {rows.bias};
    a.starts = {0};
    bool shrinks = false;
    std::vector<std::int32_t> place(static_cast<std::size_t>(rows.n_rows), -1);
    for (const LoggedCorrection &logged : *state.hypotheses->correction_log()) {
        if (logged.row >= rows.n_rows)
            throw std::invalid_argument("votes: these are not the rows that were learnt from");
        std::int32_t &at = place[static_cast<std::size_t>(logged.row)];
        if (at < 0) {
            at = static_cast<std::int32_t>(a.starts.size()) - 1;
            rows.visit(logged.row, [&](std::int64_t column, double value) {
                if (column == rows.n_columns) return;
                a.columns.push_back(static_cast<std::int32_t>(column));
                a.values.push_back(value);
            });
            a.starts.push_back(static_cast<std::int64_t>(a.columns.size()));
        }
        a.rows.push_back(at);
        a.presentations.push_back(logged.presentation);
        if (state.scheme != SchemeName::single) a.plus.push_back(logged.plus);
        if (state.scheme == SchemeName::coupled) a.minus.push_back(logged.minus);
        a.tau.push_back(logged.tau);
        a.shrink.push_back(logged.shrink);
        shrinks |= logged.shrink != 1;
    }
    if (!shrinks) a.shrink.clear();
    return Votes(std::move(a));
}

}  // namespace hardlimit
