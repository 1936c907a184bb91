// Cutting a lowered document into words, runs and character n-grams; each goes to a sink
// `sink(first byte, number of bytes)`.
#pragma once
#include <bit>
#include <vector>

#include "portability.hpp"
#include "text/lowered.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace hardlimit::text {

struct Range {
    int least = 0, most = 0;  // n-grams of this many parts; most = 0: none
    bool any() const { return most > 0; }
};

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
    for (int i = 0; i < 64; ++i) {
        const bool letter = at[i] >= 'a' && at[i] <= 'z', digit = at[i] >= '0' && at[i] <= '9';
        bits |= std::uint64_t(letter || digit || at[i] == '_') << i;
    }
#endif
    return bits;
}

// Bit i tells whether byte i is not ASCII, of the next 64.
inline std::uint64_t wide_bits(const Byte *at) {
    std::uint64_t bits = 0;
#if defined(__SSE2__)
    for (int part = 0; part < 4; ++part) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at) + part);
        bits |= std::uint64_t(static_cast<std::uint32_t>(_mm_movemask_epi8(bytes))) << (16 * part);
    }
#else
    for (int i = 0; i < 64; ++i) bits |= std::uint64_t(at[i] >> 7) << i;
#endif
    return bits;
}

// The bits of words in block after block, those of wide characters too, which may lie in two.
class WideWords {
  public:
    std::uint64_t bits(const Byte *block, const Byte *end) {
        std::uint64_t words = word_bits(block), wide = wide_bits(block);
        const std::uint64_t begun = (std::uint64_t(1) << left_) - 1;
        if (is_word_) words |= begun;
        wide &= ~begun;
        left_ = 0;
        while (wide) {
            const int first = std::countr_zero(wide);
            if (block + first >= end) break;
            const std::size_t length = sequence_length(block[first]);
            const std::uint64_t all = ((std::uint64_t(1) << length) - 1) << first;
            is_word_ = properties(decode_valid(block + first).code_point).flags & is_word;
            if (is_word_) words |= all;
            wide &= ~all;
            if (first + length > 64) left_ = first + length - 64;
        }
        return words;
    }

  private:
    std::size_t left_ = 0;  // bytes in the next block of the last character of this one
    bool is_word_ = false;  // that one
};

// The edges of the bits of a text's words alternate between first bytes and ends, which costs one
// surprise of the branch predictor per 64 bytes, not two per word. `bits_of(block)` gives the bits
// of the next 64 bytes.
template <class Bits, class Sink>
HARDLIMIT_INLINE void cut_by_bits(const Lowered &text, Bits &&bits_of, Sink &&sink) {
    const Byte *first = nullptr;
    // One character is no word, however many bytes it has.
    const auto close = [&](const Byte *end) HARDLIMIT_INLINE_LAMBDA {
        const auto size = static_cast<std::size_t>(end - first);
        if (size > 1 && (*first < 0x80 || size > sequence_length(*first))) sink(first, size);
    };
    std::uint64_t inside = 0;
    for (const Byte *block = text.begin(); block < text.end(); block += 64) {
        const std::uint64_t bits = bits_of(block);
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
    if (text.ascii()) return cut_by_bits(text, [](const Byte *at) { return word_bits(at); }, sink);
    WideWords words;
    cut_by_bits(text, [&](const Byte *at) { return words.bits(at, text.end()); }, sink);
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
