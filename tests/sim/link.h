#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "referee/net/loop/wakeup.h"
#include "referee/net/transport/transport.h"
#include "tests/sim/world.h"

namespace tests::sim {

// Makes lines of what comes in pieces.
class LineCutter {
 public:
    template <typename OnLine>
    void add(std::string_view bytes, const OnLine& on_line) {
        for (auto end = bytes.find('\n'); end != bytes.npos; end = bytes.find('\n')) {
            const auto line = std::exchange(begun_, {}).append(bytes.substr(0, end));
            bytes.remove_prefix(end + 1);
            on_line(line);
        }
        begun_ += bytes;
    }
    void clear() { begun_.clear(); }

 private:
    std::string begun_;
};

// How a simulated connection behaves.
struct LinkTraits {
    Duration delay{};                 // one way
    Duration jitter{};                // up to so much more for each piece; in order, as in TCP
    Duration read_lag{};              // bytes can be read so long before the reader is woken
    Duration read_time{};             // each read of bytes takes the referee so long
    std::size_t piece_max = 0;        // pieces of at most so many bytes; 0: whole
    std::size_t window = 256 * 1024;  // on the way to the bot before writing blocks
    bool partial_writes = false;      // write() takes only a part now and then
    bool tells_round_trip = false;
    std::string address = "a simulated place";  // no bounds are known of it
};

// A two-way stream between the referee and a bot. Both of them keep it alive.
class Link final : public std::enable_shared_from_this<Link> {
 public:
    // The bot's side.
    class Peer {
     public:
        virtual ~Peer() = default;
        virtual void on_bytes(Link& link, std::string_view bytes) = 0;
        virtual void on_closed(Link& link) = 0;
    };
    // Sees every line that is written and every line that arrives, when it happens.
    class Wire {
     public:
        virtual ~Wire() = default;
        virtual void to_bot(const Link& link, std::string_view line) = 0;
        virtual void from_bot(const Link& link, std::string_view line) = 0;
    };

    Link(World& world, std::uint64_t number, LinkTraits traits, Random random, Peer& peer,
         Wire* wire);

    // For Lobby::admit.
    std::unique_ptr<referee::transport::Transport> server_end();

    std::uint64_t number() const { return number_; }
    Instant now() const { return world_.now(); }
    const LinkTraits& traits() const { return traits_; }

    // The bot's side.
    void send(std::string_view bytes);
    // Ends in order: what was sent before arrives first.
    void close();
    // Breaks: both sides notice, and bytes on the way are lost.
    void break_off();
    // The bot is gone, and nobody tells the referee.
    void vanish();
    // Bytes for the bot stay in the link until it reads again.
    void read(bool reads);
    // From now on each write takes the referee so long.
    void writes_take(Duration time) { write_time_ = time; }
    bool open_for_bot() const { return peer_ != nullptr; }
    bool closed_by_server() const { return server_closed_; }
    // Whether so far the link has not broken or vanished, and the bot has not stopped reading.
    bool sound() const { return sound_; }

 private:
    class ServerEnd;
    struct Piece {
        std::string bytes;
        Instant stamp{};
    };

    void arrive(std::string bytes);
    void wake_reader();
    referee::transport::Transport::Read take(std::span<char> buffer);
    referee::transport::Transport::Write put(std::string_view bytes);
    void deliver(std::size_t bytes);
    void close_by_server();
    void tell_closed();
    Instant arrival(Instant& last);

    World& world_;
    std::uint64_t number_;
    LinkTraits traits_;
    Random random_;
    Peer* peer_;
    Wire* wire_;
    referee::loop::Wakeup readable_;
    referee::loop::Wakeup writable_;
    std::deque<Piece> inbox_;
    std::size_t taken_ = 0;  // of the first piece
    bool woken_ = false;     // the reader may look
    bool ended_ = false;     // the bot's end has arrived
    bool broken_ = false;
    bool server_closed_ = false;
    bool vanished_ = false;
    bool reads_ = true;
    bool sound_ = true;
    bool closing_ = false;    // the bot has closed
    std::string outbox_;      // on the way to the bot, or waiting for it to read
    std::size_t landed_ = 0;  // bytes of it that have arrived there
    Instant last_up_{};
    Instant last_down_{};
    Duration write_time_{};
    LineCutter lines_up_;
    LineCutter lines_down_;
};

}  // namespace tests::sim
