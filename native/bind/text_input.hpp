// Python's texts as bytes, without a copy where possible.
#pragma once
#include <nanobind/nanobind.h>

#include <cstddef>
#include <vector>

#include "text/lowered.hpp"

namespace hardlimit {

// Bytes of a batch, for each thread, and how many batches at once, whatever the threads.
constexpr std::size_t batch_bytes = std::size_t(1) << 22, most_batches = 16;

// The texts of one batch, held as long as this object lives. ASCII str and bytes are read in
// place; any other str through a temporary, so that no UTF-8 stays cached in the user's objects.
class TextBatch {
  public:
    // Takes items from `next` on until about `size_limit` bytes are gathered; moves `next`.
    // `first` is the position of item 0 for error messages.
    TextBatch(nanobind::handle sequence, Py_ssize_t &next, Py_ssize_t first,
              std::size_t size_limit);
    const std::vector<text::Source> &sources() const { return sources_; }

  private:
    void add(nanobind::handle item, Py_ssize_t position);

    std::vector<text::Source> sources_;
    std::vector<nanobind::object> held_;
    std::size_t size_ = 0;
};

// Looks for signals from within a loop that runs without the interpreter lock.
void look_for_signals();

}  // namespace hardlimit
