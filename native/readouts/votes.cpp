#include "readouts/votes.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "portability.hpp"

namespace hardlimit {
namespace {

void want(bool good, const char *what) {
    if (!good) throw std::invalid_argument(std::string("votes: ") + what);
}

void check_counts(const VoteArrays &a) {
    want(a.counts.size() == 4, "counts must hold four numbers");
    want(a.counts[0] >= 0 && a.counts[0] <= std::int64_t{1} << 53,
         "the number of presentations is out of range");
    want(a.counts[1] >= 0 && a.counts[1] < std::int64_t{1} << 31,
         "the number of columns is out of range");
    want(a.counts[2] >= 1 && a.counts[2] <= std::int64_t{1} << 20,
         "the number of outputs is out of range");
    want(a.counts[3] >= 0 && a.counts[3] <= 2, "there is no such scheme");
    want(a.scheme() != SchemeName::single || a.counts[2] == 1, "a single scheme has one output");
    want(a.bias.size() == 1 && std::isfinite(a.bias[0]), "bias must be one finite number");
}

void check_rows(const VoteArrays &a) {
    want(!a.starts.empty() && a.starts[0] == 0, "starts must begin with 0");
    want(a.starts.size() <= std::size_t{1} << 31, "there are too many rows");
    want(a.columns.size() == a.values.size(), "columns and values must be as many");
    const auto count = static_cast<std::int64_t>(a.columns.size());
    for (std::size_t i = 1; i < a.starts.size(); ++i)
        want(a.starts[i - 1] <= a.starts[i] && a.starts[i] <= count,
             "starts must not decrease or lead beyond the columns");
    want(a.starts.back() == count, "starts must end where the columns do");
    for (std::size_t i = 1; i < a.starts.size(); ++i) {
        std::int64_t previous = -1;
        for (std::int64_t p = a.starts[i - 1]; p < a.starts[i]; ++p) {
            const std::int64_t c = a.columns[static_cast<std::size_t>(p)];
            want(c > previous, "columns must increase within a row");
            want(c < a.counts[1], "a column is out of range");
            previous = c;
        }
    }
    for (const double value : a.values) want(std::isfinite(value), "values must be finite");
}

void check_log(const VoteArrays &a) {
    const std::size_t count = a.rows.size();
    const auto outputs = a.counts[2], n_rows = static_cast<std::int64_t>(a.starts.size()) - 1;
    const bool single = a.scheme() == SchemeName::single;
    const bool coupled = a.scheme() == SchemeName::coupled;
    want(a.presentations.size() == count && a.tau.size() == count &&
             a.plus.size() == (single ? 0 : count) && a.minus.size() == (coupled ? count : 0) &&
             (a.shrink.empty() || a.shrink.size() == count),
         "the arrays of the log must be as long as each other");
    std::vector<std::int64_t> latest(
        a.scheme() == SchemeName::independent ? static_cast<std::size_t>(outputs) : 1, 1);
    for (std::size_t k = 0; k < count; ++k) {
        want(a.rows[k] >= 0 && a.rows[k] < n_rows, "the log names a row that is not there");
        for (const auto *moved : {&a.plus, &a.minus})
            want(moved->empty() || ((*moved)[k] >= 0 && (*moved)[k] < outputs),
                 "the log names an output that is not there");
        want(!coupled || a.plus[k] != a.minus[k], "an output is corrected against itself");
        want(std::isfinite(a.tau[k]), "tau must be finite");
        want(a.shrink.empty() || std::isfinite(a.shrink[k]), "shrink must be finite");
        std::int64_t &last = latest[a.counter(k)];
        want(a.presentations[k] >= last && a.presentations[k] <= a.counts[0],
             "presentations must not decrease or be beyond the last");
        last = a.presentations[k];
    }
}

constexpr std::int64_t lanes = Line::lanes;

// Computes apart, which tells compilers that the two do not overlap.
HARDLIMIT_INLINE void add_line(const Line &from, double factor, Line &to) {
    Line sum;
    for (std::int64_t l = 0; l < lanes; ++l) sum.of[l] = to.of[l] + factor * from.of[l];
    to = sum;
}

struct CorrectedRows {
    const std::int64_t *starts;
    const std::int32_t *columns;
    const double *values;
    std::int64_t count;
};

// The products of each corrected row with all rows of a block.
HARDLIMIT_CLONES void multiply(CorrectedRows rows, const Line *lines, const std::int32_t *line_of,
                               double of_bias, Line *products) {
    for (std::int64_t i = 0; i < rows.count; ++i) {
        Line sums[8];
        for (std::int64_t p = rows.starts[i]; p < rows.starts[i + 1]; ++p) {
            const std::int32_t c = rows.columns[p];
            add_line(lines[line_of[c]], rows.values[p], sums[c & 7]);
        }
        for (std::int64_t l = 0; l < lanes; ++l)
            products[i].of[l] = tree(sums[0].of + l, lanes) + of_bias;
    }
}

HARDLIMIT_INLINE void shrink(Line *scores, std::int64_t count, double factor) {
    for (std::int64_t k = 0; k < count; ++k) {
        HARDLIMIT_SIDE_BY_SIDE
        for (std::int64_t l = 0; l < lanes; ++l) scores[k].of[l] *= factor;
    }
}

// The hypotheses of one output vote for or against.
HARDLIMIT_INLINE void vote(const Line &scores, double life, Line &tally) {
    HARDLIMIT_SIDE_BY_SIDE
    for (std::int64_t l = 0; l < lanes; ++l)
        tally.of[l] += scores.of[l] > 0 ? life : scores.of[l] < 0 ? -life : 0.0;
}

// The class with the largest score has the votes, unless it shares its place.
HARDLIMIT_INLINE void vote_of_all(const Line *scores, std::int64_t outputs, double life,
                                  Line *tally) {
    Line best = scores[0], holders, winner;
    for (std::int64_t k = 1; k < outputs; ++k) {
        HARDLIMIT_SIDE_BY_SIDE
        for (std::int64_t l = 0; l < lanes; ++l)
            best.of[l] = scores[k].of[l] > best.of[l] ? scores[k].of[l] : best.of[l];
    }
    for (std::int64_t k = 0; k < outputs; ++k) {
        const auto number = static_cast<double>(k);
        HARDLIMIT_SIDE_BY_SIDE
        for (std::int64_t l = 0; l < lanes; ++l) {
            const double holds = scores[k].of[l] == best.of[l] ? 1.0 : 0.0;
            holders.of[l] += holds;
            winner.of[l] += holds * number;
        }
    }
    for (std::int64_t l = 0; l < lanes; ++l)
        if (holders.of[l] == 1) tally[static_cast<std::int64_t>(winner.of[l])].of[l] += life;
}

HARDLIMIT_CLONES void walk(const VoteArrays &log, const double *lives, const Line *products,
                           Line *scores, Line *tally) {
    const std::int64_t outputs = log.counts[2];
    const bool coupled = log.scheme() == SchemeName::coupled;
    for (std::size_t k = 0; k < log.rows.size(); ++k) {
        const Line &product = products[log.rows[k]];
        const std::int64_t plus = log.plus.empty() ? 0 : log.plus[k];
        if (log.shrinks() && log.shrink[k] != 1)
            shrink(scores + (coupled ? 0 : plus), coupled ? outputs : 1, log.shrink[k]);
        add_line(product, log.tau[k], scores[plus]);
        if (coupled) add_line(product, -log.tau[k], scores[log.minus[k]]);
        if (lives[k] == 0) continue;
        if (coupled)
            vote_of_all(scores, outputs, lives[k], tally);
        else
            vote(scores[plus], lives[k], tally[plus]);
    }
}

}  // namespace

Votes::Votes(VoteArrays arrays) : log_(std::move(arrays)) {
    check_counts(log_);
    check_rows(log_);
    check_log(log_);
    octets_ = Octets(log_.columns, log_.counts[1]);
    for (std::int32_t &c : log_.columns) c = static_cast<std::int32_t>(octets_.place(c));
    lives_.resize(log_.rows.size());
    std::vector<std::int64_t> ends(static_cast<std::size_t>(log_.counts[2]), log_.counts[0] + 1);
    for (std::size_t k = lives_.size(); k-- > 0;) {
        std::int64_t &next = ends[log_.counter(k)];
        lives_[k] = static_cast<double>(next - log_.presentations[k]);
        next = log_.presentations[k];
    }
}

VoteArrays Votes::arrays() const {
    VoteArrays copy = log_;
    for (std::int32_t &c : copy.columns) c = octets_.column(c);
    return copy;
}

std::size_t Votes::nbytes() const {
    std::size_t total = lives_.size() * sizeof(double) + octets_.nbytes();
    VoteArrays::fields(
        log_, [&](const char *, const auto &array) { total += array.size() * sizeof(array[0]); });
    return total;
}

double Votes::work() const {
    const auto stages = static_cast<double>(n_corrections());
    const double each = log_.scheme() == SchemeName::coupled ? static_cast<double>(n_outputs()) : 1;
    return static_cast<double>(log_.values.size()) + stages * each;
}

Voting::Voting(const Votes &votes)
    : votes_(votes),
      lines_(1),
      line_of_(votes.octets_.n_places(), 0),
      products_(static_cast<std::size_t>(votes.n_rows())),
      scores_(static_cast<std::size_t>(votes.n_outputs())),
      tally_(scores_.size()) {}

void Voting::put(std::int64_t lane, std::int64_t column, double value) {
    const std::int64_t place = votes_.octets_.place(column);
    if (place < 0) return;
    std::int32_t &line = line_of_[static_cast<std::size_t>(place)];
    if (line == 0) {
        line = static_cast<std::int32_t>(lines_.size());
        lines_.emplace_back();
        in_use_.push_back(static_cast<std::int32_t>(place));
    }
    lines_[static_cast<std::size_t>(line)].of[lane] = value;
}

void Voting::clear() {
    for (const std::int32_t place : in_use_) line_of_[static_cast<std::size_t>(place)] = 0;
    in_use_.clear();
    lines_.resize(1);
}

void Voting::answer(std::int64_t count, double bias, double *out) {
    const VoteArrays &log = votes_.log_;
    multiply({log.starts.data(), log.columns.data(), log.values.data(), votes_.n_rows()},
             lines_.data(), line_of_.data(), log.bias[0] * bias, products_.data());
    scores_.assign(scores_.size(), {});
    tally_.assign(tally_.size(), {});
    walk(log, votes_.lives_.data(), products_.data(), scores_.data(), tally_.data());
    const double presentations = static_cast<double>(std::max<std::int64_t>(log.counts[0], 1));
    for (std::int64_t l = 0; l < count; ++l)
        for (const Line &votes : tally_) *out++ = votes.of[l] / presentations;
}

}  // namespace hardlimit
