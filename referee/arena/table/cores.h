#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <set>

namespace referee::table {

// The cores on which launched bots may think: no more of them think at once than there are cores.
// A seat asks for a core before its start or a turn is sent, and gives it back when that is
// answered or over; who asked first is served first, whatever game it is in. One for all tables.
// Not thread safe.
class Cores {
 public:
    using Permit = std::uint64_t;  // 0: none
    using Granted = std::function<void()>;

    explicit Cores(std::size_t count) : free_(count) {}
    Cores(const Cores&) = delete;
    Cores& operator=(const Cores&) = delete;
    Cores(Cores&&) = delete;
    Cores& operator=(Cores&&) = delete;
    ~Cores() = default;

    struct Answer {
        Permit permit = 0;
        bool granted = false;  // at once; else `granted` is called later, from inside a release()
    };
    Answer request(Granted granted);
    // Gives the core back, or the place in the queue. The next in the queue gets the core before
    // this returns. 0 is ignored.
    void release(Permit permit);

    // Leaves the queue; ignored where the core is held. Before several permits of one owner that
    // goes away are released, so that none is granted to it on the way.
    void withdraw(Permit permit);

    std::size_t free() const { return free_; }
    std::size_t waiting() const { return queue_.size(); }

 private:
    struct Waiting {
        Permit permit;
        Granted granted;
    };

    std::size_t free_;
    std::set<Permit> held_;
    std::deque<Waiting> queue_;
    Permit last_ = 0;
};

}  // namespace referee::table
