// The weights of an overlay and its terms as bytes, the same for the same weights: snapshots.
#pragma once
#include <string>

#include "live/overlay.hpp"

namespace hardlimit::live {

// Cells that are not 0, ascending by key and output; then the names of the terms.
std::string dump(const Overlay &overlay);
void restore(Overlay &overlay, const std::string &bytes);

}  // namespace hardlimit::live
