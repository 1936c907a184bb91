// What a long document stops for: whoever waits for it may want to end it.
#pragma once
#include <cstddef>
#include <functional>
#include <utility>

namespace hardlimit::text {

class Pause {
  public:
    Pause() = default;
    // `look` may throw; the document is then as if it had not been.
    explicit Pause(std::function<void()> look) : look_(std::move(look)) {}

    void after(std::size_t n_terms) {
        done_ += n_terms;
        if (done_ < between || !look_) return;
        done_ = 0;
        look_();
    }

  private:
    static constexpr std::size_t between = std::size_t(1) << 18;  // terms: some ten milliseconds
    std::function<void()> look_;
    std::size_t done_ = 0;
};

}  // namespace hardlimit::text
