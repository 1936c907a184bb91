#include "live/state_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "live/row_bytes.hpp"
#include "live/written.hpp"

namespace hardlimit::live {
namespace {

struct Stored {
    Key key;
    std::uint64_t output;
    double value;
};

}  // namespace

std::string dump(const Overlay &overlay) {
    std::vector<Stored> cells;
    overlay.cells.each([&](Key key, std::uint32_t output, double value) {
        if (value != 0) cells.push_back({key, output, value});
    });
    std::sort(cells.begin(), cells.end(), [](const Stored &a, const Stored &b) {
        return std::tie(a.key, a.output) < std::tie(b.key, b.output);
    });
    std::string bytes;
    write<std::uint64_t>(bytes, cells.size());
    write<std::uint64_t>(bytes, overlay.terms.size());
    bytes.append(reinterpret_cast<const char *>(cells.data()), cells.size() * sizeof(Stored));
    for (std::size_t i = 0; i < overlay.terms.size(); ++i) {
        write(bytes, static_cast<std::uint16_t>(overlay.terms.name(i).size()));
        bytes += overlay.terms.name(i);
    }
    return bytes;
}

void restore(Overlay &overlay, const std::string &bytes) {
    std::uint64_t n_cells = 0, n_terms = 0;
    const auto fits = [&](std::size_t at, std::size_t size) {
        if (at > bytes.size() || size > bytes.size() - at) throw DamagedRow("a snapshot cut off");
    };
    fits(0, 16);
    std::memcpy(&n_cells, bytes.data(), 8);
    std::memcpy(&n_terms, bytes.data() + 8, 8);
    std::size_t at = 16;
    if (n_cells > bytes.size() / sizeof(Stored)) throw DamagedRow("a snapshot cut off");
    fits(at, n_cells * sizeof(Stored));
    overlay.cells.clear();
    overlay.terms.forget_after(0);
    for (std::uint64_t i = 0; i < n_cells; ++i, at += sizeof(Stored)) {
        Stored cell;
        std::memcpy(&cell, bytes.data() + at, sizeof(Stored));
        if (cell.key > of_bias || cell.output >= most_outputs)
            throw DamagedRow("a snapshot with a weight of nothing");
        overlay.cells.at(cell.key, static_cast<std::uint32_t>(cell.output)) = cell.value;
    }
    for (std::uint64_t i = 0; i < n_terms; ++i) {
        std::uint16_t size;
        fits(at, 2);
        std::memcpy(&size, bytes.data() + at, 2);
        fits(at + 2, size);
        overlay.terms.find_or_add(std::string(bytes.data() + at + 2, size));
        at += 2 + std::size_t(size);
    }
}

}  // namespace hardlimit::live
