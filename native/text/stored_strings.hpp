// Strings that come in as plain arrays.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "text/narrow.hpp"
#include "text/tensors.hpp"

namespace hardlimit::text {

[[noreturn]] inline void contradiction(const std::string &what) {
    throw DamagedModel("the state of a vocabulary contradicts itself: " + what);
}

// The bytes of string i, with room to load eight from anywhere.
class PaddedStrings {
  public:
    PaddedStrings(const Incoming &from, const std::string &name) : name_(name), ends_(from, name) {
        const auto bytes = from.bytes(name + "_bytes");
        const unsigned char *first = bytes->range(0, bytes->size());
        bytes_.assign(first, first + bytes->size());
        bytes_.resize(bytes_.size() + 16);
    }
    std::size_t size() const { return ends_.size(); }
    std::pair<const unsigned char *, std::size_t> next() {
        const std::uint64_t end = ends_[done_++];
        if (end < before_ || end > bytes_.size() - 16) contradiction("the ends of " + name_);
        const std::size_t size = end - before_;
        const unsigned char *at = bytes_.data() + before_;
        before_ = end;
        return {at, size};
    }

  private:
    std::string name_;
    Ends ends_;
    std::vector<unsigned char> bytes_;
    std::size_t done_ = 0;
    std::uint64_t before_ = 0;
};

}  // namespace hardlimit::text
