#include "live/overlay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hardlimit::live {
namespace {

constexpr std::size_t ahead = 12;  // keys asked of memory before their turn

}  // namespace

void Overlay::scores(const Row &row, double *out) const {
    constexpr std::size_t few = 32;
    double some[few] = {};
    std::vector<double> many;
    const std::size_t n = row.keys.size(), n_sums = std::max<std::size_t>(n_classes_, 2);
    if (n_sums > few) many.resize(n_sums);
    double *const sums = n_sums > few ? many.data() : some;
    for (std::size_t i = 0; i < std::min(n, 2 * ahead); ++i) cells.prefetch_key(row.keys[i]);
    for (std::size_t i = 0; i < n; ++i) {
        if (i + 2 * ahead < n) cells.prefetch_key(row.keys[i + 2 * ahead]);
        if (i + ahead < n) cells.prefetch_cells(row.keys[i + ahead]);
        const double value = row.values[i];
        cells.visit(row.keys[i], [&](std::uint32_t output, double weight) {
            if (output < n_sums) sums[output] += weight * value;
        });
    }
    total(row.base.data(), sums, out);
}

void Overlay::total(const double *base, const double *sums, double *out) const {
    if (n_classes_ <= 2) {
        out[0] = base[0] + sums[1];
        return;
    }
    const auto of_base = [&](std::size_t k) {
        return base_classes_ > 2 ? base[k] : k == 0 ? threshold_ : base[0];
    };
    double sum = 0, best = of_base(0);
    for (std::size_t k = 0; k < base_classes_; ++k) {
        sum += of_base(k);
        best = std::max(best, of_base(k));
        out[k] = of_base(k) + sums[k];
    }
    // Rounding must not lift it above the best.
    const double mean = std::min(sum / static_cast<double>(base_classes_), best);
    for (std::size_t k = base_classes_; k < n_classes_; ++k) out[k] = mean + sums[k];
}

std::size_t Overlay::decide(const double *scores) const {
    if (n_classes_ <= 2) return scores[0] > threshold_;
    return static_cast<std::size_t>(std::max_element(scores, scores + n_classes_) - scores);
}

double Overlay::margin(const double *scores, std::size_t y) const {
    if (n_classes_ <= 2) return y ? scores[0] - threshold_ : threshold_ - scores[0];
    double rival = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < n_classes_; ++k)
        if (k != y) rival = std::max(rival, scores[k]);
    return scores[y] - rival;
}

// Two classes: tau = (margin - y s) / q. More: with the rivals' violations v sorted downwards,
// rival j joins while v_j > (v_1 + ... + v_{j-1}) / j; A = (v_1 + ... + v_p) / ((p + 1) q);
// w_y += A x, w_r -= (v_r / q - A) x.
std::vector<Step> Overlay::plan(const double *scores, std::size_t y, double margin,
                                double q) const {
    if (n_classes_ <= 2) {
        const double missing = margin - this->margin(scores, y);
        if (!(missing > 0)) return {};
        return {{1, y ? missing / q : -missing / q}};
    }
    std::vector<std::pair<double, std::uint32_t>> violations;
    for (std::size_t k = 0; k < n_classes_; ++k) {
        const double violation = margin - (scores[y] - scores[k]);
        if (k != y && violation > 0)
            violations.emplace_back(violation, static_cast<std::uint32_t>(k));
    }
    std::sort(violations.begin(), violations.end(), [](const auto &a, const auto &b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    double sum = 0;
    std::size_t p = 0;
    for (; p < violations.size(); ++p) {
        if (!(violations[p].first > sum / static_cast<double>(p + 1))) break;
        sum += violations[p].first;
    }
    if (!p) return {};
    const double up = sum / (static_cast<double>(p + 1) * q);
    std::vector<Step> steps{{static_cast<std::uint32_t>(y), up}};
    for (std::size_t j = 0; j < p; ++j)
        steps.push_back({violations[j].second, up - violations[j].first / q});
    return steps;
}

std::vector<Step> Overlay::correct(const Row &row, std::size_t y, double margin,
                                   std::vector<double> &before) {
    const double q = row.squared_length();
    std::vector<double> first(n_outputs()), now(n_outputs());
    scores(row, first.data());
    double target = margin, more = std::numeric_limits<double>::epsilon() * std::max(1.0, margin);
    // A step may fall short by rounding. Each try asks for twice as much more.
    for (int tries = 0; tries < 80; ++tries, more *= 2) {
        before.clear();
        std::vector<Step> steps = plan(first.data(), y, target, q);
        for (const Step &step : steps)
            if (!std::isfinite(step.step)) throw std::domain_error("not finite");
        add(row, steps, before);
        scores(row, now.data());
        const double reached = this->margin(now.data(), y);
        if (reached >= margin && std::isfinite(reached)) return steps;
        rewind(row, steps, before.data());
        if (!std::isfinite(reached)) break;
        target = std::max(target, margin) + std::max(margin - reached, more);
    }
    before.clear();
    throw std::domain_error("not reached");
}

// Key by key: no key of a row and no output is there twice, so that the order is all one.
void Overlay::add(const Row &row, const std::vector<Step> &steps, std::vector<double> &before) {
    const std::size_t n = row.keys.size(), first = before.size();
    before.resize(first + n * steps.size());
    for (std::size_t i = 0; i < n; ++i) {
        if (i + ahead < n) cells.prefetch_key(row.keys[i + ahead]);
        cells.at_each(row.keys[i], steps, [&](std::size_t s, double &cell) {
            before[first + s * n + i] = cell;
            cell += steps[s].step * row.values[i];
        });
    }
}

void Overlay::rewind(const Row &row, const std::vector<Step> &steps, const double *before) {
    const std::size_t n = row.keys.size();
    for (std::size_t i = 0; i < n; ++i)
        cells.at_each(row.keys[i], steps,
                      [&](std::size_t s, double &cell) { cell = before[s * n + i]; });
}

}  // namespace hardlimit::live
