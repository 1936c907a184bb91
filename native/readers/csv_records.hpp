// Where the records of a CSV file end: line ends outside of quotes.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace hardlimit {

// Knows files that are written as they should be: quotes at the begin and the end of a field, or
// two in a quoted one; line ends \n or \r\n. Python's csv module is who decides of others.
class CsvRecords {
  public:
    // begin : of the first record, in the file.    targets : ascending places in the file.
    CsvRecords(char delimiter, std::int64_t begin, std::vector<std::int64_t> targets)
        : delimiter_(delimiter), at_(begin), targets_(std::move(targets)) {}

    // False where the bytes that come next are not written so; nothing is known then.
    bool read(std::string_view bytes);
    // Whether the file may end here.
    bool may_end() const { return state_ != State::quoted; }
    // For each target so far the end of the first record that ends there or behind it.
    const std::vector<std::int64_t> &ends() const { return ends_; }

  private:
    enum class State { first, field, quoted, quote, line_end };

    void end_record(std::int64_t place) {
        while (ends_.size() < targets_.size() && place >= targets_[ends_.size()])
            ends_.push_back(place);
    }
    // After a character behind a field; false where none may stand there.
    bool leave_field(char c);

    char delimiter_;
    std::int64_t at_;
    std::vector<std::int64_t> targets_, ends_;
    State state_ = State::first;
};

}  // namespace hardlimit
