#include "mail/html.hpp"

#include <algorithm>

#include "mail/addresses.hpp"
#include "mail/clues.hpp"
#include "mail/entities.hpp"

namespace hardlimit::mail {
namespace {

constexpr std::size_t longest_tag_name = 20;
constexpr std::size_t longest_attribute = 1 << 12;  // bytes of a value that are read

// Elements that stand within a line: a word goes on behind them.
bool is_inline(View name) {
    return is_one_of(name,
                     {"a",     "b",    "i",   "u",    "s",      "em",   "font",   "span", "strong",
                      "small", "big",  "tt",  "code", "strike", "sub",  "sup",    "abbr", "ins",
                      "del",   "mark", "bdo", "wbr",  "nobr",   "cite", "acronym"});
}

// Elements that never have an end, and so hide nothing.
bool is_void(View name) {
    return is_one_of(name, {"br", "img", "hr", "meta", "link", "input", "area", "base", "col",
                            "embed", "param", "wbr", "frame"});
}

// One tag: its name, and of its attributes those that matter here.
struct Tag {
    std::string name;  // lower case
    bool ends = false;
    std::string style, color, size, background, address, source, content;
};

std::string without_blanks(View text) {
    std::string made;
    for (const char c : text)
        if (!is_blank(c)) made += lowered(c);
    return made;
}

bool is_white(View color) {
    return is_one_of(
        color, {"white", "#fff", "#ffffff", "ffffff", "#fefefe", "#fffffe", "rgb(255,255,255)"});
}

// The value of a property in a style without blanks; "color" is not found in "background-color".
View property(View style, View name) {
    for (std::size_t at = 0; (at = style.find(name, at)) != View::npos; at += name.size()) {
        const bool begins = at == 0 || style[at - 1] == ';' || style[at - 1] == '{';
        if (!begins || at + name.size() >= style.size() || style[at + name.size()] != ':') continue;
        View value = style.substr(at + name.size() + 1);
        value = value.substr(0, value.find_first_of(";}"));
        return value.substr(0, value.find('!'));
    }
    return {};
}

bool is_tiny(View size) {  // "0", "0px", "0.5pt", "1px"; not "0.9em"
    if (size.ends_with("em") || size.ends_with('%'))
        return size.starts_with('0') && size.find_first_of("123456789") == View::npos;
    return size == "0" || size == "1px" || size == "1pt" || size == "0px" || size == "0pt" ||
           size.starts_with("0.");
}

class Reducer {
  public:
    Reducer(View html, Marks &marks, Words &words) : html_(html), marks_(marks), words_(words) {}

    bool run() {
        while (at_ < html_.size() && !words_.full()) {
            const std::size_t next = std::min(html_.find_first_of("<&", at_), html_.size());
            put(html_.substr(at_, next - at_));
            at_ = next;
            if (at_ == html_.size()) break;
            html_[at_] == '&' ? reference() : markup();
        }
        return closed_;
    }

  private:
    void put(View text) {
        if (!hidden_depth_) {
            find_punctuation(text, marks_);
            return put_text(text, marks_, words_);
        }
        // Blanks alone hide nothing.
        if (!stripped(text).empty()) has_hidden_ = true;
    }

    void reference() {
        const Reference found = read_reference(html_.substr(at_));
        if (!found.size) {
            put("&");
            ++at_;
            return;
        }
        at_ += found.size;
        if (!hidden_depth_) words_.put(found.code_point);
    }

    void markup() {
        const View rest = html_.substr(at_);
        if (rest.starts_with("<!--")) return skip_to("-->", 3, 4);
        const char second = rest.size() > 1 ? rest[1] : ' ';
        if (second == '!' || second == '?') return skip_to(">", 1, 2);
        if (!is_letter(second) && !(second == '/' && rest.size() > 2 && is_letter(rest[2]))) {
            put("<");
            ++at_;
            return;
        }
        const Tag tag = take_tag();
        if (tag.ends)
            end(tag);
        else
            begin(tag);
    }

    // Goes behind the next `wanted`; to the end where there is none.
    void skip_to(View wanted, std::size_t size, std::size_t from) {
        const std::size_t end = html_.find(wanted, std::min(at_ + from, html_.size()));
        closed_ &= end != View::npos;
        at_ = end == View::npos ? html_.size() : end + size;
    }

    // Goes to "</script" and its like.
    void skip_content(View name) {
        const std::size_t end = find_lowered(html_, "</" + std::string(name), at_);
        closed_ &= end != View::npos;
        at_ = end == View::npos ? html_.size() : end;
    }

    Tag take_tag() {
        Tag tag;
        ++at_;
        if (html_[at_] == '/') {
            tag.ends = true;
            ++at_;
        }
        tag.name = take_name();
        while (at_ < html_.size() && html_[at_] != '>') {
            if (html_[at_] == '<') return tag;  // the end was forgotten
            if (is_blank(html_[at_]) || html_[at_] == '/' || !begins_attribute(html_[at_])) {
                ++at_;
                continue;
            }
            const std::string name = take_name();
            keep(tag, name, take_attribute());
        }
        if (at_ == html_.size())
            closed_ = false;
        else
            ++at_;
        return tag;
    }

