#include "mail/uuencode.hpp"

namespace hardlimit::mail {
namespace {

constexpr View begins = "begin ";
constexpr std::size_t longest_line = 100;  // of numbers: 61 characters and a few of a checksum
constexpr std::size_t longest_begin = 300;

View line_at(View text, std::size_t at) {
    return text.substr(at, std::min(text.find('\n', at), text.size() - 1) + 1 - at);
}

View without_end(View line) {
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
    return line;
}

unsigned value(char c) { return (static_cast<unsigned char>(c) - 32u) & 63u; }

// The file name of "begin 644 name"; empty if the line is another.
View name_of(View line) {
    if (line.size() > longest_begin || !line.starts_with(begins)) return {};
    line = stripped(line.substr(begins.size()));
    const std::size_t mode = line.find_first_not_of("01234567");
    if (mode == View::npos || mode < 3 || mode > 4 || line[mode] != ' ') return {};
    return stripped(line.substr(mode));
}

// The first character counts the bytes of a line. Blanks at its end may have been lost on the way,
// or a checksum may follow.
bool is_encoded(View line) {
    line = without_end(line);
    if (line.empty() || line.size() > longest_line) return false;
    for (const char c : line)
        if (c < ' ' || c > '`') return false;
    const std::size_t wanted = (value(line[0]) + 2) / 3 * 4;
    return line.size() - 1 <= wanted + 2;
}

// As strict as a line can be that stands behind "begin": words in capitals are none.
bool is_first(View line) {
    if (!is_encoded(line)) return false;
    const std::size_t wanted = (value(line[0]) + 2) / 3 * 4, size = without_end(line).size() - 1;
    return wanted && size + 3 >= wanted && size <= wanted + 1;
}

// Takes one file from a place on, where its name was found; returns the place behind it.
std::size_t take(View text, std::size_t from, UuFile &file) {
    std::size_t at = from;
    while (at < text.size()) {
        const View line = line_at(text, at);
        if (without_end(line) == "end") {
            file.ended = true;
            file.lines = text.substr(from, at - from);
            return at + line.size();
        }
        // The line of no bytes before the end is a blank, which may be lost on the way.
        const std::size_t next = at + line.size();
        const bool last = without_end(line).empty() && next < text.size() &&
                          without_end(line_at(text, next)) == "end";
        if (!last && !is_encoded(line)) break;
        at = next;
    }
    file.lines = text.substr(from, at - from);
    return at;
}

}  // namespace

void take_uuencoded(View &text, std::string &made, std::vector<UuFile> &files) {
    std::size_t kept = 0;  // up to there the text is in `made`
    for (std::size_t at = 0; (at = text.find(begins, at)) != View::npos;) {
        const bool starts = at == 0 || text[at - 1] == '\n';
        const View line = starts ? line_at(text, at) : begins;
        const std::size_t next = at + line.size();
        UuFile file{name_of(line), {}, false};
        if (file.name.empty() || next >= text.size() || !is_first(line_at(text, next))) {
            at = next;
            continue;
        }
        made += text.substr(kept, at - kept);
        at = kept = take(text, next, file);
        files.push_back(file);
    }
    if (files.empty()) return;
    made += text.substr(kept);
    text = made;
}

void decode_uuencoded(View lines, std::size_t most, std::string &out) {
    const std::size_t end = out.size() + most;
    for (std::size_t at = 0; at < lines.size() && out.size() < end;) {
        const View whole = line_at(lines, at), line = without_end(whole);
        at += whole.size();
        if (line.empty()) continue;
        std::size_t left = std::min<std::size_t>(value(line[0]), end - out.size());
        for (std::size_t i = 1; left; i += 4) {
            unsigned bits = 0;  // what is missing at the end was blanks, which are zeros
            for (std::size_t k = i; k < i + 4; ++k)
                bits = bits << 6 | (k < line.size() ? value(line[k]) : 0u);
            for (int shift = 16; shift >= 0 && left; shift -= 8, --left)
                out += static_cast<char>(bits >> shift & 0xFF);
        }
    }
}

}  // namespace hardlimit::mail
