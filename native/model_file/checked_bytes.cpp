#include "model_file/checked_bytes.hpp"

namespace hardlimit {

void CheckedBytes::check_block(std::size_t block) const {
    const std::size_t first = block * digest_block_size;
    const std::size_t count = size_ - first < digest_block_size ? size_ - first : digest_block_size;
    if (digest(bytes_ + first, count) != digests_[block])
        throw DamagedModel(name_ + " is damaged in block " + std::to_string(block) + " of " +
                           std::to_string(n_blocks()) + " (bytes " + std::to_string(first) +
                           " to " + std::to_string(first + count - 1) +
                           " of the tensor): restore the file or train again");
    seen_[block].store(true, std::memory_order_release);
}

void CheckedBytes::throw_outside(std::size_t first, std::size_t count) const {
    throw DamagedModel(name_ + " has " + std::to_string(size_) + " bytes, but " +
                       std::to_string(count) + " from byte " + std::to_string(first) +
                       " were asked for: its parts contradict each other");
}

}  // namespace hardlimit
