// The bytes of one tensor of a model file, looked at lazily: each block of 1 MiB is compared with
// its digest when it is first touched, so that predicting one message reads a few blocks only.
//
// Any number of threads may read at once: a block may be digested twice, never trusted unseen.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model_file/digest.hpp"
#include "portability.hpp"

namespace hardlimit {

// A model whose contents contradict themselves; Python sees hardlimit.exceptions.ModelFileError.
class DamagedModel : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class CheckedBytes {
  public:
    // `name` starts every message ("spam.hardlimit: tensor 'answer.weights'"); `owner` keeps the
    // bytes alive. `digests` holds one number a block, checked on touch; without
    // digests (a model made in this process) every block is trusted.
    CheckedBytes(std::string name, const unsigned char *bytes, std::size_t size,
                 std::shared_ptr<const void> owner = {})
        : name_(std::move(name)), bytes_(bytes), size_(size), owner_(std::move(owner)) {}

    CheckedBytes(std::string name, const unsigned char *bytes, std::size_t size,
                 std::shared_ptr<const void> owner, std::vector<std::uint64_t> digests)
        : CheckedBytes(std::move(name), bytes, size, std::move(owner)) {
        if (digests.size() != n_blocks())
            throw DamagedModel(name_ + " has " + std::to_string(n_blocks()) + " blocks but " +
                               std::to_string(digests.size()) + " digests");
        digests_ = std::move(digests);
        seen_ = std::make_unique<std::atomic<bool>[]>(n_blocks());
    }

    const std::string &name() const { return name_; }
    std::size_t size() const { return size_; }
    std::size_t n_blocks() const { return (size_ + digest_block_size - 1) / digest_block_size; }

    // The bytes [first, first + count), verified; the pointer lives as long as this object.
    HARDLIMIT_INLINE const unsigned char *range(std::size_t first, std::size_t count) const {
        if (first > size_ || count > size_ - first) throw_outside(first, count);
        if (seen_ && count) {
            const std::size_t last_block = (first + count - 1) / digest_block_size;
            for (std::size_t block = first / digest_block_size; block <= last_block; ++block)
                if (!seen_[block].load(std::memory_order_acquire)) check_block(block);
        }
        return bytes_ + first;
    }

    void verify() const { range(0, size_); }

    std::size_t n_blocks_seen() const {
        std::size_t count = 0;
        for (std::size_t block = 0; seen_ && block < n_blocks(); ++block) count += seen_[block];
        return count;
    }

  private:
    // Out of line (checked.cpp), so that the fast path stays small.
    void check_block(std::size_t block) const;
    [[noreturn]] void throw_outside(std::size_t first, std::size_t count) const;

    std::string name_;
    const unsigned char *bytes_;
    std::size_t size_;
    std::shared_ptr<const void> owner_;
    std::vector<std::uint64_t> digests_;
    std::unique_ptr<std::atomic<bool>[]> seen_;
};

// The same bytes as numbers. Cheap to copy; keeps the bytes alive.
template <class T>
class CheckedArray {
    static_assert(digest_block_size % sizeof(T) == 0, "an item must not cross two blocks");

  public:
    CheckedArray() : CheckedArray(std::make_shared<const CheckedBytes>("none", nullptr, 0)) {}

    explicit CheckedArray(std::shared_ptr<const CheckedBytes> bytes)
        : bytes_(std::move(bytes)), size_(bytes_->size() / sizeof(T)) {
        if (bytes_->size() % sizeof(T))
            throw DamagedModel(bytes_->name() + " has " + std::to_string(bytes_->size()) +
                               " bytes, not a multiple of " + std::to_string(sizeof(T)));
    }

    std::size_t size() const { return size_; }

    // One item, bounds-checked and verified. The copy allows tensors that are not aligned.
    T operator[](std::size_t i) const {
        // An index beyond the items maps beyond the bytes, without overflow, and is refused there.
        const std::size_t first = i < size_ ? i * sizeof(T) : bytes_->size();
        T item;
        std::memcpy(&item, bytes_->range(first, sizeof(T)), sizeof(T));
        return item;
    }

    // Copies the items [first, first + count) to `out`: one check for a whole row of weights.
    void copy(std::size_t first, std::size_t count, T *out) const {
        const bool inside = first <= size_ && count <= size_ - first;
        const std::size_t n_bytes = inside ? count * sizeof(T) : bytes_->size() + 1;
        const unsigned char *bytes = bytes_->range(inside ? first * sizeof(T) : 0, n_bytes);
        if (count) std::memcpy(out, bytes, n_bytes);
    }

    // The items [first, first + count) in place, verified, for loops that need a pointer.
    const T *items(std::size_t first, std::size_t count) const {
        const bool inside = first <= size_ && count <= size_ - first;
        const unsigned char *bytes = bytes_->range(inside ? first * sizeof(T) : 0,
                                                   inside ? count * sizeof(T) : bytes_->size() + 1);
        if (reinterpret_cast<std::uintptr_t>(bytes) % alignof(T))
            throw DamagedModel(bytes_->name() + " is not aligned");
        return reinterpret_cast<const T *>(bytes);
    }

  private:
    std::shared_ptr<const CheckedBytes> bytes_;
    std::size_t size_;
};

}  // namespace hardlimit
