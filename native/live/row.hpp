// One example as corrections see it: which weights it has, with which values, and the base's
// scores.
#pragma once
#include <cstdint>
#include <vector>

namespace hardlimit::live {

// Whose weight it is: a column of the base, a term that the base does not know, or the bias.
using Key = std::uint64_t;
inline constexpr Key new_term = Key(1) << 32, of_bias = Key(1) << 33;

struct Row {
    // Columns ascending, then new terms in the order of the text, then the bias where there is one.
    // Every sum over a row is made in this order, from the first to the last.
    std::vector<Key> keys;
    std::vector<double> values;
    std::size_t n_columns = 0, n_new = 0;
    std::vector<double> base;  // the base's scores, one an output
    // Words of the text, each as often as it stands there, and those that the base does not know;
    // counted where a text is read to learn from it.
    std::size_t n_words = 0, n_unknown = 0;

    void add(Key key, double value) {
        keys.push_back(key);
        values.push_back(value);
    }
    // The distinct terms that the base or a correction knows.
    std::size_t n_known() const { return n_columns + n_new; }
    bool empty() const { return n_known() == 0; }
    double squared_length() const {
        double sum = 0;
        for (const double value : values) sum += value * value;
        return sum;
    }
};

// A change of one output's weights: w_output += step * row.
struct Step {
    std::uint32_t output;
    double step;
};

}  // namespace hardlimit::live
