// Terms that the base does not know, numbered by first appearance.
#pragma once
#include <algorithm>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/secret.hpp"

namespace hardlimit::live {

class Terms {
  public:
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    // A longer one is no word that anybody will write again.
    static constexpr std::size_t longest = 255;

    std::size_t size() const { return names_.size(); }
    const std::string &name(std::size_t id) const { return names_[id]; }

    std::uint32_t find(std::string_view term) const {
        const auto found = numbers_.find(term);
        return found == numbers_.end() ? none : found->second;
    }
    std::uint32_t find_or_add(std::string_view term) {
        const std::uint32_t known = find(term);
        if (known != none) return known;
        if (names_.size() >= 0xFFFFFFF0) throw std::length_error("corrections: too many terms");
        const auto id = static_cast<std::uint32_t>(names_.size());
        names_.emplace_back(term);
        numbers_.emplace(names_.back(), id);  // a deque never moves its items
        return id;
    }
    // As if those after the first `n` had never been met.
    void forget_after(std::size_t n) {
        for (; names_.size() > n; names_.pop_back()) numbers_.erase(names_.back());
    }

  private:
    // Under a secret of the process: nobody can choose terms that collide.
    struct Hash {
        std::size_t operator()(std::string_view term) const {
            std::uint64_t hash = term.size();
            for (std::size_t i = 0; i < term.size(); i += 8) {
                std::uint64_t block = 0;
                std::memcpy(&block, term.data() + i, std::min<std::size_t>(8, term.size() - i));
                hash = text::secret().of_number(hash ^ block);
            }
            return hash;
        }
    };
    std::deque<std::string> names_;
    std::unordered_map<std::string_view, std::uint32_t, Hash> numbers_;
};

}  // namespace hardlimit::live
