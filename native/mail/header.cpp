#include "mail/header.hpp"

#include <algorithm>

#include "mail/transfer.hpp"

namespace hardlimit::mail {
namespace {

constexpr std::size_t longest_field_name = 100;
constexpr std::size_t longest_value = 1 << 14;  // of which words and parameters are read
constexpr std::size_t longest_word = 1 << 11;   // an encoded one; the standard allows 75 bytes

// Of these a message has one; a text whose first lines have colons does not.
bool is_known(View name) {
    for (const View known :
         {"received", "return-path", "delivered-to", "message-id", "date", "from", "to", "cc",
          "subject", "mime-version", "content-type", "content-transfer-encoding", "x-mailer",
          "reply-to", "sender", "newsgroups", "organization", "references", "in-reply-to"})
        if (name == known) return true;
    return false;
}

// The length of the name before the colon; 0 if the line is no field.
std::size_t name_length(View line) {
    std::size_t n = 0;
    while (n < line.size() && n <= longest_field_name && line[n] > ' ' && line[n] != 0x7F &&
           line[n] != ':')
        ++n;
    std::size_t colon = n;  // blanks before it are no mail, but are sent
    while (colon < line.size() && (line[colon] == ' ' || line[colon] == '\t')) ++colon;
    return n && n <= longest_field_name && colon < line.size() && line[colon] == ':' ? n : 0;
}

bool is_separator(View line) { return line.starts_with("From ") || line.starts_with(">From "); }

// A place in a value, and what the word there is made of.
struct EncodedWord {
    View charset, text;
    char encoding;
    std::size_t size;  // 0: it is none
};

EncodedWord read_encoded_word(View at) {
    const EncodedWord none{{}, {}, 0, 0};
    at = at.substr(0, longest_word);
    const std::size_t charset = at.find('?', 2);
    if (charset == View::npos || charset + 2 >= at.size() || at[charset + 2] != '?') return none;
    const std::size_t text = charset + 3, end = at.find("?=", text);
    if (end == View::npos) return none;
    View name = at.substr(2, charset - 2);
    name = name.substr(0, name.find('*'));  // a language may follow
    return {name, at.substr(text, end - text), lowered(at[charset + 1]), end + 2};
}

// Neighbours of one charset are one text: a character may be cut between them.
class Joined {
  public:
    Joined(Charsets &charsets, std::string &out) : charsets_(charsets), out_(out) {}
    void add(const EncodedWord &word) {
        if (charset_ != word.charset) flush();
        charset_ = word.charset;
        if (word.encoding == 'b')
            decode_base64(word.text, longest_word, bytes_);
        else
            decode_quoted_printable(word.text, longest_word, true, bytes_);
    }
    void flush() {
        if (!bytes_.empty()) charsets_.decode(charset_, bytes_, out_);
        bytes_.clear();
    }

  private:
    Charsets &charsets_;
    std::string &out_;
    View charset_;
    std::string bytes_;
};

std::string decode_percent(View text) {
    std::string made;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
            hex_digit(text[i + 2]) >= 0) {
            made += static_cast<char>(hex_digit(text[i + 1]) << 4 | hex_digit(text[i + 2]));
            i += 2;
        } else {
            made += text[i];
        }
    }
    return made;
}

// The text between quotes or up to the next semicolon; takes it off.
std::string take_value(View &rest) {
    std::string made;
    if (rest.starts_with('"')) {
        rest.remove_prefix(1);
        while (!rest.empty() && rest[0] != '"') {
            if (rest[0] == '\\' && rest.size() > 1) rest.remove_prefix(1);
            if (rest[0] != '\r' && rest[0] != '\n') made += rest[0];
            rest.remove_prefix(1);
        }
        rest.remove_prefix(std::min(rest.find(';'), rest.size()));
        return made;
    }
    const std::size_t end = std::min(rest.find(';'), rest.size());
    made = stripped(rest.substr(0, end));
    rest.remove_prefix(end);
    return made;
}

}  // namespace

