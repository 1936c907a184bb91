#include <algorithm>

#include "mail/clues.hpp"

namespace hardlimit::mail {
namespace {

constexpr std::size_t origin_steps = 2;
constexpr std::size_t longest_step = 1000;  // bytes of a Received field
constexpr std::size_t most_words = 60;      // of a step
constexpr std::size_t longest_origin = 20;  // letters of a word
constexpr std::size_t most_header_fields = 200;

// "example.org" is the domain of "mail.example.org".
bool is_domain_of(View one, View other) {
    if (one.size() < other.size()) std::swap(one, other);
    if (!equals(one.substr(one.size() - other.size()), lowered(other))) return false;
    return one.size() == other.size() || one[one.size() - other.size() - 1] == '.';
}

View compare_domains(View sender, View field) {
    const View domain = domain_of(field);
    if (domain.empty()) return "none";
    return !sender.empty() && is_domain_of(sender, domain) ? "same" : "other";
}

bool came_from_list(const Header &header) {
    for (const Field &field : header.fields())
        if (field.name.starts_with("list-") || field.name == "mailing-list" ||
            field.name == "precedence")
            return true;
    return false;
}

// A step without its date.
View without_date(View step) {
    step = step.substr(0, longest_step);
    return step.substr(0, step.rfind(';'));
}

bool is_word_part(char c) { return is_letter(c) || is_digit(c); }

// Whether these are the four numbers of an address, and what the first two of them are.
struct Octets {
    int first = -1, second = -1;
};
Octets read_octets(View text) {
    int numbers[4], n = 0;
    std::size_t at = 0;
    while (n < 4) {
        int number = 0;
        std::size_t digits = 0;
        for (; at < text.size() && is_digit(text[at]) && digits < 3; ++at, ++digits)
            number = 10 * number + text[at] - '0';
        if (!digits || number > 255) return {};
        numbers[n++] = number;
        if (n < 4 && !(at < text.size() && text[at++] == '.')) return {};
    }
    return at == text.size() ? Octets{numbers[0], numbers[1]} : Octets{};
}

bool is_private(Octets ip) {
    return ip.first == 10 || ip.first == 127 || (ip.first == 192 && ip.second == 168) ||
           (ip.first == 172 && ip.second >= 16 && ip.second < 32);
}

// Goes over the words of a step, in which a dot or a dash may stand; `take` gets each.
template <typename Take>
void for_each_name(View step, Take take) {
    std::size_t from = 0;
    for (std::size_t at = 0; at <= step.size(); ++at) {
        if (at < step.size() && (is_word_part(step[at]) || step[at] == '.' || step[at] == '-'))
            continue;
        if (at > from && !take(step.substr(from, at - from))) return;
        from = at + 1;
    }
}

// The words of a name that have letters only: "mail-1.example.org" has mail, example and org.
template <typename Take>
void for_each_word(View name, Take take) {
    std::size_t from = 0;
    for (std::size_t at = 0; at <= name.size(); ++at) {
        if (at < name.size() && is_word_part(name[at])) continue;
        const View word = name.substr(from, at - from);
        const bool letters = std::all_of(word.begin(), word.end(), is_letter);
        if (letters && word.size() > 1 && word.size() <= longest_origin) take(word);
        from = at + 1;
    }
}

// Words of the site that received a mail, which are in every mail of a collection.
std::vector<std::string> words_of_receiver(const Header &header) {
    std::vector<std::string> words;
    const auto note = [&words](View word) {
        if (words.size() < most_words) words.push_back(lowered(word));
    };
    for_each_word(domain_of(header.value("delivered-to")), note);
    bool after_by = false;
    for_each_name(without_date(header.value("received")), [&](View name) {
        if (after_by) for_each_word(name, note);
        after_by = equals(name, "by");
        return true;
    });
    return words;
}

void add_step(View step, const std::vector<std::string> &receiver, Marks &marks) {
    bool skips = false;  // behind "id" and "for"
    std::size_t n = 0;
    for_each_name(without_date(step), [&](View name) {
        const bool skipped = skips;
        skips = equals(name, "id") || equals(name, "for");
        if (skipped || skips) return true;
        if (const Octets ip = read_octets(name); ip.first >= 0) {
            marks.add(origin_marks, "ro", "ip");
            const std::string which = is_private(ip) ? "private" : "ip" + std::to_string(ip.first);
            marks.add(origin_marks, "ro", which);
            return ++n < most_words;
        }
        for_each_word(name, [&](View word) {
            const std::string lower = lowered(word);
            if (std::find(receiver.begin(), receiver.end(), lower) == receiver.end())
                marks.add(origin_marks, "ro", lower);
        });
        return ++n < most_words;
    });
}

void add_domains(const Header &header, Marks &marks) {
    const View sender = domain_of(header.value("from"));
    for (const auto &[kind, field] :
         {std::pair<View, View>{"rt", "reply-to"}, {"rp", "return-path"}, {"mi", "message-id"}})
        marks.add(domain_marks, kind, compare_domains(sender, header.value(field)));
}

void add_origin(const Header &header, Marks &marks) {
    const std::vector<std::string> receiver = words_of_receiver(header);
    std::size_t steps = 0;
    const auto &fields = header.fields();
    for (auto field = fields.rbegin(); field != fields.rend() && steps < origin_steps; ++field) {
        if (field->name != "received") continue;
        ++steps;
        add_step(field->value, receiver, marks);
    }
}

// "-0500" of a date, with a letter for its sign.
std::string zone_of(View date) {
    date = stripped(date);
    const std::size_t sign = date.find_last_of("+-");
    if (sign == View::npos || sign + 5 > date.size()) return {};
    for (std::size_t i = 1; i < 5; ++i)
        if (!is_digit(date[sign + i])) return {};
    return (date[sign] == '-' ? "m" : "p") + std::string(date.substr(sign + 1, 4));
}

}  // namespace

View domain_of(View field) {
    field = field.substr(0, 1 << 12);
    const std::size_t open = field.rfind('<');
    if (open != View::npos && field.find('@', open) != View::npos) field = field.substr(open + 1);
    const std::size_t at = field.rfind('@');
    if (at == View::npos) return {};
    field = field.substr(at + 1);
    return field.substr(0, field.find_first_of("> \t\r\n(),;\""));
}

bool is_dropped(View name, const std::vector<std::string> &dropped) {
    return std::any_of(dropped.begin(), dropped.end(), [name](const std::string &one) {
        const bool begins =
            one.ends_with('*') && name.starts_with(View(one).substr(0, one.size() - 1));
        return begins || name == one;
    });
}

void add_structure(const Header &header, Marks &marks) {
    if (marks.wants(reply_marks)) {
        const bool refers = header.value("references").size() || header.value("in-reply-to").size();
        marks.add(reply_marks, "refs", refers ? "yes" : "no");
    }
    if (marks.wants(list_bit)) marks.add(list_bit, "list", came_from_list(header) ? "yes" : "no");
    if (marks.wants(domain_marks)) add_domains(header, marks);
    if (marks.wants(origin_marks)) add_origin(header, marks);
}

void add_header_words(const Header &header, const Settings &settings, Charsets &charsets,
                      Marks &marks) {
    if (!marks.wants(header_words)) return;
    std::size_t n = 0;
    for (const Field &field : header.fields()) {
        if (++n > most_header_fields) return;
        const View name = field.name;
        if (name == "subject" || is_dropped(name, settings.never)) continue;
        if (name == "date")
            marks.words(Group::header).mark(make_mark("zone", zone_of(field.value)));
        else if (name == "message-id" || name == "references" || name == "in-reply-to")
            marks.add_words(Group::header, name, decode_words(domain_of(field.value), charsets));
        else if (name == "received")
            marks.add_words(Group::header, name, decode_words(without_date(field.value), charsets));
        else
            marks.add_words(Group::header, name, decode_words(field.value, charsets));
    }
}

}  // namespace hardlimit::mail
