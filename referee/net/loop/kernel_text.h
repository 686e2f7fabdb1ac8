#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "referee/game/clock/time.h"

namespace referee::loop {

// A short file of the kernel's that is read again and again. One that isn't there reads as empty.
class KernelText {
 public:
    explicit KernelText(const char* path);
    ~KernelText();
    KernelText(const KernelText&) = delete;
    KernelText& operator=(const KernelText&) = delete;

    // Its first bytes, as they are now. Good until the next call.
    std::string_view read();

 private:
    static constexpr std::size_t bytes_max = 256;

    int descriptor_;
    std::array<char, bytes_max> buffer_{};
};

// The number that the text begins with; 0 where there is none.
std::int64_t number(std::string_view text);
// The n-th word of a line, from 1.
std::string_view word(std::string_view line, int n);

// How long the thread that made this was ready, and no core was free for it: a sum.
class KernelCoreWait {
 public:
    // Zero where the system doesn't tell.
    Duration read();

 private:
    KernelText schedstat_{"/proc/thread-self/schedstat"};
};

}  // namespace referee::loop
