#include "mail/labels.hpp"

namespace hardlimit::mail {
namespace {

constexpr std::size_t longest_tag = 40;
constexpr std::size_t longest_footer = 2500;
constexpr std::size_t shortest_rule = 10;

// The size of a tag at the beginning; 0 if there is none.
std::size_t tag_size(View text) {
    if (text.starts_with('[') || text.starts_with('{')) {
        const std::size_t end = text.substr(0, longest_tag).find(text[0] == '[' ? ']' : '}');
        return end == View::npos ? 0 : end + 1;
    }
    if (!text.starts_with("***")) return 0;
    const std::size_t word = text.find_first_not_of('*');
    if (word == View::npos || word > longest_tag) return 0;
    const std::size_t end = text.substr(0, word + longest_tag).find("***", word);
    if (end == View::npos || find_lowered(text.substr(0, end), "spam") == View::npos) return 0;
    const std::size_t after = text.find_first_not_of('*', end);
    return after == View::npos ? text.size() : after;
}

bool is_rule(View line) {
    line = stripped(line);
    if (line.size() < shortest_rule || (line[0] != '_' && line[0] != '-' && line[0] != '='))
        return false;
    // Sourceforge's and Yahoo's have words within.
    return line.substr(0, shortest_rule).find_first_not_of(line[0]) == View::npos;
}

bool tells_of_a_list(View text) {
    for (const View words : {"mailing list", "listinfo", "list maintainer", "yahoogroups",
                             "yahoo! groups", "majordomo", "listserv"})
        if (find_lowered(text, words) != View::npos) return true;
    return false;
}

}  // namespace

View without_tags(View subject) {
    subject = stripped(subject);
    while (true) {
        std::size_t size = tag_size(subject);
        if (!size && begins_with(subject, "re:")) size = 3;
        if (!size) return subject;
        subject = stripped(subject.substr(size));
    }
}

View without_signature(View text) {
    for (std::size_t at = 0; (at = text.find("\n--", at)) != View::npos; at += 3) {
        View line = text.substr(at + 3, 3);
        line = line.substr(0, line.find('\n'));
        if (line.size() < 3 && stripped(line).empty()) return text.substr(0, at);
    }
    return text;
}

View without_footer(View text) {
    const std::size_t from = text.size() > longest_footer ? text.size() - longest_footer : 0;
    const View end = text.substr(from);
    if (!tells_of_a_list(end)) return text;
    for (std::size_t at = 0; at < end.size();) {
        const std::size_t next = end.find('\n', at);
        const View line = end.substr(at, next == View::npos ? View::npos : next - at);
        if (is_rule(line) && tells_of_a_list(end.substr(at))) return text.substr(0, from + at);
        if (next == View::npos) break;
        at = next + 1;
    }
    return text;
}

}  // namespace hardlimit::mail
