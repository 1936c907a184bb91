#include "mail/transfer.hpp"

#include "mail/ascii.hpp"
#include "mail/uuencode.hpp"

namespace hardlimit::mail {
namespace {

int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (is_digit(c)) return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Its standard name was never agreed on.
bool is_uuencode(View encoding) {
    return begins_with(encoding, "uu") || begins_with(encoding, "x-uu");
}

// The one file of a body; false if there is none, or its end is missing.
bool decode_file(View bytes, std::size_t most, std::string &out) {
    std::string around;
    std::vector<UuFile> files;
    take_uuencoded(bytes, around, files);
    if (files.empty()) return false;
    decode_uuencoded(files[0].lines, most, out);
    return files[0].ended;
}

}  // namespace

bool decode_base64(View bytes, std::size_t most, std::string &out) {
    bool valid = true;
    std::uint32_t bits = 0;
    int n = 0;
    const std::size_t end = out.size() + most;
    for (const char c : bytes) {
        if (out.size() >= end) break;
        const int digit = base64_digit(c);
        if (digit >= 0) {
            bits = bits << 6 | static_cast<std::uint32_t>(digit);
            n += 6;
            if (n >= 8) {
                n -= 8;
                out += static_cast<char>(bits >> n & 0xFF);
            }
        } else if (c == '=') {
            n = 0;  // padding; more may follow where texts were put together
        } else if (!is_blank(c)) {
            valid = false;
        }
    }
    return valid;
}

bool decode_quoted_printable(View bytes, std::size_t most, bool words, std::string &out) {
    bool valid = true;
    const std::size_t end = out.size() + most;
    for (std::size_t i = 0; i < bytes.size() && out.size() < end; ++i) {
        const char c = bytes[i];
        if (c != '=') {
            out += words && c == '_' ? ' ' : c;
            continue;
        }
        if (i + 2 < bytes.size() && hex_digit(bytes[i + 1]) >= 0 && hex_digit(bytes[i + 2]) >= 0) {
            out += static_cast<char>(hex_digit(bytes[i + 1]) << 4 | hex_digit(bytes[i + 2]));
            i += 2;
            continue;
        }
        // A break that was put in: "=", blanks, the end of the line.
        std::size_t next = i + 1;
        while (next < bytes.size() &&
               (bytes[next] == ' ' || bytes[next] == '\t' || bytes[next] == '\r'))
            ++next;
        if (next == bytes.size() || bytes[next] == '\n') {
            i = next;
            continue;
        }
        out += c;
        valid = false;
    }
    return valid;
}

bool changes_bytes(View encoding) {
    encoding = stripped(encoding);
    return begins_with(encoding, "base64") || begins_with(encoding, "quoted-printable") ||
           is_uuencode(encoding);
}

View decode_transfer(View encoding, View bytes, std::size_t most, std::string &made, Tally &tally) {
    encoding = stripped(encoding);
    made.clear();
    if (begins_with(encoding, "base64")) {
        if (!decode_base64(bytes, most, made)) tally.count(Mend::bad_transfer_encoding);
        return made;
    }
    if (begins_with(encoding, "quoted-printable")) {
        if (!decode_quoted_printable(bytes, most, false, made))
            tally.count(Mend::bad_transfer_encoding);
        return made;
    }
    if (is_uuencode(encoding)) {
        if (!decode_file(bytes, most, made)) tally.count(Mend::bad_transfer_encoding);
        return made.empty() ? bytes.substr(0, most) : View(made);
    }
    if (!encoding.empty() && !begins_with(encoding, "7bit") && !begins_with(encoding, "8bit") &&
        !begins_with(encoding, "binary"))
        tally.count(Mend::bad_transfer_encoding);
    return bytes.substr(0, most);
}

}  // namespace hardlimit::mail
