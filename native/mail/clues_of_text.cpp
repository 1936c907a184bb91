#include <algorithm>

#include "mail/clues.hpp"

namespace hardlimit::mail {
namespace {

constexpr std::size_t most_runs = 300;
constexpr std::size_t longest_run = 4;
constexpr std::size_t most_url_marks = 400;
constexpr std::size_t longest_url = 2000;
constexpr std::size_t longest_url_host = 255;
constexpr std::size_t most_labels = 8;
constexpr std::size_t most_path_words = 10;
constexpr std::size_t longest_path_word = 12;

// Which bytes a search stops at: one look a byte, however many there are.
class ByteSet {
  public:
    explicit constexpr ByteSet(View bytes) {
        for (const char c : bytes) has_[static_cast<unsigned char>(c)] = true;
    }
    std::size_t find(View text, std::size_t at) const {
        while (at < text.size() && !has_[static_cast<unsigned char>(text[at])]) ++at;
        return at;
    }

  private:
    bool has_[256] = {};
};

constexpr ByteSet punctuation("!$?%*>#=-_/");
constexpr ByteSet begins_of_urls(":wW");

View name_of(char c) {
    switch (c) {
        case '!':
            return "ex";
        case '$':
            return "dl";
        case '?':
            return "q";
        case '%':
            return "pc";
        case '*':
            return "st";
        case '>':
            return "gt";
        case '#':
            return "ha";
        case '=':
            return "eq";
        case '-':
            return "da";
        case '_':
            return "un";
        default:
            return "sl";
    }
}

bool begins_line(View text, std::size_t at) { return at == 0 || text[at - 1] == '\n'; }

// Where an address may end within a text or markup.
bool ends_url(char c) {
    return is_blank(c) || c == '"' || c == '\'' || c == '<' || c == '>' || c == ')' || c == '\0';
}

class Urls {
  public:
    explicit Urls(Marks &marks) : marks_(marks) {}

    bool full() const { return n_ >= most_url_marks; }

    void add(View address) {
        const std::size_t end = std::min(address.find_first_of("/?#\\"), address.size());
        View place = address.substr(0, end);
        const View rest = address.substr(end);
        if (const std::size_t at = place.rfind('@'); at != View::npos) {
            mark("url", "user");
            place.remove_prefix(at + 1);
        }
        if (const std::size_t colon = place.find(':'); colon != View::npos) {
            mark("url", "port");
            place = place.substr(0, colon);
        }
        add_host(place.substr(0, longest_url_host));
        if (address.find('%') != View::npos) mark("url", "pct");
        if (rest.find('?') != View::npos) mark("url", "query");
        add_path(rest);
    }

  private:
    void mark(View kind, View text) {
        if (full()) return;
        ++n_;
        marks_.add(url_marks, kind, text);
    }

    void add_host(View host) {
        while (host.ends_with('.')) host.remove_suffix(1);
        if (host.empty()) return;
        if (is_number(host)) return mark("url", "ip");
        std::size_t from = 0, before_last = 0, last = 0;
        for (std::size_t n = 0; from <= host.size(); ++n) {
            const std::size_t dot = std::min(host.find('.', from), host.size());
            if (n < most_labels) mark("url", host.substr(from, dot - from));
            before_last = last;
            last = from;
            from = dot + 1;
        }
        if (last > 0) mark("url", host.substr(before_last));
    }

    void add_path(View path) {
        std::size_t words = 0, from = 0;
        for (std::size_t at = 0; at <= path.size() && words < most_path_words; ++at) {
            if (at < path.size() && is_letter(path[at])) continue;
            const std::size_t size = at - from;
            if (size >= 2 && size <= longest_path_word) {
                mark("up", path.substr(from, size));
                ++words;
            }
            from = at + 1;
        }
    }

    Marks &marks_;
    std::size_t n_ = 0;
};

// Behind the scheme of an address that a colon ends; npos if it is none that leads elsewhere.
std::size_t behind_scheme(View text, std::size_t colon) {
    if (text.substr(colon, 3) != "://") return View::npos;
    for (const View scheme : {"http", "https", "ftp"})
        if (colon >= scheme.size() &&
            equals(text.substr(colon - scheme.size(), scheme.size()), scheme))
            return colon + 3;
    return View::npos;
}

}  // namespace

void find_punctuation(View text, Marks &marks) {
    if (!marks.wants(punctuation_marks)) return;
    Words &words = marks.words(Group::punctuation);
    std::string mark;
    for (std::size_t at = 0; (at = punctuation.find(text, at)) < text.size();) {
        const char c = text[at];
        std::size_t end = at + 1;
        while (end < text.size() && text[end] == c) ++end;
        if (c != '>' || begins_line(text, at)) {
            if (!marks.take(punctuation_marks, most_runs)) return;
            mark = "pu__";
            mark += name_of(c);
            mark += static_cast<char>('0' + std::min(end - at, longest_run));
            words.mark(mark);
        }
        at = end;
    }
}

void find_urls(View text, Marks &marks) {
    if (!marks.wants(url_marks)) return;
    Urls urls(marks);
    for (std::size_t at = 0; !urls.full(); ++at) {
        at = begins_of_urls.find(text, at);
        if (at >= text.size()) return;
        std::size_t from = View::npos;
        if (text[at] == ':') {
            from = behind_scheme(text, at);
        } else if (begins_with(text.substr(at), "www.") &&
                   (at == 0 || !(is_letter(text[at - 1]) || is_digit(text[at - 1]) ||
                                 text[at - 1] == '/' || text[at - 1] == '.'))) {
            from = at;
        }
        if (from == View::npos) continue;
        const View rest = text.substr(from, longest_url);
        const auto *const end = std::find_if(rest.begin(), rest.end(), ends_url);
        const auto size = static_cast<std::size_t>(end - rest.begin());
        urls.add(rest.substr(0, size));
        at = from + (size ? size - 1 : 0);
    }
}

}  // namespace hardlimit::mail
