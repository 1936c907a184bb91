// The dual form as Python holds it: a training state whose weights have a place for each support.
#pragma once
#include "bind/training_state.hpp"
#include "dual/dual.hpp"
#include "readouts/votes.hpp"

namespace hardlimit {

// Inner products, and whatever they are computed from.
struct GramHandle {
    std::shared_ptr<Gram> gram;
    std::vector<nb::object> kept;
};

template <class Number, int dimensions>
using Numbers = nb::ndarray<Number, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

class Dual : public TrainingState {
  public:
    Dual(std::shared_ptr<Rule> rule, const std::string &scheme, std::int64_t n_places,
         std::int64_t n_outputs, bool averaged)
        : TrainingState(std::move(rule), scheme, n_places, n_outputs, averaged), supports_(0) {
        const Needs needs = rule_->needs();
        if (needs.kind != Kind::additive || needs.linked)
            throw nb::value_error("the dual form is for rules that add examples to the weights");
    }

    // The examples from now on; the first of them are the supports so far, in their order.
    void attach(const GramHandle &gram, std::int64_t n_supports) {
        const std::int64_t n = gram.gram->n_rows;
        if (gram.gram->n_others != n) throw nb::value_error("examples need a square Gram matrix");
        std::vector<nb::object> kept = gram.kept;
        with_lock([&] {
            if (n_supports < 0 || n_supports > n || n > state_.n_columns)
                throw nb::value_error("there is no room for that many supports");
            Supports supports(n);
            for (std::int64_t i = 0; i < n_supports; ++i) supports.add(i);
            gram_ = gram.gram;
            supports_ = std::move(supports);
            ahead_.reset();
        });
        kept_examples_.swap(kept);
        drop_ahead();
    }

    // Scores ahead: (length, n_outputs), changed in place; products (length, length); what each
    // row's K may be off by and cannot exceed; and of each output the sum of |coefficients|.
    void set_scores_ahead(Numbers<double, 2> scores, Numbers<const double, 2> products,
                          Numbers<const double, 1> deviation, Numbers<const double, 1> magnitude,
                          const std::vector<double> &moved, bool by_row) {
        const std::size_t length = scores.shape(0);
        with_lock([&] {
            const auto outputs = static_cast<std::size_t>(state_.n_outputs);
            if (scores.shape(1) != outputs || moved.size() != outputs ||
                products.shape(0) != length || products.shape(1) != length ||
                deviation.size() != length || magnitude.size() != length)
                throw nb::value_error("the scores ahead do not fit together");
            ahead_.emplace();
            ahead_->length = static_cast<std::int64_t>(length);
            ahead_->scores = scores.data();
            ahead_->products = products.data();
            ahead_->deviation = deviation.data();
            ahead_->magnitude = magnitude.data();
            ahead_->by_row = by_row;
            ahead_->moved = moved;
            ahead_->n_moves = supports_.size();
        });
        kept_scores_ = std::move(scores);
        kept_products_ = std::move(products);
        kept_deviation_ = std::move(deviation);
        kept_magnitude_ = std::move(magnitude);
    }

    // Neither examples nor scores any more.
    void detach() {
        with_lock([&] {
            ahead_.reset();
            gram_.reset();
        });
        kept_examples_.clear();
        drop_ahead();
    }

    // Of v, (supports, n_outputs).
    Matrix coefficients() {
        std::vector<double> found;
        std::size_t outputs = 0;
        with_lock([&] {
            const double *first = state_.w.data();
            found.assign(first, first + supports_.size() * state_.n_outputs);
            outputs = static_cast<std::size_t>(state_.n_outputs);
        });
        Matrix result = make_matrix<double>(found.size() / outputs, outputs);
        std::copy(found.begin(), found.end(), result.data());
        return result;
    }

    // Who decides from now on which supports are kept; none keeps all.
    void set_holding(std::shared_ptr<Holding> holding) {
        with_lock([&] { holding_ = std::move(holding); });
    }

    void drop_scores_ahead() {
        with_lock([&] { ahead_.reset(); });
    }

