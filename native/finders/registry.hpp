// Searches by name.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "finders/search.hpp"
#include "rows/rows.hpp"

namespace hardlimit {

// Null where there is none of that name, or where the values are not float64.
std::unique_ptr<Search> make_search(const std::string &name, const StoredRows &rows,
                                    double parameter, std::uint64_t seed);

}  // namespace hardlimit
