// Cutting a lowered document into words, runs and character n-grams; each goes to a sink
// `sink(first byte, number of bytes)`.
#pragma once
#include <array>

#include "text/lowered.hpp"

namespace hardlimit::text {

struct Range {
    int least = 0, most = 0;  // n-grams of this many parts; most = 0: none
    bool any() const { return most > 0; }
};

enum Kind : std::uint8_t { other = 0, word = 1, wide = 2 };

inline constexpr auto ascii_kinds = [] {
    std::array<Kind, 256> kinds{};
    for (int c = 0; c < 256; ++c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        kinds[c] = c >= 0x80                                       ? wide
                   : letter || (c >= '0' && c <= '9') || c == '_' ? word
                                                                   : other;
    }
    return kinds;
}();

// The tokens of re.findall(r"(?u)\b\w\w+\b", text.lower()): the longest runs of word characters,
// two characters at least.
template <class Sink>
void cut_words(const Lowered &text, Sink &&sink) {
    const Byte *at = text.begin(), *const end = text.end();
    const auto wide_word = [](const Byte *p) {
        return properties(decode_valid(p).code_point).flags & is_word;
    };
    // The text ends in a blank: the loop over a word needs no look at the end.
    while (at < end) {
        while (at < end && ascii_kinds[*at] == other) ++at;
        if (at >= end) return;
        const Byte *const first = at;
        while (ascii_kinds[*at] == word) ++at;
        std::size_t characters = at - first;
        while (ascii_kinds[*at] == wide && wide_word(at)) {
            at += sequence_length(*at);
            ++characters;
            const Byte *const ascii = at;
            while (ascii_kinds[*at] == word) ++at;
            characters += at - ascii;
        }
        if (characters >= 2) sink(first, static_cast<std::size_t>(at - first));
        if (at == first) at += sequence_length(*at);  // a wide character that is no word's
    }
}

// All windows of `n` characters of [first, end) for n in the range, the shorter ones first. A text
// shorter than n characters is one window, once (scikit-learn's "char_wb" counts so).
template <class Sink>
void cut_windows(const Byte *first, const Byte *end, Range range, bool ascii, Sink &&sink) {
    const std::size_t size = end - first;
    for (int n = range.least; n <= range.most; ++n) {
        if (ascii) {
            const std::size_t width = n;
            if (size <= width) return sink(first, size);
            for (const Byte *at = first; at + width <= end; ++at) sink(at, width);
            continue;
        }
        const Byte *right = first;
        int characters = 0;
        for (; characters < n && right < end; ++characters) right += sequence_length(*right);
        if (right == end) return sink(first, size);
        for (const Byte *left = first;; right += sequence_length(*right)) {
            sink(left, static_cast<std::size_t>(right - left));
            if (right == end) break;
            left += sequence_length(*left);
        }
    }
}

// scikit-learn's analyzer "char_wb": windows of each word with a blank on either side, where words
// are what white space separates.
template <class Sink>
void cut_characters(const Lowered &text, Range range, Sink &&sink) {
    const Byte *at = text.begin(), *const end = text.end();
    while (true) {
        while (at < end && *at == ' ') ++at;
        if (at >= end) return;
        const Byte *const first = at;
        Byte seen = 0;
        for (; *at != ' '; ++at) seen |= *at;
        cut_windows(first - 1, at + 1, range, seen < 0x80, sink);
    }
}

// Windows of one to three characters of each run of letters and marks of scripts written without
// spaces; a run shorter than n gives none of length n.
template <class Sink>
void cut_runs(const Lowered &text, Sink &&sink) {
    const Byte *at = text.begin(), *const end = text.end();
    const auto unspaced = [end](const Byte *p) {
        return p < end && *p >= 0x80 && properties(decode_valid(p).code_point).flags & is_unspaced;
    };
    while (at < end) {
        const Byte *const first = at;
        int characters = 0;
        for (; unspaced(at); at += sequence_length(*at)) ++characters;
        if (characters)
            cut_windows(first, at, {1, characters < 3 ? characters : 3}, false, sink);
        else
            at += sequence_length(*at);
    }
}

}  // namespace hardlimit::text
