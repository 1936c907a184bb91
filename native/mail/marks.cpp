#include "mail/marks.hpp"

#include <algorithm>

namespace hardlimit::mail {
namespace {

constexpr std::size_t host_names = 4;
constexpr std::size_t longest_host = 255;
constexpr std::size_t most_tags = 100;

// Of a joined text: what stands before its words.
bool stands_in_front(Group group) {
    return group == Group::subject || group == Group::sender || group == Group::list ||
           group == Group::header;
}

Group group_of(Part part) {
    switch (part) {
        case subject_marks:
            return Group::subject;
        case from_marks:
            return Group::sender;
        case list_marks:
            return Group::list;
        case type_marks:
            return Group::types;
        case tag_marks:
            return Group::tags;
        case punctuation_marks:
            return Group::punctuation;
        case reply_marks:
        case list_bit:
        case domain_marks:
            return Group::structure;
        case url_marks:
            return Group::urls;
        case origin_marks:
            return Group::origin;
        default:
            return Group::found;
    }
}

bool is_host(char c) {
    return is_letter(c) || is_digit(c) || c == '.' || c == '-' ||
           static_cast<unsigned char>(c) >= 0x80;
}

// ASCII without two underscores in a row.
bool is_plain(View text) {
    unsigned char all = 0;
    for (const char c : text) all |= static_cast<unsigned char>(c);
    return all < 0x80 && text.find("__") == View::npos;
}

void mark_ascii_words(const std::string &prefix, View text, Words &out) {
    std::string mark;
    for (std::size_t at = 0; at < text.size() && !out.full();) {
        const std::size_t first = at;
        while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]) || text[at] == '_'))
            ++at;
        if (at - first > 1) out.mark(mark.assign(prefix).append(text.substr(first, at - first)));
        ++at;
    }
}

void mark_words(const std::string &prefix, const std::string &text, Words &out) {
    const auto *at = reinterpret_cast<const text::Byte *>(text.data());
    const auto *const end = at + text.size();
    std::string mark;
    while (at < end && !out.full()) {
        const text::Byte *first = at;
        int characters = 0;
        for (; at < end; at += text::sequence_length(*at), ++characters) {
            const std::uint32_t code_point = *at < 0x80 ? *at : text::decode_valid(at).code_point;
            if (!(text::properties(code_point).flags & text::is_word)) break;
        }
        const auto *const word = reinterpret_cast<const char *>(first);
        if (characters > 1)
            out.mark(mark.assign(prefix).append(word, static_cast<std::size_t>(at - first)));
        if (at < end) at += text::sequence_length(*at);
    }
}

// The host in "http://user@host:80/path", from behind the two strokes; `user` tells whether there
// was one, which is how a link pretends to lead elsewhere.
View host_of(View address, bool &user) {
    const View place = address.substr(0, address.find_first_of("/?#\\\"'<> \t\r\n"));
    const std::size_t at = place.rfind('@');
    user = at != View::npos;
    View host = user ? place.substr(at + 1) : place;
    std::size_t n = 0;
    while (n < host.size() && n < longest_host && is_host(host[n])) ++n;
    return host.substr(0, n);
}

}  // namespace

Marks::Marks(const Settings &settings, Layout layout) : settings_(settings) {
    const bool apart = layout == Layout::blocks;
    buffers_.assign(apart ? groups : 2, Words(settings.limits.text));
    for (std::size_t group = 0; group < groups; ++group)
        places_[group] = apart ? group : !stands_in_front(static_cast<Group>(group));
}

void Marks::add(Part part, View kind, View text) {
    if (wants(part)) words(group_of(part)).mark(make_mark(kind, text));
}

void Marks::add_tag(View name) {
    if (!wants(tag_marks) || tags_.size() >= most_tags) return;
    if (std::find(tags_.begin(), tags_.end(), name) != tags_.end()) return;
    tags_.emplace_back(name);
    add(tag_marks, "h", name);
}

std::string Marks::joined() const {
    std::string made;
    for (std::size_t group = 0; group < static_cast<std::size_t>(Group::header); ++group)
        made += buffers_[group].text();
    while (made.size() && is_blank(made.back())) made.pop_back();
    return made;
}

void Marks::add_words(Group group, View kind, View text) {
    std::string prefix;
    append_to_mark(prefix, kind);
    prefix += "__";
    // Of plain ASCII nothing is left out that is part of a word.
    if (is_plain(text)) return mark_ascii_words(prefix, text, words(group));
    Words clean(text.size() + 4);
    clean.put(text);
    mark_words(prefix, clean.text(), words(group));
}

void Marks::add_host(Group group, View kind, View host) {
    Words &out = words(group);
    while (host.ends_with('.')) host.remove_suffix(1);
    if (host.empty() || host.size() > longest_host) return;
    if (is_number(host)) return out.mark(make_mark(kind, "number"));
    std::size_t from = host.size();
    for (std::size_t n = 0; n < host_names && from != View::npos && from > 0; ++n) {
        from = host.rfind('.', from - 1);
        const View last = from == View::npos ? host : host.substr(from + 1);
        if (const std::string mark = make_mark(kind, last); mark.size()) out.mark(mark);
    }
}

void Marks::add_link(View address) {
    if (!wants(link_marks)) return;
    address = stripped(address);
    if (begins_with(address, "mailto:")) {
        words(Group::found).mark("link__mailto");
        const std::size_t at = address.find('@');
        if (at != View::npos) {
            bool user;
            add_host(Group::found, "link", host_of(address.substr(at + 1), user));
        }
        return;
    }
    const std::size_t strokes = address.substr(0, 12).find("//");
    if (strokes == View::npos) return;
    bool user;
    const View host = host_of(address.substr(strokes + 2), user);
    if (user) words(Group::found).mark("link__user");
    add_host(Group::found, "link", host);
}

void Marks::add_image(View address) {
    if (!wants(image_marks)) return;
    address = stripped(address);
    if (begins_with(address, "cid:")) return words(Group::found).mark("image__inside");
    const std::size_t strokes = address.substr(0, 12).find("//");
    if (strokes == View::npos) return words(Group::found).mark("image__relative");
    words(Group::found).mark("image__remote");
    bool user;
    add_host(Group::found, "image", host_of(address.substr(strokes + 2), user));
}

void find_links(View text, Marks &marks) {
    if (!marks.wants(link_marks)) return;
    for (std::size_t at = 0; (at = text.find("://", at)) != View::npos; at += 3) {
        const bool secure = at >= 5 && equals(text.substr(at - 5, 5), "https");
        if (!secure && !(at >= 4 && equals(text.substr(at - 4, 4), "http"))) continue;
        marks.add_link(text.substr(at + 1, longest_host + 100));
    }
}

}  // namespace hardlimit::mail
