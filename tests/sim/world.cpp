#include "tests/sim/world.h"

#include <boost/asio/post.hpp>

#include <algorithm>

namespace tests::sim {

void World::stall(Duration length) { stalls_.push_back({now_, now_ + length}); }

Duration World::stalled(Instant from, Instant to) const {
    Duration sum{};
    for (const auto& stall : stalls_) {
        const auto overlap = std::min(to, stall.to) - std::max(from, stall.from);
        sum += std::max(overlap, Duration::zero());
    }
    return sum;
}

bool World::poll() {
    loop_.restart();
    return loop_.poll() > 0;
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
    const bool stands = !stalls_.empty() && now_ < stalls_.back().to;
    std::optional<Instant> next;
    if (stands) {
        next = stalls_.back().to;
    } else if (!referee_.empty()) {
        next = referee_.earliest();
    }
    if (!outside_.empty()) next = next ? std::min(*next, outside_.earliest()) : outside_.earliest();
    return next;
}

bool World::run(const std::function<bool()>& done, Duration at_most) {
    const auto end = now_ + at_most;
    while (true) {
        if (stalls_.empty() || now_ >= stalls_.back().to) settle();
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
    now_ = end;
    outside_.run_due();
    settle();
}

void InstantBackground::run(Work work, Work done) {
    work();
    boost::asio::post(world_.loop(), std::move(done));
}

}  // namespace tests::sim
