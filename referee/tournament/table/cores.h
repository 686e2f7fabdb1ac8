#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

namespace referee::table {

// The cores on which launched bots may think: never more bots think at once than there are cores. A
// seat asks for a core before its start or a turn is sent, and gives it back when that has been
// answered or is over. The seat that asked first gets a core first, whatever game it is in. All
// tables share one. Not thread safe.
class Cores {
 public:
    using Permit = std::uint64_t;  // 0: none

    explicit Cores(std::size_t count) : free_(count) {}
    Cores(const Cores&) = delete;
    Cores& operator=(const Cores&) = delete;

    struct Answer {
        Permit permit = 0;
        bool granted = false;  // at once; else `granted` is called later, from inside a release()
    };
    template <typename Granted>
    Answer request(const Granted& granted) {
        const auto permit = ++last_;
        if (free_ == 0) {
            queue_.push_back({permit, granted});
            return {permit, false};
        }
        --free_;
        held_.push_back(permit);
        return {permit, true};
    }
    // Gives the core back, or leaves the queue. A returned core goes to the next in the queue
    // before this call returns. 0 is ignored.
    void release(Permit permit) {
        if (permit == 0) return;
        if (std::erase(held_, permit) == 0) return leave_queue(permit);
        if (queue_.empty()) {
            ++free_;
            return;
        }
        auto next = std::move(queue_.front());
        queue_.pop_front();
        held_.push_back(next.permit);
        next.granted();
    }

    // Leaves the queue; ignored where the core is held. Before an owner of several permits goes
    // away, it leaves the queue with all of them and then releases them: otherwise a released core
    // could be granted to another of its own permits.
    void leave_queue(Permit permit) {
        std::erase_if(queue_,
                      [permit](const Waiting& waiting) { return waiting.permit == permit; });
    }

    std::size_t free() const { return free_; }
    std::size_t waiting() const { return queue_.size(); }

 private:
    struct Waiting {
        Permit permit;
        std::function<void()> granted;
    };

    std::size_t free_;
    std::vector<Permit> held_;
    std::deque<Waiting> queue_;
    Permit last_ = 0;
};

}  // namespace referee::table
