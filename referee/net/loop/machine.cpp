#include "referee/net/loop/machine.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstring>
#include <ctime>
#include <new>
#include <string_view>
#include <utility>

#include "referee/files/file.h"
#include "referee/net/loop/timers.h"

namespace referee::loop {
// Only the child writes beats, only the referee writes the rest. A beat that was noted stands until
// the child has gone once round the ring: nobody ever waits for the other.
struct HeartbeatPage {
    static constexpr std::size_t ring_size = 64;

    struct Beat {
        std::atomic<Instant::rep> at;
        std::atomic<Duration::rep> stood;
        std::atomic<Duration::rep> core_wait;
    };

    std::atomic<std::uint32_t> awake;
    std::atomic<Instant::rep> woken_at;
    std::atomic<std::uint64_t> count;
    std::array<Beat, ring_size> beats;
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free &&
              std::atomic<std::uint64_t>::is_always_lock_free);

namespace {

// Two readings that are further apart than this were interrupted.
constexpr Duration apart_max = std::chrono::microseconds(20);
constexpr int tries_max = 4;

constexpr int run_delay_word = 2;  // of a schedstat, nanoseconds

// A short file of the kernel's that is read again and again. One that isn't there reads as empty.
class KernelText {
 public:
    explicit KernelText(const char* path) : file_(::open(path, O_RDONLY | O_CLOEXEC)) {}

    // Its first bytes, as they are now. Good until the next call.
    std::string_view read() {
        if (!file_) return {};
        const auto bytes = ::pread(file_.get(), buffer_.data(), buffer_.size(), 0);
        return {buffer_.data(), bytes <= 0 ? 0 : static_cast<std::size_t>(bytes)};
    }

 private:
    static constexpr std::size_t bytes_max = 256;

    files::Descriptor file_;
    std::array<char, bytes_max> buffer_{};
};

// The number that the text begins with; 0 where there is none.
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

// How long the thread that made this was ready, and no core was free for it: a sum.
class KernelCoreWait {
 public:
    // Zero where the system doesn't tell.
    Duration read() { return Duration(number(word(schedstat_.read(), run_delay_word))); }

 private:
    KernelText schedstat_{"/proc/thread-self/schedstat"};
};

Instant instant(const std::atomic<Instant::rep>& since_zero) {
    return Instant(Duration(since_zero.load(std::memory_order_relaxed)));
}

struct Beat {
    Instant at{};
    Duration stood{};
    Duration core_wait{};
};

// The child's life.
class HeartbeatChild {
 public:
    explicit HeartbeatChild(HeartbeatPage& page, pid_t referee) : page_(page), referee_(referee) {}

    [[noreturn]] void beat() {
        while (true) {
            while (page_.awake.load() == 0) sleep();
            for (auto due = next_after(instant(page_.woken_at)); page_.awake.load() != 0;
                 due = next_after(last_.at)) {
                sleep_until(due);
                if (::getppid() != referee_) ::_exit(0);
                note(due);
            }
        }
    }

 private:
    static Instant next_after(Instant at) { return at + Heartbeat::beat_every; }

    void sleep() { ::syscall(SYS_futex, &page_.awake, FUTEX_WAIT, 0, nullptr, nullptr, 0); }

    static void sleep_until(Instant at) {
        const auto time = timespec_of(at.time_since_epoch());
        while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) {
        }
    }

    void note(Instant due) {
        last_.at = monotonic_now();
        if (last_.at - due > Heartbeat::noise) last_.stood += last_.at - due;
        last_.core_wait = core_wait_.read();
        const auto count = page_.count.load(std::memory_order_relaxed);
        auto& place = page_.beats[count % HeartbeatPage::ring_size];
        place.at.store(last_.at.time_since_epoch().count(), std::memory_order_relaxed);
        place.stood.store(last_.stood.count(), std::memory_order_relaxed);
        place.core_wait.store(last_.core_wait.count(), std::memory_order_relaxed);
        page_.count.store(count + 1, std::memory_order_release);
    }

    HeartbeatPage& page_;
    pid_t referee_;
    KernelCoreWait core_wait_;
    Beat last_;
};

[[noreturn]] void live_as_child(HeartbeatPage& page, pid_t referee) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != referee) ::_exit(0);  // it was gone before that
    ::setsid();
    ::prctl(PR_SET_NAME, "referee-beat");
    ::syscall(SYS_close_range, 0, UINT_MAX, 0);
    if (::chdir("/") != 0) ::_exit(0);
    HeartbeatChild(page, referee).beat();
}

