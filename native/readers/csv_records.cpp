#include "readers/csv_records.hpp"

#include <cstring>

namespace hardlimit {

bool CsvRecords::leave_field(char c) {
    if (c == delimiter_ || c == '\n')
        state_ = State::first;
    else if (c == '\r')
        state_ = State::line_end;
    else
        return false;
    return true;
}

bool CsvRecords::read(std::string_view bytes) {
    const char *const begin = bytes.data(), *const end = begin + bytes.size();
    for (const char *at = begin; at < end;) {
        const char c = *at;
        switch (state_) {
            case State::first:
                state_ = c == '"' ? State::quoted : State::field;
                at += c == '"';
                continue;
            case State::field:
                if (!leave_field(c)) {
                    ++at;
                    continue;
                }
                break;
            case State::quoted: {
                const auto *quote = static_cast<const char *>(
                    std::memchr(at, '"', static_cast<std::size_t>(end - at)));
                if (quote) state_ = State::quote;
                at = quote ? quote + 1 : end;
                continue;
            }
            case State::quote:
                if (c == '"') {
                    state_ = State::quoted;
                    ++at;
                    continue;
                }
                if (!leave_field(c)) return false;
                break;
            case State::line_end:
                if (c != '\n' && c != '\r') return false;
                if (c == '\n') state_ = State::first;
                break;
        }
        ++at;
        if (c == '\n') end_record(at_ + (at - begin));
    }
    at_ += static_cast<std::int64_t>(bytes.size());
    return true;
}

}  // namespace hardlimit
