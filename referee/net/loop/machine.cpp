#include "referee/net/loop/machine.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <string_view>
#include <utility>

#include "referee/net/loop/heartbeat.h"
#include "referee/net/loop/kernel_text.h"
#include "referee/net/loop/system_timers.h"
#include "referee/net/loop/wall_clock.h"

namespace referee::loop {
namespace {

constexpr int steal_field = 8;  // of the line "cpu  ..." in /proc/stat, from 1

Duration read_clock(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

class ThisMachine final : public Machine {
 public:
    explicit ThisMachine(Heartbeat::OnLost on_heartbeat_lost)
        : heart_(std::move(on_heartbeat_lost)) {}

    void wake() override { heart_.wake(monotonic_now()); }
    void fall_asleep() override { heart_.fall_asleep(); }
    std::optional<Pulse> heartbeat(Instant now) const override { return heart_.pulse(now); }
    Clocks clocks() const override {
        const auto slept = read_clock(CLOCK_BOOTTIME) - monotonic_now().time_since_epoch();
        const auto wall = read_wall_clock();
        return {wall ? std::optional(wall->ahead) : std::nullopt, slept};
    }
    Duration processor_time() const override { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
    Duration core_wait() const override { return core_wait_.read(); }
    Load load() const override {
        constexpr std::int64_t ns_a_second = 1'000'000'000;
        Load load;
        const auto cores = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
        const auto tick_ns = ns_a_second / std::max(1L, sysconf(_SC_CLK_TCK));
        load.stolen = Duration(number(word(stat_.read(), steal_field + 1)) * tick_ns / cores);
        load.stolen_step = Duration(tick_ns / cores);
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

    mutable Heartbeat heart_;
    mutable KernelText stat_{"/proc/stat"};
    mutable KernelText pressure_{"/proc/pressure/cpu"};
    mutable KernelCoreWait core_wait_;
    mutable bool known_ = false;
    mutable Duration last_pressed_{};
    mutable Duration last_waited_{};
    mutable Duration waited_{};
};

}  // namespace

std::unique_ptr<Machine> this_machine(std::function<void(const std::string&)> on_heartbeat_lost) {
    return std::make_unique<ThisMachine>(std::move(on_heartbeat_lost));
}

}  // namespace referee::loop
