#include "referee/net/loop/system_timers.h"

#include <sys/resource.h>

#include "referee/net/loop/priority.h"

namespace referee::loop {
namespace {

using namespace std::chrono_literals;

// A loop that works for so long without waiting gives way for a moment, so others get a sixteenth
// of its core. Of one that leaves less than a twentieth the kernel takes that: 50 ms of each second
// at a stroke.
constexpr Duration work_max = 1500us;

// How often this thread has slept until something came.
long waits_so_far() {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

}  // namespace

Instant monotonic_now() {
    return Instant(
        std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch()));
}

void SystemTimers::run(boost::asio::io_context& loop) {
    runs_ = true;
    if (!empty()) keep_loop();
    auto looked_at = now();
    auto waits = waits_so_far();
    while (!loop.stopped()) {
        while (run_one_due()) {
        }
        const bool followed = run_one_after();
        if (empty()) kept_.reset();
        // Looking first whether the loop has something to do would cost a system call each time.
        if (followed) {
            loop.poll_one();
        } else {
            if (!empty() && earliest() < armed_) arm(earliest());
            if (loop.run_one() == 0) break;
        }
        if (now() - looked_at < work_max) continue;
        if (waits_so_far() == waits) give_way();
        looked_at = now();
        waits = waits_so_far();
    }
    kept_.reset();
    runs_ = false;
}

void SystemTimers::wake_at(Instant at) {
    if (runs_) {  // then what is due is looked for before the loop waits
        keep_loop();
    } else if (at < armed_) {
        arm(at);
    }
}

void SystemTimers::keep_loop() {
    if (!kept_) kept_.emplace(timer_.get_executor());
}

void SystemTimers::arm(Instant at) {
    armed_ = at;
    timer_.expires_at(std::chrono::steady_clock::time_point(at.time_since_epoch()));
    timer_.async_wait(life_.while_it_lasts([this](const boost::system::error_code& error) {
        if (!error) on_timer();  // else the timer was set anew, or the program ends
    }));
}

void SystemTimers::on_timer() {
    armed_ = Instant::max();
    if (runs_) return;
    armed_ = Instant::min();  // while calls run, none of them needs to set the timer
    run_due();
    armed_ = Instant::max();
    if (!empty()) arm(earliest());
}

}  // namespace referee::loop
