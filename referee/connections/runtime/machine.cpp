#include "referee/connections/runtime/machine.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <ctime>
#include <string_view>

#include "referee/connections/runtime/system_timers.h"
#include "referee/connections/runtime/wall_clock.h"

namespace referee::runtime {
namespace {

// Room for the first lines of the files below.
constexpr std::size_t file_bytes = 256;
constexpr int steal_field = 8;      // of the line "cpu  ..." in /proc/stat, from 1
constexpr int run_delay_field = 2;  // of /proc/thread-self/schedstat, nanoseconds

Duration read_clock(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::int64_t number(std::string_view text) {
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// The n-th word of a line, from 1.
std::string_view word(std::string_view line, int n) {
    for (; n > 0; --n) {
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (n == 1) return line.substr(0, line.find_first_of(" \n"));
        line.remove_prefix(std::min(line.find(' '), line.size()));
    }
    return {};
}

// A file of the kernel's that is read again and again. One that isn't there reads as empty.
class KernelText {
 public:
    explicit KernelText(const char* path) : descriptor_(::open(path, O_RDONLY | O_CLOEXEC)) {}
    ~KernelText() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    KernelText(const KernelText&) = delete;
    KernelText& operator=(const KernelText&) = delete;
    KernelText(KernelText&&) = delete;
    KernelText& operator=(KernelText&&) = delete;

    std::string_view read() {
        if (descriptor_ < 0) return {};
        const auto bytes = ::pread(descriptor_, buffer_.data(), buffer_.size(), 0);
        return bytes <= 0 ? std::string_view{}
                          : std::string_view(buffer_.data(), static_cast<std::size_t>(bytes));
    }

 private:
    int descriptor_;
    std::array<char, file_bytes> buffer_{};
};

class ThisMachine final : public Machine {
 public:
    Clocks clocks() const override {
        const auto slept = read_clock(CLOCK_BOOTTIME) - monotonic_now().time_since_epoch();
        const auto wall = read_wall_clock();
        return {wall ? std::optional(wall->ahead) : std::nullopt, slept};
    }
    Duration processor_time() const override { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
    Duration core_wait() const override {
        return Duration(number(word(schedstat_.read(), run_delay_field)));
    }
    Load load() const override {
        constexpr std::int64_t ns_a_second = 1'000'000'000;
        Load load;
        const auto cores = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
        const auto tick_ns = ns_a_second / std::max(1L, sysconf(_SC_CLK_TCK));
        load.stolen = Duration(number(word(stat_.read(), steal_field + 1)) * tick_ns / cores);
        const auto pressure = pressure_.read();
        const auto total = pressure.find("total=");
        if (!pressure.starts_with("some") || total == std::string_view::npos) return load;
        const auto pressed = from_us(number(pressure.substr(total + std::strlen("total="))));
        load.waited = grown(pressed, core_wait());
        return load;
    }

 private:
    // Adds what both have grown by since the last look.
    Duration grown(Duration pressed, Duration waited) const {
        if (known_)
            waited_ += std::max(Duration::zero(),
                                std::min(pressed - last_pressed_, waited - last_waited_));
        known_ = true;
        last_pressed_ = pressed;
        last_waited_ = waited;
        return waited_;
    }

    mutable KernelText stat_{"/proc/stat"};
    mutable KernelText pressure_{"/proc/pressure/cpu"};
    mutable KernelText schedstat_{"/proc/thread-self/schedstat"};
    mutable bool known_ = false;
    mutable Duration last_pressed_{};
    mutable Duration last_waited_{};
    mutable Duration waited_{};
};

}  // namespace

std::unique_ptr<Machine> this_machine() {
    return std::make_unique<ThisMachine>();
}

}  // namespace referee::runtime