// Nothing where none was noted yet.
std::optional<Beat> last_beat(const HeartbeatPage& page) {
    while (true) {
        const auto count = page.count.load(std::memory_order_acquire);
        if (count == 0) return std::nullopt;
        const auto& place = page.beats[(count - 1) % HeartbeatPage::ring_size];
        const Beat beat{instant(place.at), Duration(place.stood.load(std::memory_order_relaxed)),
                        Duration(place.core_wait.load(std::memory_order_relaxed))};
        std::atomic_thread_fence(std::memory_order_acquire);
        const auto now = page.count.load(std::memory_order_relaxed);
        // Read while the referee was stopped in between: the place may have been used again.
        if (now - count < HeartbeatPage::ring_size - 1) return beat;
    }
}

constexpr int steal_field = 8;  // of the line "cpu  ..." in /proc/stat, from 1

Duration read_clock(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return duration_of(time);
}

class ThisMachine final : public Machine {
 public:
    explicit ThisMachine(Heartbeat::OnLost on_heartbeat_lost)
        : heartbeat_(std::move(on_heartbeat_lost)) {}

    void wake() override { heartbeat_.wake(monotonic_now()); }
    void fall_asleep() override { heartbeat_.fall_asleep(); }
    std::optional<Pulse> heartbeat(Instant now) const override { return heartbeat_.pulse(now); }
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

    mutable Heartbeat heartbeat_;
    mutable KernelText stat_{"/proc/stat"};
    mutable KernelText pressure_{"/proc/pressure/cpu"};
    mutable KernelCoreWait core_wait_;
    mutable bool known_ = false;
    mutable Duration last_pressed_{};
    mutable Duration last_waited_{};
    mutable Duration waited_{};
};

}  // namespace

std::optional<WallClock> read_wall_clock() {
    for (int i = 0; i < tries_max; ++i) {
        const auto before = monotonic_now();
        timespec wall{};
        clock_gettime(CLOCK_REALTIME, &wall);
        const auto after = monotonic_now();
        if (after - before > apart_max) continue;
        return WallClock{duration_of(wall) - (before + (after - before) / 2).time_since_epoch(),
                         after};
    }
    return std::nullopt;
}

std::int64_t wall_clock_ms() {
    const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since_1970).count();
}

Heartbeat::Heartbeat(OnLost on_lost) : on_lost_(std::move(on_lost)) {
    void* memory = ::mmap(nullptr, sizeof(HeartbeatPage), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        lose(std::strerror(errno));
        return;
    }
    page_ = new (memory) HeartbeatPage{};
    const pid_t referee = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) live_as_child(*page_, referee);
    if (child < 0) {
        lose(std::strerror(errno));
        return;
    }
    child_ = child;
}

Heartbeat::~Heartbeat() {
    if (child_ != 0) {
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
    }
    if (page_ != nullptr) ::munmap(page_, sizeof(HeartbeatPage));
}

void Heartbeat::wake(Instant now) {
    if (child_ == 0 || awake_) return;
    awake_ = true;
    woken_at_ = now;
    page_->woken_at.store(now.time_since_epoch().count(), std::memory_order_relaxed);
    page_->awake.store(1);
    ::syscall(SYS_futex, &page_->awake, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void Heartbeat::fall_asleep() {
    awake_ = false;
    if (page_ != nullptr) page_->awake.store(0);
}

std::optional<Machine::Pulse> Heartbeat::pulse(Instant now) {
    if (child_ == 0 || !awake_) return std::nullopt;
    const auto beat = last_beat(*page_).value_or(Beat{});
    const auto silent = now - std::max(beat.at, woken_at_) - beat_every;
    if (silent > silence_max && has_ended()) {
        child_ = 0;
        lose("it has ended");
        return std::nullopt;
    }
    return Machine::Pulse{beat.stood + (silent > noise ? silent : Duration::zero()),
                          beat.core_wait};
}

bool Heartbeat::has_ended() const {
    return ::waitpid(child_, nullptr, WNOHANG) != 0;
}

void Heartbeat::lose(const std::string& reason) {
    on_lost_("the referee's heartbeat is missing (" + reason +
             "): where the referee is stopped, it can't tell whether the machine stood still too");
}

std::unique_ptr<Machine> this_machine(std::function<void(const std::string&)> on_heartbeat_lost) {
    return std::make_unique<ThisMachine>(std::move(on_heartbeat_lost));
}

}  // namespace referee::loop