    // Whether the scores ahead have to be computed anew.
    bool stale() const {
        return look([&] { return !ahead_ || ahead_->stale; });
    }

    // Positions begin .. end - 1 of the epoch; the position reached.
    std::int64_t present(ExamplesHandle &handle, std::int64_t begin, std::int64_t end, bool exact) {
        const InUse use(handle);
        return learn_with_lock([&] {
            check_span(handle, begin, end, handle.examples.length);
            prepare(handle);
            const KernelRows rows = examples();
            DualLearner learner(rows, handle.examples, state_, *rule_, supports_, *gram_, ahead(),
                                exact, holding_.get());
            return learner.present(begin, end);
        });
    }

    // Of the rows at positions begin .. end - 1 of those that take part, for each counter: how
    // many margins are at most 0, and how many short of what the rule requires without its guards.
    std::vector<std::tuple<std::int64_t, std::int64_t>> verify_span(ExamplesHandle &handle,
                                                                    std::int64_t begin,
                                                                    std::int64_t end) {
        const InUse use(handle);
        return learn_with_lock([&] {
            check_span(handle, begin, end, handle.examples.n_present);
            prepare(handle);
            const KernelRows rows = examples();
            DualLearner learner(rows, handle.examples, state_, rule_->unguarded(), supports_,
                                *gram_, ahead(), false);
            std::vector<std::tuple<std::int64_t, std::int64_t>> found(state_.counters.size());
            learner.look(begin, end, [&](std::int64_t k, double margin, double required) {
                auto &[mistakes, unmet] = found[static_cast<std::size_t>(k)];
                mistakes += is_mistake(margin);
                state_.overflowed |= std::isnan(margin);
                unmet += margin < required - handle.examples.tol;
            });
            return found;
        });
    }

    // The last hypothesis ends its life; nothing is learnt after that.
    void close(const ExamplesHandle &) {
        with_lock([&] {
            if (!state_.hypotheses) return;
            for (std::int64_t k = 0; k < state_.n_counters(); ++k)
                state_.hypotheses->end_life(state_, k, state_.presentations + 1, NoErrors());
        });
    }

    // The logged hypotheses, to vote on rows of inner products with the supports.
    Votes votes(const ExamplesHandle &) {
        return with_lock([&] { return votes_of(examples(), state_); });
    }

    std::vector<std::int64_t> supports() {
        return with_lock([&] { return supports_.examples(); });
    }

    // The examples that are still supports, in the order of their places.
    std::vector<std::int64_t> kept() {
        return with_lock([&] { return named(supports_.kept_places()); });
    }

    // The examples are done with: the places of those that were let go are closed up, and example p
    // of `kept` is from now on the support at place p. Wholly or not at all.
    void compact() {
        with_lock([&] {
            const std::vector<std::int64_t> places = supports_.kept_places();
            const std::vector<std::int64_t> examples = named(places);
            const auto n_kept = static_cast<std::int64_t>(places.size());
            Supports renumbered(n_kept);
            // From here on nothing fails.
            for (std::int64_t p = 0; p < n_kept; ++p) renumbered.add(p);
            const auto outputs = static_cast<std::size_t>(state_.n_outputs);
            double *w = state_.w.data();
            for (std::size_t to = 0; to < places.size(); ++to)
                std::copy_n(w + static_cast<std::size_t>(places[to]) * outputs, outputs,
                            w + to * outputs);
            std::fill(w + places.size() * outputs, w + state_.w.size(), 0.0);
            if (holding_) holding_->renumber(examples);
            supports_ = std::move(renumbered);
        });
    }

    // Where there is no memory for that: example p is from now on the support at place p, those
    // that were none with coefficients of 0. Takes no memory.
    void spread() {
        with_lock([&] {
            if (supports_.n_examples() > state_.n_columns)
                throw nb::value_error("there is no room for that many supports");
            const auto outputs = static_cast<std::size_t>(state_.n_outputs);
            supports_.spread([&](std::size_t p, std::size_t q) {
                for (Zeroed<double> *array : {&state_.w, &state_.u})
                    if (!array->empty())
                        std::swap_ranges(array->data() + p * outputs,
                                         array->data() + (p + 1) * outputs,
                                         array->data() + q * outputs);
            });
        });
    }

