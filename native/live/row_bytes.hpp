// A row as bytes, the same for the same row: docs/ledger-format.md, "Features".
#pragma once
#include <string>

#include "live/overlay.hpp"

namespace hardlimit::live {

class DamagedRow : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

std::string to_bytes(const Row &row, const Terms &terms);
// New terms are added to `terms`. Throws DamagedRow for what `to_bytes` never wrote.
Row from_bytes(const std::string &bytes, Terms &terms, std::size_t base_outputs, double bias);
// The same without the terms that `terms` does not have: for sums over keys that other rows have.
Row known_from_bytes(const std::string &bytes, const Terms &terms, std::size_t base_outputs,
                     double bias);

}  // namespace hardlimit::live
