#include "referee/net/loop/timers.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "referee/net/loop/process_resources.h"

namespace referee::loop {
namespace {

// When the heap has more than this many times as many entries as calls are pending, it is built
// anew: the rest are cancelled.
constexpr std::size_t dead_share_max = 4;
constexpr std::size_t small_heap = 64;  // a smaller heap is not worth it
constexpr unsigned place_bits = 32;     // the part of an id that holds the place

using namespace std::chrono_literals;

// A loop that works for so long without waiting gives way for a moment, so others get a sixteenth
// of its core. Of one that leaves less than a twentieth the kernel takes that: 50 ms of each second
// at a stroke.
constexpr Duration work_max = 1500us;
// Then a handler has its turn: as many as come at once (epoll_set.cpp).
constexpr int calls_in_a_row = 32;

// How often this thread has slept until something came.
long waits_so_far() {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

}  // namespace

Timers::Id Timers::schedule(Instant at, Callback callback) {
    drop_cancelled();
    const bool earlier = heap_.empty() || at < heap_.front().at;
    const auto id = occupy(std::move(callback));
    heap_.push_back({at, ++asked_, id});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    if (earlier) wake_at(at);
    return id;
}

Timers::Id Timers::afterwards(Callback callback) {
    after_.push_back(occupy(std::move(callback)));
    if (after_.size() == 1) wake_at(now());
    return after_.back();
}

Timers::Id Timers::occupy(Callback callback) {
    if (free_places_.empty()) {
        free_places_.push_back(places_.size());
        places_.emplace_back();
    }
    const auto number = free_places_.back();
    free_places_.pop_back();
    auto& place = places_[number];
    if (++place.use == 0) ++place.use;  // an id is never 0
    place.callback = std::move(callback);
    place.taken = true;
    ++pending_;
    return (Id{place.use} << place_bits) | number;
}

bool Timers::is_pending(Id id) const {
    if (place_of(id) >= places_.size()) return false;
    const auto& place = places_[place_of(id)];
    return place.taken && place.use == id >> place_bits;
}

Timers::Callback Timers::take(Id id) {
    auto& place = places_[place_of(id)];
    place.taken = false;
    free_places_.push_back(place_of(id));
    --pending_;
    return std::exchange(place.callback, nullptr);
}

void Timers::cancel(Id id) {
    if (!is_pending(id)) return;
    take(id);
    if (heap_.size() > small_heap && heap_.size() > pending_ * dead_share_max) compact();
}

void Timers::compact() {
    std::erase_if(heap_, [this](const Entry& entry) { return !is_pending(entry.id); });
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void Timers::drop_cancelled() {
    while (!heap_.empty() && !is_pending(heap_.front().id)) {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        heap_.pop_back();
    }
}

Instant Timers::earliest() {
    drop_cancelled();
    // What is to come afterwards can run at once.
    return heap_.empty() ? now() : heap_.front().at;
}

void Timers::run(Id id) {
    const auto callback = take(id);
    callback();
}

bool Timers::run_one_due() {
    drop_cancelled();
    if (heap_.empty() || heap_.front().at > now()) return false;
    run(heap_.front().id);
    return true;
}

bool Timers::run_one_after() {
    while (!after_.empty()) {
        const auto id = after_.front();
        after_.pop_front();
        if (!is_pending(id)) continue;
        run(id);
        return true;
    }
    return false;
}

void Timers::run_due() {
    while (run_one_due() || run_one_after()) {
    }
}

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
        for (int calls = 0; batch_.over() && calls < calls_in_a_row && run_one_after(); ++calls) {
            while (run_one_due()) {
            }
        }
        if (empty()) kept_.reset();
        // Looking first whether the loop has something to do would cost a system call each time.
        if (!batch_.over()) {
            loop.run_one();
        } else if (has_after()) {
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
