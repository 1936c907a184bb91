// The lines of a message from front to back, and the delimiter lines of the parts that are open.
// Nothing goes back, so that a message costs its bytes times the depth of its parts at most.
#pragma once
#include <cstring>
#include <optional>
#include <vector>

#include "mail/ascii.hpp"

namespace hardlimit::mail {

// A line "--boundary" or "--boundary--": of which open part, counted from the outermost.
struct Delimiter {
    std::size_t part;
    bool closes;
};

class Cursor {
  public:
    explicit Cursor(View bytes) : rest_(bytes) {}

    bool at_end() const { return rest_.empty(); }
    View rest() const { return rest_; }
    void go_to_end() { rest_ = {}; }

    // The next line with its end.
    View line() const {
        const void *end = std::memchr(rest_.data(), '\n', rest_.size());
        const auto *at = static_cast<const char *>(end);
        return at ? rest_.substr(0, static_cast<std::size_t>(at - rest_.data()) + 1) : rest_;
    }
    void skip(View line) { rest_.remove_prefix(line.size()); }

    void open(std::string boundary) { boundaries_.push_back(std::move(boundary)); }
    void close() { boundaries_.pop_back(); }
    std::size_t n_open() const { return boundaries_.size(); }

    // The innermost open part that a line delimits.
    std::optional<Delimiter> delimiter(View line) const {
        if (line.size() < 3 || line[0] != '-' || line[1] != '-') return std::nullopt;
        line.remove_prefix(2);
        while (line.size() && is_blank(line.back())) line.remove_suffix(1);
        for (std::size_t part = boundaries_.size(); part-- > 0;) {
            const View boundary = boundaries_[part];
            if (line == boundary) return Delimiter{part, false};
            if (line.size() == boundary.size() + 2 && line.ends_with("--") &&
                line.starts_with(boundary))
                return Delimiter{part, true};
        }
        return std::nullopt;
    }

    // Takes everything up to the next delimiter line, and that line; `body` is what stood before
    // it, without the line end that belongs to the delimiter.
    std::optional<Delimiter> take_body(View &body) {
        const View all = rest_;
        while (!rest_.empty()) {
            if (boundaries_.empty()) {
                go_to_end();
                break;
            }
            const View now = line();
            const auto found = delimiter(now);
            if (found) {
                body = all.substr(0, all.size() - rest_.size());
                if (body.ends_with('\n')) body.remove_suffix(1);
                if (body.ends_with('\r')) body.remove_suffix(1);
                skip(now);
                return found;
            }
            skip(now);
        }
        body = all;
        return std::nullopt;
    }

  private:
    View rest_;
    std::vector<std::string> boundaries_;
};

}  // namespace hardlimit::mail
