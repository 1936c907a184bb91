// What is read of a message, within which limits, and what was mended on the way.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hardlimit::mail {

using View = std::string_view;

// Everything that a hostile message could have without end.
struct Limits {
    std::size_t bytes;   // of a message; what follows is not looked at
    std::size_t header;  // bytes of one block of header fields
    std::size_t parts;   // of a message, nested ones included
    std::size_t depth;   // of parts within parts
    std::size_t text;    // bytes of decoded text, and of what is given back
};

// In the order of `parts` in hardlimit.mail.parts.
enum Part : std::uint32_t {
    subject_words = 1 << 0,
    subject_marks = 1 << 1,
    from_marks = 1 << 2,
    list_marks = 1 << 3,
    type_marks = 1 << 4,
    link_marks = 1 << 5,
    image_marks = 1 << 6,
    hidden_marks = 1 << 7,
    attachment_marks = 1 << 8,
    body_words = 1 << 9,
    address_words = 1 << 10,  // also those of web and mail addresses
    signature_words = 1 << 11,
    html_markup = 1 << 12,  // as it stands, not reduced
    tag_marks = 1 << 13,
    punctuation_marks = 1 << 14,
    reply_marks = 1 << 15,
    list_bit = 1 << 16,
    domain_marks = 1 << 17,
    url_marks = 1 << 18,
    origin_marks = 1 << 19,
    header_words = 1 << 20,
};

struct Settings {
    Limits limits;
    std::uint32_t parts;
    bool keep_labels;                  // what a filter or a list has written into the message
    bool all_headers;                  // words of every header field, marked by its name
    std::vector<std::string> headers;  // of these, lower case
    std::vector<std::string> dropped;  // never, unless named: lower case; * at the end for any
    std::vector<std::string> never;    // of these, what a block of header words leaves out

    bool has(Part part) const { return parts & part; }
};

// In the order of `names` in hardlimit.mail.tally.
enum class Mend {
    no_header,
    header_without_end,
    long_header,
    missing_boundary,
    unclosed_multipart,
    bad_transfer_encoding,
    guessed_charset,
    unknown_charset,
    replaced_characters,
    null_bytes,
    unclosed_html,
    cut_message,
    too_many_parts,
    too_deep,
    long_text,
};
inline constexpr std::size_t mends = 15;

class Tally {
  public:
    void count(Mend what, std::uint64_t n = 1) { counts_[static_cast<std::size_t>(what)] += n; }
    const std::array<std::uint64_t, mends> &counts() const { return counts_; }

  private:
    std::array<std::uint64_t, mends> counts_{};
};

// UTF-8 of bytes in a charset that is not known here; nothing if nobody knows it. The second is
// how many characters were replaced.
struct Decoded {
    std::string text;
    std::uint64_t replaced = 0;
};
using Decode = std::function<std::optional<Decoded>(View charset, View bytes)>;

}  // namespace hardlimit::mail
