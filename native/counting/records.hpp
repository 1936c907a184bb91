// A term and what was counted of it, as bytes in a file of its own process.
//
// Records are in the order of their keys: hash, kind, bytes of the term. Equal hashes are rare, or
// were chosen by somebody; then the bytes decide, so that every term is met once in a merge.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

namespace hardlimit::counting {

// The table of a vocabulary that a term is in: words, runs, chars, and pairs, triples, ... of
// words.
inline constexpr std::uint8_t words = 0, runs = 1, chars = 2, first_grams = 3;

inline constexpr std::uint64_t no_column = ~std::uint64_t(0);

struct Record {
    std::uint64_t hash = 0;
    std::uint8_t kind = 0;
    std::string_view term;          // words with one blank between two
    std::uint64_t documents = 0;    // that have it
    std::uint64_t occurrences = 0;  // in all of them
    // Where it came first: among the terms of its table, and among all columns.
    std::uint64_t place = 0, column = no_column;

    auto key() const { return std::tuple(hash, kind, term); }

    void add(const Record &other) {
        documents += other.documents;
        occurrences += other.occurrences;
        place = std::min(place, other.place);
        column = std::min(column, other.column);
    }
};

inline void write_number(std::uint64_t number, std::string &to) {
    for (; number >= 128; number >>= 7) to.push_back(static_cast<char>(number | 128));
    to.push_back(static_cast<char>(number));
}

inline void write_record(const Record &record, std::string &to) {
    char hash[8];
    std::memcpy(hash, &record.hash, 8);
    to.append(hash, 8);
    to.push_back(static_cast<char>(record.kind));
    write_number(record.term.size(), to);
    to.append(record.term);
    write_number(record.documents, to);
    write_number(record.occurrences, to);
    write_number(record.place, to);
    write_number(record.column + 1, to);
}

// Reads records from bytes, of which the last may be cut off.
class RecordReader {
  public:
    explicit RecordReader(std::string_view bytes) : rest_(bytes) {}

    // False, and nothing read, where no whole record is left.
    bool next(Record &record) {
        const std::string_view before = rest_;
        std::uint64_t size = 0;
        const bool whole = read_key(record, size) && read_term(record, size) &&
                           read_number(record.documents) && read_number(record.occurrences) &&
                           read_number(record.place) && read_number(record.column);
        if (whole)
            --record.column;
        else
            rest_ = before;
        return whole;
    }
    std::size_t left() const { return rest_.size(); }

  private:
    bool read_key(Record &record, std::uint64_t &size) {
        if (rest_.size() < 9) return false;
        std::memcpy(&record.hash, rest_.data(), 8);
        record.kind = static_cast<std::uint8_t>(rest_[8]);
        rest_.remove_prefix(9);
        return read_number(size);
    }
    bool read_term(Record &record, std::uint64_t size) {
        if (rest_.size() < size) return false;
        record.term = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return true;
    }
    bool read_number(std::uint64_t &number) {
        number = 0;
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            if (i == 10) throw std::runtime_error("a file of terms is damaged");
            number |= std::uint64_t(rest_[i] & 127) << (7 * i);
            if (rest_[i] & 128) continue;
            rest_.remove_prefix(i + 1);
            return true;
        }
        return false;
    }

    std::string_view rest_;
};

}  // namespace hardlimit::counting
