// What stands between the fields of a line.
#pragma once

namespace hardlimit {

inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

inline const char *skip_blanks(const char *at, const char *end) {
    while (at != end && is_blank(*at)) ++at;
    return at;
}

}  // namespace hardlimit
