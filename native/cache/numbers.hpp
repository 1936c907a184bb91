// Numbers of four or eight bytes, to the bit: by their places in a dictionary where they are few,
// doubles as single ones where nothing is lost, else as they are.
#pragma once
#include <cstdint>
#include <vector>

#include "cache/cells.hpp"

namespace hardlimit::cache {

// `item` is 4 or 8; with `floats`, eight bytes are doubles, of which some are single ones too.
std::vector<unsigned char> pack_numbers(const unsigned char *numbers, std::size_t n,
                                        std::size_t item, bool floats);

// n numbers of `item` bytes to `to`. `may_be_one` where n is bounded by something else than by
// these bytes: then one number may stand for all.
void unpack_numbers(Bytes packed, std::size_t n, std::size_t item, bool may_be_one,
                    unsigned char *to);

// Whether the bytes can hold so many numbers: to be asked before memory is.
void check_numbers(Bytes packed, std::size_t n, bool may_be_one);

}  // namespace hardlimit::cache
