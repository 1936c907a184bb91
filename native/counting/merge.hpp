// Several sorted files of records to one: records of the same term are added up.
#pragma once
#include <queue>
#include <string>
#include <vector>

#include "counting/records.hpp"

namespace hardlimit::counting {

class Merge {
  public:
    explicit Merge(std::size_t n_sources) : sources_(n_sources), n_hungry_(n_sources) {}
    Merge(const Merge &) = delete;

    // A source that has no whole record and may have more bytes; -1 where there is none.
    std::ptrdiff_t hungry() const;
    // More bytes of a source; none mean that it has ended.
    void feed(std::size_t source, std::string_view bytes);
    // Appends merged records until there are so many bytes or a source is hungry.
    void write(std::size_t n_bytes, std::string &to);
    bool done() const { return !n_hungry_ && waiting_.empty() && !is_adding_; }

  private:
    struct Source {
        std::string bytes;
        std::size_t read = 0;
        Record record;
        bool ended = false, waits = false;
    };
    struct Later {
        const std::vector<Source> *sources;
        bool operator()(std::size_t a, std::size_t b) const {
            return (*sources)[a].record.key() > (*sources)[b].record.key();
        }
    };

    void advance(std::size_t source);
    void flush(std::string &to);

    std::vector<Source> sources_;
    std::priority_queue<std::size_t, std::vector<std::size_t>, Later> waiting_{Later{&sources_}};
    std::size_t n_hungry_;
    // What records of one term add up to.
    bool is_adding_ = false;
    Record sum_;
    std::string term_;
};

}  // namespace hardlimit::counting
