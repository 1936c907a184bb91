#include "counting/merge.hpp"

namespace hardlimit::counting {

std::ptrdiff_t Merge::hungry() const {
    for (std::size_t i = 0; i < sources_.size(); ++i)
        if (!sources_[i].waits && !sources_[i].ended) return static_cast<std::ptrdiff_t>(i);
    return -1;
}

void Merge::feed(std::size_t number, std::string_view bytes) {
    Source &source = sources_.at(number);
    if (source.waits || source.ended) throw std::logic_error("nobody asked for these bytes");
    source.bytes.erase(0, source.read);
    source.read = 0;
    source.bytes.append(bytes);
    advance(number);
    source.ended = !source.waits && bytes.empty();
    if (source.ended && !source.bytes.empty())
        throw std::runtime_error("a file of terms is cut off");
    n_hungry_ -= source.waits || source.ended;
}

// The next record of a source waits in the queue, where there is a whole one.
void Merge::advance(std::size_t number) {
    Source &source = sources_[number];
    const std::string_view rest = std::string_view(source.bytes).substr(source.read);
    RecordReader reader(rest);
    source.waits = reader.next(source.record);
    source.read += rest.size() - reader.left();
    if (source.waits) waiting_.push(number);
}

void Merge::flush(std::string &to) {
    if (is_adding_) write_record(sum_, to);
    is_adding_ = false;
}

void Merge::write(std::size_t n_bytes, std::string &to) {
    while (to.size() < n_bytes && !n_hungry_ && !waiting_.empty()) {
        const std::size_t number = waiting_.top();
        waiting_.pop();
        const Record &record = sources_[number].record;
        if (is_adding_ && sum_.key() == record.key()) {
            sum_.add(record);
        } else {
            flush(to);
            term_ = record.term;
            sum_ = record;
            sum_.term = term_;
            is_adding_ = true;
        }
        advance(number);
        n_hungry_ += !sources_[number].waits;
    }
    if (waiting_.empty() && !n_hungry_) flush(to);
}

}  // namespace hardlimit::counting