    // What the holding remembers; its examples are the supports' places.
    std::vector<double> held() {
        return with_lock([&] {
            Written written;
            if (holding_) holding_->write(written);
            return written;
        });
    }

    void set_held(const std::vector<double> &written) {
        with_lock([&] {
            if (!holding_) throw nb::value_error("there is no budget");
            Reader reader(written, state_.n_columns, state_.n_outputs, state_.n_counters());
            holding_->read(reader);
            reader.end();
        });
    }

    // Room for more supports, or no more than there are.
    void resize(std::int64_t n_places) {
        with_lock([&] {
            if (n_places < supports_.size()) throw nb::value_error("there are more supports");
            state_.resize_columns(n_places);
        });
    }

    // Examples that are weights themselves are not skipped.
    bool begin_skipping(const ExamplesHandle &, bool, std::int64_t) { return false; }
    void end_skipping() {}
    std::optional<std::int64_t> take_products() { return std::nullopt; }

    void rearrange_outputs(const std::vector<std::int64_t> &sources,
                           const std::vector<double> &factors, const std::string &scheme) override {
        if (!rule_->needs().wsq) return TrainingState::rearrange_outputs(sources, factors, scheme);
        const KernelRows rows = with_lock([&] {
            KernelRows found = examples();
            found.make_room(static_cast<std::int64_t>(sources.size()));
            return found;
        });
        TrainingState::rearrange_outputs(sources, factors, scheme);
        with_lock([&] {  // takes no memory any more
            for (std::int64_t k = 0; k < state_.n_counters(); ++k) {
                Counter &counter = state_.counter(k);
                counter.wsq = counter.added = rows.squared_length(state_, k);
                counter.since_recomputed = 0;
            }
        });
    }

  private:
    std::vector<std::int64_t> named(std::vector<std::int64_t> places) const {
        for (std::int64_t &p : places) p = supports_.examples()[static_cast<std::size_t>(p)];
        return places;
    }

    // Under the interpreter's lock: the arrays are Python's.
    void drop_ahead() {
        kept_scores_ = {};
        kept_products_ = {};
        kept_deviation_ = {};
        kept_magnitude_ = {};
    }

    Ahead *ahead() { return ahead_ ? &*ahead_ : nullptr; }

    KernelRows examples() const {
        if (!gram_) throw nb::value_error("no examples are attached");
        return KernelRows(*gram_, supports_, state_.n_columns);
    }

    void prepare(ExamplesHandle &handle) const {
        if (!gram_ || handle.rows.set().n_rows != gram_->n_rows)
            throw nb::value_error("these are other examples than are attached");
        const std::int64_t classes = state_.scheme == SchemeName::single ? 2 : state_.n_outputs;
        if (handle.highest_target >= classes) throw nb::value_error("a target has no output");
        make_room(handle);
    }

    void check_span(const ExamplesHandle &handle, std::int64_t begin, std::int64_t end,
                    std::int64_t length) const {
        if (begin < 0 || end < begin || end > length)
            throw nb::value_error("these positions are not in the epoch");
        if (!ahead_) return;
        const bool there = ahead_->by_row ? ahead_->length == handle.rows.set().n_rows
                                          : end - begin <= ahead_->length;
        if (!there) throw nb::value_error("the scores ahead are not those of these rows");
    }

    std::shared_ptr<Gram> gram_;
    Supports supports_;
    std::optional<Ahead> ahead_;
    std::shared_ptr<Holding> holding_;
    std::vector<nb::object> kept_examples_;
    Numbers<double, 2> kept_scores_;
    Numbers<const double, 2> kept_products_;
    Numbers<const double, 1> kept_deviation_, kept_magnitude_;
};

}  // namespace hardlimit
