#include "referee/runtime/timers.h"

#include <algorithm>

namespace referee::runtime {
namespace {

// Once cancelled entries outnumber the living this many times, the heap is built anew.
constexpr std::size_t dead_share_max = 4;
constexpr std::size_t small_heap = 1024;  // below it, it is not worth the while

}  // namespace

Timers::Id Timers::schedule(Instant at, Callback callback) {
    drop_cancelled();
    const bool earlier = heap_.empty() || at < heap_.front().at;
    const auto id = ++last_id_;
    pending_.emplace(id, std::move(callback));
    heap_.push_back({at, id});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    if (earlier) wake_at(at);
    return id;
}

void Timers::cancel(Id id) {
    pending_.erase(id);
    if (heap_.size() > small_heap && heap_.size() > pending_.size() * dead_share_max) compact();
}

void Timers::compact() {
    std::erase_if(heap_, [this](const Entry& entry) { return !pending_.contains(entry.id); });
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void Timers::drop_cancelled() {
    while (!heap_.empty() && !pending_.contains(heap_.front().id)) {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        heap_.pop_back();
    }
}

Instant Timers::earliest() {
    drop_cancelled();
    return heap_.front().at;
}

void Timers::run_due() {
    for (drop_cancelled(); !heap_.empty() && heap_.front().at <= now(); drop_cancelled()) {
        auto node = pending_.extract(heap_.front().id);
        node.mapped()();
    }
}

}  // namespace referee::runtime
