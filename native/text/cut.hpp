// Cutting a lowered document into words, runs and character n-grams; each goes to a sink
// `sink(first byte, number of bytes)`.
#pragma once
#include <array>
#include <bit>
#include <vector>

#include "text/lowered.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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
        kinds[c] = c >= 0x80 ? wide : letter || (c >= '0' && c <= '9') || c == '_' ? word : other;
    }
    return kinds;
}();

// Bit i tells whether lowered ASCII byte i is a word's, of the next 64.
inline std::uint64_t word_bits(const Byte *at) {
    std::uint64_t bits = 0;
#if defined(__SSE2__)
    const auto within = [](__m128i bytes, char first, char count) {
        const __m128i from = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
        return _mm_cmpeq_epi8(_mm_min_epu8(from, _mm_set1_epi8(char(count - 1))), from);
    };
    for (int part = 0; part < 4; ++part) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at) + part);
        const __m128i found =
            _mm_or_si128(_mm_or_si128(within(bytes, 'a', 26), within(bytes, '0', 10)),
                         _mm_cmpeq_epi8(bytes, _mm_set1_epi8('_')));
        bits |= std::uint64_t(static_cast<std::uint32_t>(_mm_movemask_epi8(found))) << (16 * part);
    }
#else
    for (int i = 0; i < 64; ++i) bits |= std::uint64_t(ascii_kinds[at[i]] == word) << i;
#endif
    return bits;
}

// Words of ASCII text: the edges of its bits alternate between first bytes and ends, which costs
// one surprise of the branch predictor per 64 bytes, not two per word.
template <class Sink>
void cut_ascii_words(const Lowered &text, Sink &&sink) {
    const Byte *first = nullptr;
    const auto close = [&](const Byte *end) {
        if (end - first > 1) sink(first, static_cast<std::size_t>(end - first));
    };
    std::uint64_t inside = 0;
    for (const Byte *block = text.begin(); block < text.end(); block += 64) {
        const std::uint64_t bits = word_bits(block);
        std::uint64_t edges = bits ^ (bits << 1 | inside);
        if (inside && edges) {
            close(block + std::countr_zero(edges));
            edges &= edges - 1;
        }
        while (edges) {
            first = block + std::countr_zero(edges);
            edges &= edges - 1;
            if (!edges) break;
            close(block + std::countr_zero(edges));
            edges &= edges - 1;
        }
        inside = bits >> 63;
    }
    if (inside) close(text.end());
}

// The tokens of re.findall(r"(?u)\b\w\w+\b", text.lower()): the longest runs of word characters,
// two characters at least.
template <class Sink>
void cut_words(const Lowered &text, Sink &&sink) {
    if (text.ascii()) return cut_ascii_words(text, sink);
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
void cut_windows(const Byte *first, const Byte *end, Range range, Sink &&sink) {
    for (int n = range.least; n <= range.most; ++n) {
        const Byte *right = first;
        int characters = 0;
        for (; characters < n && right < end; ++characters) right += sequence_length(*right);
        if (right == end) return sink(first, static_cast<std::size_t>(end - first));
        for (const Byte *left = first;; right += sequence_length(*right)) {
            sink(left, static_cast<std::size_t>(right - left));
            if (right == end) break;
            left += sequence_length(*left);
        }
    }
}

// The same of ASCII, where the windows of one length follow byte by byte: `windows(first byte of
// the first, number of windows, bytes of each)`.
template <class Windows>
void cut_ascii_windows(const Byte *first, const Byte *end, Range range, Windows &&windows) {
    const std::size_t size = end - first;
    for (int n = range.least; n <= range.most; ++n) {
        const std::size_t width = n;
        if (size <= width) return windows(first, std::size_t(1), size);
        windows(first, size - width + 1, width);
    }
}

// scikit-learn's analyzer "char_wb": windows of each word with a blank on either side, where words
// are what white space separates.
template <class Sink, class Windows>
void cut_characters(const Lowered &text, Range range, Sink &&sink, Windows &&windows) {
    const Byte *at = text.begin(), *const end = text.end();
    while (true) {
        while (at < end && *at == ' ') ++at;
        if (at >= end) return;
        const Byte *const first = at;
        Byte seen = 0;
        for (; *at != ' '; ++at) seen |= *at;
        if (seen < 0x80)
            cut_ascii_windows(first - 1, at + 1, range, windows);
        else
            cut_windows(first - 1, at + 1, range, sink);
    }
}

// scikit-learn's analyzer "char": windows of the whole text, in which a run of blanks is one; a
// text shorter than n characters gives none of length n. `folded` holds what the sink is shown.
template <class Sink>
void cut_across(const Lowered &text, Range range, std::vector<Byte> &folded, Sink &&sink) {
    folded.clear();
    for (const Byte *at = text.begin(); at < text.end(); ++at)
        if (*at != ' ' || folded.empty() || folded.back() != ' ') folded.push_back(*at);
    const std::size_t size = folded.size();
    folded.resize(size + 8);  // eight bytes can be loaded from every byte
    const Byte *const first = folded.data(), *const end = first + size;
    for (int n = range.least; n <= range.most; ++n) {
        const Byte *right = first;
        int characters = 0;
        for (; characters < n && right < end; ++characters) right += sequence_length(*right);
        if (characters < n) return;
        for (const Byte *left = first;; right += sequence_length(*right)) {
            sink(left, static_cast<std::size_t>(right - left));
            if (right == end) break;
            left += sequence_length(*left);
        }
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
        while (unspaced(at)) at += sequence_length(*at);
        if (at > first)
            cut_windows(first, at, {1, 3}, sink);
        else
            at += sequence_length(*at);
    }
}

}  // namespace hardlimit::text
