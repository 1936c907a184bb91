// Named arrays on their way to or from a model file.
#pragma once
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "model_file/checked_bytes.hpp"

namespace hardlimit::text {

// One array going out; its memory is freed with std::free by whoever takes it.
struct Tensor {
    std::string name;
    const char *kind;  // numpy's name of the items: u1, u2, i4, u4, u8, f8
    void *memory;
    std::size_t size;  // in bytes
};

template <class T>
constexpr const char *kind_of();
template <>
constexpr const char *kind_of<unsigned char>() {
    return "u1";
}
template <>
constexpr const char *kind_of<std::uint16_t>() {
    return "u2";
}
template <>
constexpr const char *kind_of<std::int32_t>() {
    return "i4";
}
template <>
constexpr const char *kind_of<std::uint32_t>() {
    return "u4";
}
template <>
constexpr const char *kind_of<std::uint64_t>() {
    return "u8";
}
template <>
constexpr const char *kind_of<double>() {
    return "f8";
}

class Tensors {
  public:
    Tensors() = default;
    Tensors(Tensors &&) = default;
    Tensors(const Tensors &) = delete;
    ~Tensors() {
        for (Tensor &tensor : all) std::free(tensor.memory);
    }

    // `count` zeroed items under a name; the pointer stays valid.
    template <class T>
    T *add(std::string name, std::size_t count) {
        void *memory = std::calloc(count + 1, sizeof(T));
        if (!memory) throw std::bad_alloc();
        all.push_back({std::move(name), kind_of<T>(), memory, count * sizeof(T)});
        return static_cast<T *>(memory);
    }
    template <class T>
    void add_copy(std::string name, const T *items, std::size_t count) {
        T *to = add<T>(std::move(name), count);
        if (count) std::memcpy(to, items, count * sizeof(T));
    }

    std::vector<Tensor> all;
};

// Arrays coming in, by name.
class Incoming {
  public:
    void add(std::string name, std::shared_ptr<const CheckedBytes> bytes) {
        names_.push_back(std::move(name));
        bytes_.push_back(std::move(bytes));
    }
    bool has(const std::string &name) const { return place(name) < names_.size(); }

    template <class T>
    CheckedArray<T> array(const std::string &name) const {
        return CheckedArray<T>(bytes(name));
    }
    std::shared_ptr<const CheckedBytes> bytes(const std::string &name) const {
        const std::size_t i = place(name);
        if (i == names_.size()) throw DamagedModel("model file: tensor '" + name + "' is missing");
        return bytes_[i];
    }

  private:
    std::size_t place(const std::string &name) const {
        std::size_t i = 0;
        while (i < names_.size() && names_[i] != name) ++i;
        return i;
    }
    std::vector<std::string> names_;
    std::vector<std::shared_ptr<const CheckedBytes>> bytes_;
};

}  // namespace hardlimit::text