Header Header::take(Cursor &cursor, const Settings &settings, bool whole, Tally &tally) {
    Header header;
    const Cursor before = cursor;
    std::size_t size = 0;
    bool known = false, ended = true;
    const char *field = nullptr;  // where the value of the last field begins
    for (bool first = true; !cursor.at_end(); first = false) {
        const View line = cursor.line();
        if (stripped(line).empty()) {
            cursor.skip(line);
            break;
        }
        if (cursor.delimiter(line)) break;
        const bool folded = line[0] == ' ' || line[0] == '\t';
        const std::size_t n = folded ? 0 : name_length(line);
        if (!n && !(folded && field)) {
            if (first && is_separator(line)) {
                cursor.skip(line);
                continue;
            }
            ended = false;
            break;
        }
        cursor.skip(line);
        size += line.size();
        if (size > settings.limits.header) continue;
        if (n) {
            std::string name = lowered(line.substr(0, n));
            known |= is_known(name);
            field = line.data() + line.find(':') + 1;
            header.fields_.push_back({std::move(name), {}});
        }
        const char *const end = line.data() + line.size();
        header.fields_.back().value = View(field, static_cast<std::size_t>(end - field));
    }
    if (size > settings.limits.header) tally.count(Mend::long_header);
    if (whole && !known) {  // a text with a colon in its first line, or none
        tally.count(Mend::no_header);
        header.fields_.clear();
        cursor = before;
    } else if (!ended) {
        tally.count(Mend::header_without_end);
    }
    return header;
}

Parameters read_parameters(View field) {
    field = stripped(field.substr(0, longest_value));
    Parameters found;
    const std::size_t end = std::min(field.find(';'), field.size());
    found.value = lowered(stripped(field.substr(0, end)));
    View rest = field.substr(end);
    while (!rest.empty()) {
        rest.remove_prefix(1);  // the semicolon
        const std::size_t equals = rest.find_first_of("=;");
        if (equals == View::npos) break;
        if (rest[equals] == ';') {
            rest.remove_prefix(equals);
            continue;
        }
        std::string name = lowered(stripped(rest.substr(0, equals)));
        rest.remove_prefix(equals + 1);
        while (!rest.empty() && is_blank(rest[0])) rest.remove_prefix(1);
        found.entries.emplace_back(std::move(name), take_value(rest));
    }
    return found;
}

std::string Parameters::get(View name) const {
    std::vector<std::pair<int, std::string>> pieces;
    for (const auto &[key, text] : entries) {
        if (key == name) return text;
        if (!key.starts_with(name) || key.size() <= name.size() || key[name.size()] != '*')
            continue;
        View rest = View(key).substr(name.size() + 1);
        const bool percent = rest.empty() || rest.ends_with('*');
        int number = 0;
        for (const char c : rest.substr(0, 5))
            if (is_digit(c)) number = 10 * number + c - '0';
        View value = text;
        if (percent && number == 0) {  // charset'language'text
            const std::size_t quote = value.find('\'');
            const std::size_t second =
                quote == View::npos ? View::npos : value.find('\'', quote + 1);
            if (second != View::npos) value = value.substr(second + 1);
        }
        pieces.emplace_back(number, percent ? decode_percent(value) : std::string(value));
    }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    std::string made;
    for (const auto &piece : pieces) made += piece.second;
    return made;
}

std::string decode_words(View field, Charsets &charsets) {
    field = stripped(cut_text(field, longest_value));
    std::string made;
    Joined joined(charsets, made);
    bool after_word = false;
    std::size_t i = 0;
    while (i < field.size()) {
        std::size_t start = std::min(field.find("=?", i), field.size());
        const View between = field.substr(i, start - i);
        EncodedWord word{{}, {}, 0, 0};
        if (start < field.size()) word = read_encoded_word(field.substr(start));
        const bool is_word = word.size && (word.encoding == 'b' || word.encoding == 'q');
        // Blanks between two encoded words are no text.
        if (!(after_word && is_word && stripped(between).empty())) {
            joined.flush();
            charsets.decode("", between, made);
        }
        if (is_word) {
            joined.add(word);
            i = start + word.size;
        } else {
            joined.flush();
            if (start < field.size()) made += "=?";
            i = start + 2;
        }
        after_word = is_word;
    }
    joined.flush();
    std::replace(made.begin(), made.end(), '\n', ' ');  // where it was folded
    return made;
}

}  // namespace hardlimit::mail
