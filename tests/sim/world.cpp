#include "tests/sim/world.h"

#include <boost/asio/post.hpp>

#include <algorithm>

namespace tests::sim {

void World::later(Duration time, std::function<void()> call) {
    outside_.schedule(now_ + time, std::move(call));
}

void World::later_on_loop(Duration time, std::function<void()> call) {
    later(time, [this, call = std::move(call)] { boost::asio::post(loop_, call); });
}

void World::stall(Duration length, referee::loop::StallKind kind) {
    const bool goes_on = now_ <= stands_until_ && !stood_.empty();
    stands_until_ = std::max(stands_until_, now_ + length);
    if (goes_on) {
        stood_.back().second = stands_until_;
    } else {
        stood_.emplace_back(now_, stands_until_);
    }
    stalls_.add(kind, now_, stands_until_);
}

void World::spend(Duration time) {
    spent_ += time;
    const auto end = now_ + time;
    while (!outside_.empty() && outside_.earliest() <= end) {
        now_ = std::max(now_, outside_.earliest());
        outside_.run_due();
    }
    now_ = end;
}

// What has become due while a handler ran goes before the next handler, as on the machine's own
// timers (SystemTimers::run).
bool World::poll() {
    loop_.restart();
    bool ran = false;
    for (auto looked_at = now_; loop_.poll_one() > 0; ran = true) {
        if (now_ == looked_at) continue;
        referee_.run_due();
        looked_at = now_;
    }
    return ran;
}

void World::settle() {
    bool busy = true;
    while (busy) {
        if (order_.chance(50)) referee_.run_due();
        busy = poll();
        referee_.run_due();
        busy = poll() || busy;
    }
}

std::optional<Instant> World::next_event() {
    std::optional<Instant> next;
    if (stands()) {
        next = stands_until_;
    } else if (!referee_.empty()) {
        next = referee_.earliest();
    }
    if (!outside_.empty()) next = next ? std::min(*next, outside_.earliest()) : outside_.earliest();
    return next;
}

bool World::run(const std::function<bool()>& done, Duration at_most) {
    const auto end = now_ + at_most;
    while (true) {
        if (!stands()) settle();
        if (done()) return true;
        const auto next = next_event();
        if (!next || *next > end) return false;
        now_ = std::max(now_, *next);
        outside_.run_due();
    }
}

void World::pass(Duration time) {
    const auto end = now_ + time;
    run([] { return false; }, time);
    now_ = std::max(now_, end);  // a handler may have worked beyond
    outside_.run_due();
    settle();
}

void InstantBackground::run(Work work, Work done) {
    ++pieces_;
    work();
    boost::asio::post(world_.loop(), std::move(done));
}

}  // namespace tests::sim
