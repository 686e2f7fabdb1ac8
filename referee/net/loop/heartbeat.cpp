#include "referee/net/loop/heartbeat.h"

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
#include <climits>
#include <csignal>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>

#include "referee/net/loop/kernel_text.h"
#include "referee/net/loop/system_timers.h"

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

Instant instant(const std::atomic<Instant::rep>& since_zero) {
    return Instant(Duration(since_zero.load(std::memory_order_relaxed)));
}

struct Beat {
    Instant at{};
    Duration stood{};
    Duration core_wait{};
};

// The child's life.
class Heart {
 public:
    explicit Heart(HeartbeatPage& page, pid_t referee) : page_(page), referee_(referee) {}

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
        constexpr Duration::rep ns_a_second = 1'000'000'000;
        const auto since_zero = at.time_since_epoch().count();
        timespec time{};
        time.tv_sec = static_cast<time_t>(since_zero / ns_a_second);
        time.tv_nsec = static_cast<long>(since_zero % ns_a_second);
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
    Heart(page, referee).beat();
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

}  // namespace

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

}  // namespace referee::loop
