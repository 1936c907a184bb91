// The order `worst`: at each step the example that is furthest from what the rule requires of it.
//
// The scores of all rows are kept and moved by a row of the Gram matrix at each correction; Gram
// rows are kept too, as far as memory is allowed, since the same few examples come again and again.
// The example that is picked is judged by its margin computed anew. When it does not violate, all
// scores are computed anew and the pick is repeated, so that roundings cannot end the search.
#pragma once
#include <limits>
#include <map>
#include <vector>

#include "loops/additive.hpp"
#include "state/any_rows.hpp"

namespace hardlimit {

// Kept from call to call during a fit.
struct WorstScores {
    std::vector<double> scores;     // n_rows x n_outputs, of v: the shrinkage comes on top
    std::vector<char> correctable;  // rows with a length, where the rule asks for it
    std::int64_t since_fresh = 0;
    bool fresh = false;
    std::size_t room = 0;  // Gram rows that may still be kept
    std::map<std::int64_t, std::vector<double>> gram;
    std::vector<double> spread, passing;  // a row with its zeros; a Gram row there was no room for
};

// What a search did.
struct WorstSearch {
    std::int64_t made = 0;  // steps
    bool ended = false;     // nothing violates any more
};

class Worst : public Additive<AnyRows> {
  public:
    Worst(const AnyRows &rows, Examples &examples, State &state, const Rule &rule,
          WorstScores &kept)
        : Additive<AnyRows>(rows, examples, state, rule), kept_(kept) {}

    // Makes up to `steps` picks for each counter that does not rest, until the limit of non-zeros
    // is used up, but always one: a single pick may cost more than the limit.
    WorstSearch search(std::int64_t steps, std::int64_t work_limit) {
        std::int64_t made = 0;
        while (made < steps && (made == 0 || work_limit > 0)) {
            bool moved = false;
            for (std::int64_t k = 0; k < state_.n_counters(); ++k)
                if (!state_.counter(k).resting) moved |= step(k, work_limit);
            if (!moved) return {made, true};
            presented();
            ++made;
        }
        return {made, false};
    }

  private:
    struct Pick {
        std::int64_t row = -1;
        double slack = std::numeric_limits<double>::infinity();
    };

    bool step(std::int64_t counter, std::int64_t &work_limit) {
        if (!kept_.fresh || kept_.since_fresh >= 4096) refresh(work_limit);
        while (true) {
            const Pick pick = furthest(counter);
            work_limit -= examples_.n_present * state_.n_outputs / 8 + 16;
            if (pick.row < 0) return false;
            if (corrected(pick.row, counter, work_limit)) return true;
            if (kept_.since_fresh == 0) return false;
            refresh(work_limit);
        }
    }

    // All scores anew, in the order of summation of everything else.
    void refresh(std::int64_t &work_limit) {
        const auto outputs = static_cast<std::size_t>(state_.n_outputs);
        const auto n_rows = static_cast<std::size_t>(rows_.n_rows);
        kept_.scores.resize(n_rows * outputs);
        note_correctable(n_rows);
        Scores scores(state_.n_outputs);
        for (std::int64_t p = 0; p < examples_.n_present; ++p) {
            const std::int64_t i = examples_.present_row(p);
            const auto &s = scores.of(rows_, i, state_);
            std::copy(s.begin(), s.end(), kept_.scores.begin() + i * state_.n_outputs);
            work_limit -= rows_.work(i) * state_.n_outputs;
        }
        kept_.fresh = true;
        kept_.since_fresh = 0;
    }

    Pick furthest(std::int64_t counter) const {
        Pick pick;
        for (std::int64_t p = 0; p < examples_.n_present; ++p) {
            const std::int64_t i = examples_.present_row(p);
            margins_of(kept_.scores.data() + i * state_.n_outputs, examples_, i, state_,
                       [&](std::int64_t k, double margin, double y, const Moves &moves) {
                           if (k != counter || !can_correct(i)) return;
                           const double slack = margin - required(i, margin, k, y, moves.count);
                           if (slack < pick.slack) pick = {i, slack};
                       });
        }
        return pick;
    }

    bool can_correct(std::int64_t i) const { return !needs_.sqnorm || kept_.correctable[at(i)]; }

    void note_correctable(std::size_t n_rows) {
        kept_.correctable.assign(n_rows, true);
        if (!needs_.sqnorm) return;
        for (std::int64_t p = 0; p < examples_.n_present; ++p) {
            const std::int64_t i = examples_.present_row(p);
            kept_.correctable[at(i)] = rows_.sqnorm(i) > 0;
        }
    }
    static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

    double required(std::int64_t i, double margin, std::int64_t k, double y, int moves) const {
        if (!needs_.changing_required) return threshold_;
        return rule_.required(scalars(i, margin, k, y, moves));
    }

    // Judges this row by its margin computed anew; true where it was corrected.
    bool corrected(std::int64_t i, std::int64_t counter, std::int64_t &work_limit) {
        Scores scores(state_.n_outputs);
        const auto &s = scores.of(rows_, i, state_);
        const Counter before = state_.counter(counter);
        Moves moved{};
        margins_of(s.data(), examples_, i, state_,
                   [&](std::int64_t k, double margin, double y, const Moves &moves) {
                       if (k != counter) return;
                       judge(i, margin, k, y, moves);
                       moved = moves;
                   });
        if (state_.counter(counter).corrections == before.corrections) {
            state_.counter(counter) = before;  // a look that corrects nothing is no presentation
            return false;
        }
        follow(i, counter, moved, work_limit);
        return true;
    }

    // The scores after a correction by row i, from the products of row i with all rows.
    void follow(std::int64_t i, std::int64_t counter, const Moves &moves,
                std::int64_t &work_limit) {
        if (needs_.shrinks && state_.counter(counter).since_folded == 0) return refresh(work_limit);
        const std::vector<double> &products = gram_row(i, work_limit);
        for (std::int64_t p = 0; p < examples_.n_present; ++p) {
            const std::int64_t row = examples_.present_row(p);
            double *scores = kept_.scores.data() + row * state_.n_outputs;
            for (int m = 0; m < moves.count; ++m)
                scores[moves.share[m].output] += applied_ * moves.share[m].sign * products[at(row)];
        }
        ++kept_.since_fresh;
    }

    const std::vector<double> &gram_row(std::int64_t i, std::int64_t &work_limit) {
        const auto found = kept_.gram.find(i);
        if (found != kept_.gram.end()) return found->second;
        std::vector<double> &products =
            kept_.gram.size() < kept_.room ? kept_.gram[i] : kept_.passing;
        products.resize(static_cast<std::size_t>(rows_.n_rows));
        kept_.spread.resize(static_cast<std::size_t>(rows_.n_columns + 1));
        double *spread = kept_.spread.data();
        rows_.visit(i, [&](std::int64_t c, double value) { spread[c] = value; });
        work_limit -= rows_.dots_of_present(examples_, spread, products.data());
        rows_.visit(i, [&](std::int64_t c, double) { spread[c] = 0; });
        return products;
    }

    WorstScores &kept_;
};

}  // namespace hardlimit
