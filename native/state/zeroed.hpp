// A growing array of doubles that starts at zero and takes no memory before it is touched.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "portability.hpp"

namespace hardlimit {

class Zeroed {
  public:
    Zeroed() = default;
    explicit Zeroed(std::size_t size) { resize(size); }
    Zeroed(const Zeroed &) = delete;
    Zeroed &operator=(const Zeroed &) = delete;
    Zeroed(Zeroed &&other) noexcept { swap(other); }
    Zeroed &operator=(Zeroed &&other) noexcept {
        swap(other);
        return *this;
    }
    ~Zeroed() { std::free(data_); }

    void swap(Zeroed &other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

    // New elements are zero. Capacity doubles, so that growing by single columns stays cheap.
    void resize(std::size_t size) {
        if (size > capacity_) reserve(data_ ? (size > 2 * capacity_ ? size : 2 * capacity_) : size);
        if (size < size_) std::memset(data_ + size, 0, (size_ - size) * sizeof(double));
        size_ = size;
    }

    double *data() { return data_; }
    const double *data() const { return data_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    double &operator[](std::size_t i) { return data_[i]; }
    double operator[](std::size_t i) const { return data_[i]; }

  private:
    void reserve(std::size_t capacity) {
        auto *data = static_cast<double *>(std::calloc(capacity, sizeof(double)));
        if (!data) throw std::bad_alloc();
        advise_large_pages(data, capacity * sizeof(double));
        if (size_) std::memcpy(data, data_, size_ * sizeof(double));
        std::free(data_);
        data_ = data;
        capacity_ = capacity;
    }

    double *data_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace hardlimit
