// Where text and marks are written. Two underscores in a row stand in marks only, so that no word
// of a message is ever taken for one: subject__free, link__example_com.
#pragma once
#include <cstdint>
#include <string>

#include "mail/ascii.hpp"
#include "text/unicode.hpp"

namespace hardlimit::mail {

// Text as people see it: without control characters and characters of no width, blanks folded.
class Words {
  public:
    explicit Words(std::size_t most) : most_(most) {}

    // Valid UTF-8.
    void put(View text) {
        const auto *at = reinterpret_cast<const text::Byte *>(text.data());
        const auto *const end = at + text.size();
        while (at < end && !full()) {
            if (*at < 0x80) {
                ascii(static_cast<char>(*at++));
                continue;
            }
            const text::Decoded found = text::decode_valid(at);
            wide(found.code_point, at, found.length);
            at += found.length;
        }
    }

    void put(std::uint32_t code_point) {
        text::Byte bytes[4];
        const text::Byte *const end = text::encode(code_point, bytes);
        put(View(reinterpret_cast<const char *>(bytes), static_cast<std::size_t>(end - bytes)));
    }

    void blank() { ascii(' '); }
    void line() { ascii('\n'); }
    // A mark, which has its two underscores.
    void mark(View text) {
        if (full()) return;
        out_ += text;
        out_ += ' ';
        lines_ = false;
    }

    bool full() const { return out_.size() >= most_; }
    std::string &text() { return out_; }
    const std::string &text() const { return out_; }

  private:
    void ascii(char c) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '_') {
            if (!lines_) out_ += '_';
            if (lines_ && out_.size() && out_.back() == '_') out_.back() = ' ';
            lines_ = true;
            return;
        }
        lines_ = false;
        if (byte > 0x20 && byte != 0x7F) {
            out_ += c;
            return;
        }
        if (c == '\n') {
            while (out_.size() && out_.back() == ' ') out_.pop_back();
            if (out_.size() && out_.back() != '\n') out_ += '\n';
        } else if (out_.size() && out_.back() != ' ' && out_.back() != '\n') {
            out_ += ' ';
        }
    }

    void wide(std::uint32_t code_point, const text::Byte *at, std::size_t length) {
        // Soft hyphens and characters of no width, which only hide a word from a filter.
        if (code_point == 0xAD || (code_point >= 0x200B && code_point <= 0x200F) ||
            (code_point >= 0x202A && code_point <= 0x202E) ||
            (code_point >= 0x2060 && code_point <= 0x2064) || code_point == 0xFEFF)
            return;
        // Blanks, and forms of the underscore, which accents=unicode would make one.
        if (code_point < 0xA1 || (code_point >= 0x2000 && code_point <= 0x200A) ||
            code_point == 0x3000 || code_point == 0xFF3F || code_point == 0xFE33 ||
            code_point == 0xFE34 || (code_point >= 0xFE4D && code_point <= 0xFE4F))
            return ascii(' ');
        lines_ = false;
        out_.append(reinterpret_cast<const char *>(at), length);
    }

    std::string out_;
    std::size_t most_;
    bool lines_ = false;  // the last character was an underscore
};

inline constexpr std::size_t longest_mark = 100;

// Appends to a mark: ASCII letters and digits in lower case, whatever else as one underscore.
inline void append_to_mark(std::string &mark, View text) {
    for (const char c : text.substr(0, longest_mark)) {
        if (is_letter(c) || is_digit(c))
            mark += lowered(c);
        else if (mark.size() && mark.back() != '_')
            mark += '_';
    }
    while (mark.size() && mark.back() == '_') mark.pop_back();
}

// Empty where nothing is left of the text.
inline std::string make_mark(View kind, View text) {
    std::string rest, mark;
    append_to_mark(rest, text);
    append_to_mark(mark, kind);
    return rest.empty() || mark.empty() ? std::string() : mark + "__" + rest;
}

}  // namespace hardlimit::mail
