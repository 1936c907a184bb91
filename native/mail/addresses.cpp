#include "mail/addresses.hpp"

namespace hardlimit::mail {
namespace {

// What an address goes on with. A text in a script without spaces may follow it at once.
bool is_part(char c) {
    return c > ' ' && c < 0x7F && c != '<' && c != '>' && c != '"' && c != '(' && c != ')' &&
           c != '[' && c != ']' && c != '{' && c != '}' && c != ',' && c != ';';
}

// Whether something stands here that an address has, and how far back the address may begin.
enum class Sign { none, mail, web, host };

Sign sign_at(View text, std::size_t at) {
    const char c = text[at];
    if (c == '@') return Sign::mail;
    if (c == ':') return text.substr(at, 3) == "://" ? Sign::web : Sign::none;
    if (c != 'w' && c != 'W') return Sign::none;
    const bool begins = at == 0 || !(is_letter(text[at - 1]) || is_digit(text[at - 1]));
    return begins && begins_with(text.substr(at), "www.") ? Sign::host : Sign::none;
}

}  // namespace

void put_text(View text, const Marks &marks, Words &words) {
    if (marks.wants(address_words)) return words.put(text);
    std::size_t done = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        at = text.find_first_of("@:wW", at);
        if (at == View::npos) break;
        const Sign sign = sign_at(text, at);
        if (sign == Sign::none) continue;
        std::size_t first = at, end = at + 1;
        while (first > done && sign != Sign::host &&
               (sign == Sign::mail ? is_part(text[first - 1]) : is_letter(text[first - 1])))
            --first;
        if (sign != Sign::host && first == at) continue;
        while (end < text.size() && is_part(text[end])) ++end;
        if (sign != Sign::host && end == at + 1) continue;  // "@ home"
        words.put(text.substr(done, first - done));
        words.blank();
        done = end;
        at = end - 1;
    }
    words.put(text.substr(done));
}

}  // namespace hardlimit::mail
