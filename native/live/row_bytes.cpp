#include "live/row_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "live/written.hpp"

namespace hardlimit::live {
namespace {

constexpr std::uint8_t version = 1;

class Reader {
  public:
    explicit Reader(const std::string &bytes) : bytes_(bytes) {}
    template <class T>
    T take() {
        T value;
        std::memcpy(&value, range(sizeof(T)), sizeof(T));
        return value;
    }
    const char *range(std::size_t size) {
        if (size > bytes_.size() - at_) throw DamagedRow("features that are cut off");
        at_ += size;
        return bytes_.data() + at_ - size;
    }
    double finite(double value) {
        if (!std::isfinite(value)) throw DamagedRow("a feature that is not finite");
        return value;
    }
    bool done() const { return at_ == bytes_.size(); }

  private:
    const std::string &bytes_;
    std::size_t at_ = 0;
};

}  // namespace

std::string to_bytes(const Row &row, const Terms &terms) {
    const std::size_t n = row.n_columns + row.n_new;
    const bool narrow = std::all_of(
        row.values.begin(), row.values.begin() + static_cast<std::ptrdiff_t>(n),
        [](double value) { return static_cast<double>(static_cast<float>(value)) == value; });
    std::string bytes;
    bytes.reserve(16 + 8 * row.base.size() + 12 * n);
    write<std::uint8_t>(bytes, version);
    write<std::uint8_t>(bytes, narrow ? 4 : 8);
    write<std::uint16_t>(bytes, 0);
    write(bytes, static_cast<std::uint32_t>(row.base.size()));
    write(bytes, static_cast<std::uint32_t>(row.n_columns));
    write(bytes, static_cast<std::uint32_t>(row.n_new));
    for (const double score : row.base) write(bytes, score);
    for (std::size_t i = 0; i < row.n_columns; ++i)
        write(bytes, static_cast<std::uint32_t>(row.keys[i]));
    for (std::size_t i = 0; i < n; ++i)
        narrow ? write(bytes, static_cast<float>(row.values[i])) : write(bytes, row.values[i]);
    for (std::size_t i = row.n_columns; i < n; ++i) {
        const std::string &name = terms.name(static_cast<std::uint32_t>(row.keys[i]));
        write(bytes, static_cast<std::uint16_t>(name.size()));
        bytes += name;
    }
    return bytes;
}

namespace {

// `number_of` gives the number of a term, or none.
template <class NumberOf>
Row read_row(const std::string &bytes, std::size_t base_outputs, double bias, NumberOf number_of) {
    Reader reader(bytes);
    const auto found = reader.take<std::uint8_t>(), width = reader.take<std::uint8_t>();
    if (found != version || (width != 4 && width != 8) || reader.take<std::uint16_t>() != 0)
        throw DamagedRow("features in a form that this version does not know");
    const std::size_t n_base = reader.take<std::uint32_t>();
    const std::size_t n_columns = reader.take<std::uint32_t>(),
                      n_new = reader.take<std::uint32_t>();
    if (n_base != base_outputs) throw DamagedRow("features of a base with other outputs");
    Row row;
    row.n_columns = n_columns;
    for (std::size_t i = 0; i < n_base; ++i)
        row.base.push_back(reader.finite(reader.take<double>()));
    for (std::size_t i = 0; i < n_columns; ++i) {
        const Key key = reader.take<std::uint32_t>();
        if (i && key <= row.keys.back()) throw DamagedRow("columns that do not ascend");
        row.keys.push_back(key);
    }
    for (std::size_t i = 0; i < n_columns + n_new; ++i)
        row.values.push_back(
            reader.finite(width == 4 ? double(reader.take<float>()) : reader.take<double>()));
    for (std::size_t i = 0; i < n_new; ++i) {
        const std::size_t size = reader.take<std::uint16_t>();
        const std::string name(reader.range(size), size);
        if (size < 2 || size > Terms::longest + 1) throw DamagedRow("a new term of an odd size");
        const std::uint32_t number = number_of(name);
        if (number != Terms::none) {
            row.keys.push_back(new_term | number);
            row.values[n_columns + row.n_new++] = row.values[n_columns + i];
        }
    }
    row.values.resize(n_columns + row.n_new);
    std::vector<Key> sorted(row.keys.begin() + static_cast<std::ptrdiff_t>(n_columns),
                            row.keys.end());
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        throw DamagedRow("a new term that occurs twice");
    if (!reader.done()) throw DamagedRow("features with something behind them");
    if (bias > 0) row.add(of_bias, bias);
    return row;
}

}  // namespace

Row from_bytes(const std::string &bytes, Terms &terms, std::size_t base_outputs, double bias) {
    return read_row(bytes, base_outputs, bias,
                    [&](const std::string &name) { return terms.find_or_add(name); });
}

Row known_from_bytes(const std::string &bytes, const Terms &terms, std::size_t base_outputs,
                     double bias) {
    return read_row(bytes, base_outputs, bias,
                    [&](const std::string &name) { return terms.find(name); });
}

}  // namespace hardlimit::live
