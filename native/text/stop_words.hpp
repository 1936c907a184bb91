// Words that a model leaves out.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/cut.hpp"

namespace hardlimit::text {

class StopWords {
  public:
    explicit StopWords(std::vector<std::string> words) : words_(std::move(words)) {
        std::sort(words_.begin(), words_.end());
    }
    // By bisection: words of a model file may be chosen to share the hash of a table.
    bool has(const Byte *at, std::size_t size) const {
        const std::string_view word(reinterpret_cast<const char *>(at), size);
        return std::binary_search(words_.begin(), words_.end(), word);
    }

  private:
    std::vector<std::string> words_;
};

inline std::shared_ptr<const StopWords> make_stop_words(std::vector<std::string> words) {
    return words.empty() ? nullptr : std::make_shared<const StopWords>(std::move(words));
}

// The words of a text but these; n-grams then join the words on either side.
template <class Sink>
void cut_kept_words(const Lowered &text, const StopWords *stop_words, Sink &&sink) {
    if (!stop_words) return cut_words(text, sink);
    cut_words(text, [&](const Byte *at, std::size_t size) {
        if (!stop_words->has(at, size)) sink(at, size);
    });
}

}  // namespace hardlimit::text
