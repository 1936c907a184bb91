// A term as it is written: words with one blank between two, or a string in brackets.
#pragma once
#include <algorithm>
#include <optional>
#include <string>

#include "text/walk.hpp"

namespace hardlimit::text {

class Written {
  public:
    explicit Written(const std::string &term)
        : padded_(term + std::string(8, '\0')), size_(term.size()) {}  // keys load eight bytes

    // What is in the brackets; none of words.
    std::optional<Strings> kind() const {
        if (padded_.front() == '[') return Strings::chars;
        if (padded_.front() == '{') return Strings::runs;
        return {};
    }
    const Byte *inner() const { return at(1); }
    std::size_t inner_size() const { return size_ - 2; }

    // `use(first byte, number of bytes)` of each word.
    template <class Use>
    void each_word(Use &&use) const {
        for (std::size_t first = 0; first <= size_;) {
            const std::size_t end = std::min(padded_.find(' ', first), size_);
            use(at(first), end - first);
            first = end + 1;
        }
    }

  private:
    const Byte *at(std::size_t place) const {
        return reinterpret_cast<const Byte *>(padded_.data()) + place;
    }
    std::string padded_;
    std::size_t size_;
};

}  // namespace hardlimit::text
