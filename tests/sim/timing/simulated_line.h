#pragma once

#include <memory>
#include <string>

#include "referee/net/loop/wakeup.h"
#include "referee/net/transport/transport.h"
#include "tests/sim/timing/kernel.h"

namespace tests::sim::timing {

// A way between the referee and a bot.
struct Way {
    Duration round_trip{};
    Duration jitter{};  // each direction takes up to so much longer
};

// How the bot's kernel acknowledges: as Linux does, sixteen segments at once, and later some of
// them only after 40 ms or together with bytes of the bot's. Who is root there can hold all
// acknowledgements back, from the beginning or from some moment on. So can who reads late, but not
// that of the handshake.
struct Acks {
    Duration held{};
    Duration varies{};  // up to so much longer, by lot
    Duration held_after{};
};

struct LineTraits {
    Way way{};
    Acks acks{};
    std::string address = "10.1.1.1";
    bool from_this_machine = false;
    KernelHabits kernel{};
    const Stops* stops = nullptr;  // of the referee's machine
};

// A TCP connection. Its bytes come in order; the referee's end is read and written by the code that
// is used on real sockets, over a simulated kernel.
class Line final : public std::enable_shared_from_this<Line> {
 public:
    // When something left the referee's kernel, and by which count of bytes it is known.
    struct Left {
        Instant at{};
        std::uint32_t end = 0;
    };
    // The bot's side: what it gets.
    using OnBytes = std::function<void(std::string_view bytes, Left left)>;
    // When bytes of the bot's have come to the referee's kernel, and when the referee has read
    // them.
    struct OnWay {
        std::function<void(Instant at)> arrived;
        std::function<void(Instant at)> read;
    };

    // The world and the stops outlive it.
    Line(World& world, LineTraits traits, Random random);
    std::unique_ptr<referee::transport::Transport> transport();

    void on_bytes(OnBytes call) { on_bytes_ = std::move(call); }
    // A segment.
    void send(std::string bytes, OnWay on_way = {});
    void close() { on_bytes_ = {}; }
    // The bot ends the connection.
    void hang_up();
    const LineTraits& traits() const { return traits_; }
    // How many segments the bot has got so far.
    unsigned delivered() const { return delivered_; }
    // The smallest round trip that the referee's kernel has measured so far.
    Duration least_measured() const { return socket_->least_ever(); }
    // Whether the referee looked between the two, and read all that was there.
    bool was_emptied(Instant from, Instant to) const { return socket_->was_emptied(from, to); }
    // The moments around the call by which the referee sent that.
    referee::Stamp handed(std::uint32_t end) const { return socket_->handed(end); }
    void close_by_referee() { closed_ = true; }

 private:
    class End;
    struct Unread {
        std::uint64_t end = 0;
        std::function<void(Instant at)> read;
    };
    void tell_read();
    void taken(std::string_view bytes, std::uint32_t end);
    void delivered(const std::string& bytes, Left left);
    void acknowledge(std::uint32_t end);
    // When something that sets out now is there.
    Instant arrival(Instant& last);
    Duration held();
    void wake();

    World& world_;
    LineTraits traits_;
    Random random_;
    std::unique_ptr<Socket> socket_;
    referee::loop::Wakeup readable_;
    OnBytes on_bytes_;
    bool closed_ = false;
    unsigned delivered_ = 0;  // segments
    std::uint32_t delivered_end_ = 0;
    std::uint32_t acknowledged_ = 0;  // the bot's kernel has sent an acknowledgement up to here
    std::uint64_t arrived_ = 0;       // bytes of the bot's
    std::deque<Unread> unread_;
    Instant begun_{};
    Instant last_up_{};
    Instant last_down_{};
};

}  // namespace tests::sim::timing
