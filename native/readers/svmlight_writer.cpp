#include "readers/svmlight_writer.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace hardlimit {
namespace {

constexpr std::size_t longest = 32;  // characters of a number

char *write_double(char *at, double value) {
#if defined(__cpp_lib_to_chars)
    return std::to_chars(at, at + longest, value).ptr;
#else
    for (int digits = 15; digits <= 17; ++digits) {
        const int size = std::snprintf(at, longest, "%.*g", digits, value);
        if (digits == 17 || std::strtod(at, nullptr) == value) return at + size;
    }
    return at;
#endif
}

}  // namespace

void write_svmlight(const LabelledCells &rows, std::size_t first, std::size_t last,
                    std::int64_t lowest, std::string &text) {
    char piece[3 * longest];
    for (std::size_t i = first; i < last; ++i) {
        text.append(piece, write_double(piece, rows.labels[i]));
        for (std::int64_t j = rows.starts[i]; j < rows.starts[i + 1]; ++j) {
            piece[0] = ' ';
            char *at = std::to_chars(piece + 1, piece + longest, rows.indices[j] + lowest).ptr;
            *at++ = ':';
            text.append(piece, write_double(at, rows.values[j]));
        }
        text.push_back('\n');
    }
}

}  // namespace hardlimit