    static bool begins_attribute(char c) { return is_letter(c) || c == '_'; }

    // A name of letters, digits and dashes; the beginning of a long one.
    std::string take_name() {
        const std::size_t first = at_;
        while (at_ < html_.size() && (is_letter(html_[at_]) || is_digit(html_[at_]) ||
                                      html_[at_] == '-' || html_[at_] == '_' || html_[at_] == ':'))
            ++at_;
        return lowered(html_.substr(first, std::min(at_ - first, longest_tag_name)));
    }

    void skip_blanks() {
        while (at_ < html_.size() && is_blank(html_[at_])) ++at_;
    }

    View take_attribute() {
        skip_blanks();
        if (at_ == html_.size() || html_[at_] != '=') return {};
        ++at_;
        skip_blanks();
        if (at_ == html_.size()) return {};
        const char quote = html_[at_];
        if (quote == '"' || quote == '\'') {
            std::size_t &none_from = quote == '"' ? no_double_from_ : no_single_from_;
            const std::size_t end = at_ + 1 >= none_from ? View::npos : html_.find(quote, at_ + 1);
            if (end != View::npos) {
                const View value = html_.substr(at_ + 1, end - at_ - 1);
                at_ = end + 1;
                return cut_text(value, longest_attribute);
            }
            none_from = std::min(none_from, at_ + 1);
            closed_ = false;
            ++at_;
        }
        const std::size_t end = std::min(html_.find_first_of(" \t\r\n>", at_), html_.size());
        const View value = html_.substr(at_, end - at_);
        at_ = end;
        return cut_text(value, longest_attribute);
    }

    static void keep(Tag &tag, View name, View value) {
        if (name == "style") tag.style = without_blanks(value);
        if (name == "color") tag.color = without_blanks(value);
        if (name == "size") tag.size = without_blanks(value);
        if (name == "bgcolor" || name == "background") tag.background = without_blanks(value);
        if (name == "href" || name == "action") tag.address = value;
        if (name == "src") tag.source = value;
        if (name == "alt") tag.content = value;
    }

    void begin(const Tag &tag) {
        marks_.add_tag(tag.name);
        if (is_one_of(tag.name, {"script", "style"})) {
            skip_content(tag.name);
            return;
        }
        if (!is_inline(tag.name)) words_.blank();
        if (tag.address.size()) marks_.add_link(tag.address);
        if (tag.source.size() && tag.name == "img") {
            marks_.add_image(tag.source);
            if (!hidden_depth_) words_.put(View(tag.content));
            words_.blank();
        }
        note_background(tag);
        if (hidden_depth_) {
            if (tag.name == hidden_name_) ++hidden_depth_;
        } else if (hides(tag) && !is_void(tag.name) && tag.name != "body" && tag.name != "html") {
            hidden_name_ = tag.name;
            hidden_depth_ = 1;
            has_hidden_ = false;
        }
    }

    void end(const Tag &tag) {
        if (!is_inline(tag.name)) words_.blank();
        if (!hidden_depth_ || tag.name != hidden_name_) return;
        if (--hidden_depth_ == 0 && has_hidden_ && marks_told_++ < most_marks)
            marks_.add(hidden_marks, "hidden", "text");
    }

    // White text is hidden on white only; so of a message with any other background none is.
    void note_background(const Tag &tag) {
        const View of_style = property(tag.style, "background-color");
        const View shorthand = property(tag.style, "background");
        for (const View color : {View(tag.background), of_style, shorthand})
            if (!color.empty() && !is_white(color)) colored_ = true;
    }

    bool hides(const Tag &tag) const {
        if (tag.style.size()) {
            const View style = tag.style;
            if (property(style, "display") == "none") return true;
            if (property(style, "visibility") == "hidden") return true;
            if (is_tiny(property(style, "font-size"))) return true;
            if (!colored_ && is_white(property(style, "color"))) return true;
        }
        if (tag.name != "font") return false;
        return tag.size == "0" || (!colored_ && is_white(tag.color));
    }

    static constexpr int most_marks = 20;

    View html_;
    Marks &marks_;
    Words &words_;
    std::size_t at_ = 0;
    std::size_t no_double_from_ = View::npos, no_single_from_ = View::npos;
    std::string hidden_name_;
    std::size_t hidden_depth_ = 0;  // elements of that name that are open
    bool has_hidden_ = false, colored_ = false, closed_ = true;
    int marks_told_ = 0;
};

}  // namespace

bool reduce_html(View html, Marks &marks, Words &words) {
    return Reducer(html, marks, words).run();
}

}  // namespace hardlimit::mail
