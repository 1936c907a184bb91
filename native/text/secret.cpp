#include "text/secret.hpp"

#include <chrono>
#include <random>

namespace hardlimit::text {
namespace {

Sip draw() {
    try {
        std::random_device device;
        const auto number = [&] { return std::uint64_t(device()) << 32 | device(); };
        const std::uint64_t first = number();
        return {first, number()};
    } catch (const std::exception &) {
        // A system without random numbers: the time and the address of a variable have to do.
        const auto now = std::chrono::high_resolution_clock::now().time_since_epoch().count();
        return {fold(static_cast<std::uint64_t>(now), P1),
                fold(reinterpret_cast<std::uintptr_t>(&now), P3)};
    }
}

}  // namespace

const Sip &secret() {
    static const Sip drawn = draw();
    return drawn;
}

std::uint64_t secret_place(std::uint64_t key) { return secret().of_number(key); }

}  // namespace hardlimit::text
