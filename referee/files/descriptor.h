#pragma once

#include <unistd.h>

#include <utility>

namespace referee::files {

// A file descriptor with one owner; closed when its owner ends.
class Descriptor {
 public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) reset(other.release());
        return *this;
    }
    ~Descriptor() { reset(); }

    // -1 where there is none.
    int get() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }

    // Hands the descriptor over: the caller closes it.
    [[nodiscard]] int release() { return std::exchange(number_, -1); }

    void reset(int number = -1) {
        if (number_ >= 0) ::close(number_);
        number_ = number;
    }

 private:
    int number_ = -1;
};

}  // namespace referee::files
