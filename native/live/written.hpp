// Numbers as bytes of a file, as they lie.
#pragma once
#include <bit>
#include <string>

namespace hardlimit::live {

static_assert(std::endian::native == std::endian::little, "bytes are written as they lie");

template <class Number>
void write(std::string &to, Number number) {
    to.append(reinterpret_cast<const char *>(&number), sizeof(Number));
}

}  // namespace hardlimit::live
