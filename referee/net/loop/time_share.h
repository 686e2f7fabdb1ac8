#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>

#include "referee/net/loop/timers.h"

namespace referee::loop {

// Networks that are told apart when strangers take turns: memory is finite.
inline constexpr std::size_t networks_remembered_max = 16'384;

// What work of one kind may take of the loop's time together: a share of all time, and of what was
// not taken lately so much at once. A piece of work begins only while something is left, and is
// charged when it ends, so at most one piece goes beyond. Each belongs to an account. Where there
// is no time for all that waits, the account that was charged least goes first; of one account, who
// asked first. Accounts are forgotten when as much is left as may be. Not thread safe.
class TimeShare {
 public:
    // The timers outlive it. When it ends, whoever waits goes on.
    TimeShare(Timers& timers, double share, Duration at_once);
    ~TimeShare();
    TimeShare(const TimeShare&) = delete;
    TimeShare& operator=(const TimeShare&) = delete;

    // A piece of work, from its making to its end; nothing is waited for meanwhile.
    class Piece;
    // Completes when a piece of the account's may begin: at once where nobody waits.
    boost::asio::awaitable<Piece> turn(std::string account);
    // For work that comes by timers: how long until something is left; and a piece all the same.
    Duration wait() const;
    Piece begin(std::string account);
    // From now on; what was not taken so far stays.
    void set_share(double share);
    // It was no such work, as is known now.
    void give_back(const std::string& account, Duration time);

 private:
    class State;
    std::shared_ptr<State> state_;
};

class TimeShare::Piece {
 public:
    Piece(Piece&& other) noexcept = default;
    Piece& operator=(Piece&&) = delete;
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;
    ~Piece() { end(); }
    // Charges it, once; returns how long it took.
    Duration end();

 private:
    friend class TimeShare;
    Piece(std::shared_ptr<State> state, std::string account, bool was_granted);

    std::shared_ptr<State> state_;  // null when it has ended
    std::string account_;
    bool was_granted_ = false;
    Instant since_{};
};

}  // namespace referee::loop
