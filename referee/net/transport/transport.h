#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "referee/game/clock/path.h"

namespace referee::transport {

// A two-way stream of bytes to one bot: a TCP connection, the input and output of a launched
// process, or a simulated link. Reading and writing never block; readable() and writable() wait.
// One reader and one writer at a time. Not thread safe.
class Transport {
 public:
    enum class Status : std::uint8_t {
        good,
        would_block,  // nothing now: wait
        closed,       // the other side has ended (reading), or is gone (writing)
        failed,       // the link broke: error() says how
    };
    struct Read {
        Status status = Status::would_block;
        std::size_t bytes = 0;
        // When the bytes came. `latest` is when the last of them did (the kernel's stamp, where
        // there is one), or a little later; before `earliest` none of them was there.
        Stamp stamp{};
        // The last byte came precisely at `stamp.latest`, and nothing was behind it.
        bool ends_at_stamp = true;
    };
    struct Write {
        Status status = Status::would_block;
        std::size_t bytes = 0;
        Stamp stamp{};  // when they left
    };

    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    virtual ~Transport() = default;

    // Completes when read() has something to tell, and after close().
    virtual boost::asio::awaitable<void> readable() = 0;
    virtual Read read(std::span<char> buffer) = 0;
    // Completes when write() may go on, and after close().
    virtual boost::asio::awaitable<void> writable() = 0;
    virtual Write write(std::string_view bytes) = 0;
    // Ends both directions; waiters complete. Idempotent.
    virtual void close() = 0;

    // The path's round trip as its history tells it at `now` or up to a second before; zeros where
    // nothing is known.
    virtual Path path(Instant /*now*/) const { return {}; }
    // The connection goes on from what `known` has: from here on both learn from this connection.
    virtual void continues(std::shared_ptr<clock::PathHistory> /*known*/) {}
    // Where the other side is: "192.0.2.7:40312", "process 4711"; and without the port.
    virtual std::string peer() const = 0;
    virtual std::string peer_address() const { return peer(); }
    // Whether the other side is on the same machine.
    virtual bool from_this_machine() const { return false; }
    // Whether the other side writes to its standard output, where prints for people go too.
    virtual bool is_standard_output() const { return false; }
    // Whether the kernel stamps what arrives, also while the referee's process stands still.
    virtual bool stamped_by_kernel() const { return false; }
    // How stamps are made: "kernel receive stamp", "read by the referee".
    virtual std::string_view stamp_source() const {
        return stamped_by_kernel() ? "kernel receive stamp" : "read by the referee";
    }
};

}  // namespace referee::transport
