#pragma once

#include <sys/types.h>

#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "referee/game/clock/path.h"
#include "referee/net/loop/machine.h"
#include "referee/net/transport/kernel_stamps.h"
#include "referee/net/transport/tcp_socket.h"
#include "tests/sim/world.h"

namespace tests::sim::timing {

// How the simulated kernel and its machine behave, by lot.
struct KernelHabits {
    // Of a hundred pieces that come while others lie unread: kept in one piece with the last. Then
    // only the later stamp is kept, as Linux does it.
    std::size_t joins = 30;
    Duration call_most{};  // what a call takes, at most
    // In so many of a thousand calls the referee is put aside in the midst of it.
    std::size_t put_aside = 0;
    Duration aside_least{};
    Duration aside_most{};
    bool aside_only_in_sends = false;
    bool stamps_sends = true;
    Duration forgets_after = std::chrono::minutes(5);  // the least round trip
};

// One TCP socket of the referee, as its kernel has it. It knows when each byte came and left.
class Socket {
 public:
    using Seen = referee::transport::SendStamps::Seen;
    // Told of what the kernel took, at the moment at which it did.
    using OnSent = std::function<void(std::string_view bytes, std::uint32_t end)>;
    using OnNews = std::function<void()>;
    using OnRead = std::function<void()>;

    // The world outlives it.
    Socket(World& world, KernelHabits habits, Random random, OnSent on_sent, OnNews on_news,
           OnRead on_read);
    ~Socket();
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    int handle() const { return handle_; }

    // From the line, all of it now: a segment; an acknowledgement of what was sent before `end`; a
    // round trip that the kernel has measured; the end.
    void came(std::string_view bytes);
    void acknowledged(std::uint32_t end);
    void measured(Duration round_trip);
    void ended();
    // The loop is woken.
    bool has_news() const { return !unread_.empty() || !stamps_.empty() || ended_; }

    // The calls.
    referee::transport::StampedRead receive(std::span<char> room, bool peeks);
    ssize_t send(std::string_view bytes, bool asks);
    referee::transport::TcpFacts facts() const;
    std::vector<Seen> take_stamps();
    Instant now() const { return world_.now(); }
    // The smallest round trip that was ever measured; the kernel itself forgets.
    Duration least_ever() const { return least_; }
    // How many bytes the referee has read.
    std::uint64_t read_so_far() const { return read_; }
    // Whether the referee looked between the two, and read all that was there.
    bool was_emptied(Instant from, Instant to) const;
    // The moments around the call that sent the last of these bytes; its end is not known before
    // it.
    referee::Stamp handed(std::uint32_t end) const { return handed_.at(end); }
    bool stamps_sends() const { return habits_.stamps_sends; }

 private:
    struct Piece {
        std::string bytes;
        Instant stamp{};
    };
    struct Sent {
        std::uint32_t end = 0;
        Instant left{};
        bool asked = false;
    };
    void pass_some_time();
    void put_aside();

    World& world_;
    KernelHabits habits_;
    Random random_;
    OnSent on_sent_;
    OnNews on_news_;
    OnRead on_read_;
    int handle_;
    std::deque<Piece> unread_;
    std::size_t taken_ = 0;  // of the first piece
    bool ended_ = false;
    std::uint32_t sent_ = 0;
    std::deque<Sent> under_way_;
    std::vector<Seen> stamps_;
    struct Measured {
        Instant at{};
        Duration round_trip{};
    };
    Duration least_lately() const;
    std::deque<Measured> lately_;
    Duration least_{};
    std::uint32_t segments_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t read_ = 0;
    std::map<std::uint32_t, referee::Stamp> handed_;
    std::optional<Instant> look_began_;    // the first call of a look that has read nothing yet
    std::vector<referee::Stamp> emptied_;  // the looks that read all that was there
};

// What can hold up the referee.
enum class StopKind : std::uint8_t {
    referee,  // its process is stopped, and nothing else
    machine,  // the whole machine stands still: its kernel, its bots, the heartbeat
    starved,  // there is no core for the referee; its bots and its heartbeat have one
};

// Stops of one run, known from the beginning: the truth.
class Stops {
 public:
    struct Stop {
        StopKind kind{};
        Instant from{};
        Instant to{};
    };

    // Requires: stops come one after the other.
    void add(const Stop& stop) { stops_.push_back(stop); }
    const std::vector<Stop>& all() const { return stops_; }
    // How much of the time between the two was lost to stops of that kind.
    Duration lost(StopKind kind, Instant from, Instant to) const;
    // The first moment from `at` on at which the machine's kernel runs.
    Instant kernel_awake(Instant at) const;
    // When a program of this machine has had so much time, from `from` on.
    Instant after(Instant from, Duration time) const;

 private:
    std::vector<Stop> stops_;
};

// What the machine tells the watch of the loop, while these stops happen.
class StoppedMachine final : public referee::loop::Machine {
 public:
    // Both outlive it.
    StoppedMachine(const World& world, const Stops& stops) : world_(world), stops_(stops) {}
    Clocks clocks() const override { return {.wall_ahead = Duration::zero(), .slept = {}}; }
    Duration processor_time() const override { return {}; }
    Duration core_wait() const override;
    Load load() const override { return {}; }
    std::optional<Pulse> heartbeat(Instant now) const override;
    void wake() override {}
    void fall_asleep() override {}

 private:
    const World& world_;
    const Stops& stops_;
};

}  // namespace tests::sim::timing
