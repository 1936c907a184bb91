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

    // Whether a term with these bytes behind its kind may be there: most words of a text are not,
    // and this costs less than the search. Eight bytes must be readable from every byte.
    bool may_have(const unsigned char *at, std::size_t size) const {
        return has_bit(text::hash_string(text::P2, at, size));
    }

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
        if (names_.size() * 16 > 64 * bits_.size())
            widen();
        else
            set_bit(names_.back());
        return id;
    }
    // As if those after the first `n` had never been met.
    void forget_after(std::size_t n) {
        for (; names_.size() > n; names_.pop_back()) numbers_.erase(names_.back());
    }

  private:
    bool has_bit(std::uint64_t hash) const {
        return bits_[(hash >> 6) & (bits_.size() - 1)] >> (hash & 63) & 1;
    }
    void set_bit(const std::string &name) {
        unsigned char padded[longest + 9] = {};
        if (name.size() < 2) return;  // a kind and nothing else: only a forged snapshot has it
        const std::size_t size = std::min(longest, name.size() - 1);
        std::memcpy(padded, name.data() + 1, size);
        const std::uint64_t hash = text::hash_string(text::P2, padded, size);
        bits_[(hash >> 6) & (bits_.size() - 1)] |= std::uint64_t(1) << (hash & 63);
    }
    void widen() {
        bits_.assign(2 * bits_.size(), 0);
        for (const std::string &name : names_) set_bit(name);
    }

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
    std::vector<std::uint64_t> bits_ = std::vector<std::uint64_t>(64);
    std::deque<std::string> names_;
    std::unordered_map<std::string_view, std::uint32_t, Hash> numbers_;
};

}  // namespace hardlimit::live
