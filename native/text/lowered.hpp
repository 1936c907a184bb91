// One document made ready for cutting: valid UTF-8, lower case, every white space a blank.
//
// A blank stands before and after the text, so that character n-grams that reach over the edge of
// a word are plain windows of these bytes, and 80 zero bytes follow, so that blocks may be loaded
// from anywhere.
#pragma once
#include <memory>
#include <span>

#include "text/unicode.hpp"

namespace hardlimit::text {

struct Source {
    const Byte *bytes = nullptr;
    std::size_t size = 0;
    bool surrogates = false;  // came from a str: surrogates stand as three bytes
};

using Documents = std::span<const Source>;

class Lowered {
  public:
    // Replaces the document. O(size); the buffer is kept for the next one.
    void assign(const Source &source);

    const Byte *begin() const { return buffer_.get() + 1; }
    const Byte *end() const { return end_; }
    bool ascii() const { return ascii_; }
    bool has_unspaced() const { return has_unspaced_; }
    std::uint64_t replaced() const { return replaced_; }  // code points, in this document

  private:
    void reserve(std::size_t more);
    const Byte *lower_one(const Byte *at, const Source &source);
    bool final_sigma(const Byte *after, const Source &source) const;

    std::unique_ptr<Byte[]> buffer_;
    std::size_t capacity_ = 0;
    Byte *end_ = nullptr;
    bool ascii_ = true, has_unspaced_ = false;
    std::uint64_t replaced_ = 0;
};

}  // namespace hardlimit::text
