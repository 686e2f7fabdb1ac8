#pragma once

#include <algorithm>
#include <deque>
#include <string>

#include "referee/net/loop/signal.h"
#include "referee/net/loop/transport.h"

namespace referee::tls {

// What carries a TlsTransport in tests: what comes is put in read by read, each with its stamp, and
// what leaves stays here, as much of it as there is room for.
class MemoryLink final : public loop::Transport {
 public:
    explicit MemoryLink(const boost::asio::any_io_executor& executor)
        : readable_(executor), writable_(executor) {}

    boost::asio::awaitable<void> readable() override {
        while (arrivals.empty() && !closed && !ended) co_await readable_.wait();
    }
    Read read(std::span<char> into) override {
        if (closed) return {Status::closed, 0, {}};
        if (arrivals.empty()) return {ended ? Status::closed : Status::would_block, 0, {}};
        auto& first = arrivals.front();
        auto told = first.told;
        told.status = Status::good;
        told.bytes = std::min(into.size(), first.bytes.size());
        told.ends_at_stamp = told.ends_at_stamp && told.bytes == first.bytes.size();
        std::copy_n(first.bytes.begin(), told.bytes, into.begin());
        first.bytes.erase(0, told.bytes);
        if (first.bytes.empty()) arrivals.pop_front();
        return told;
    }
    boost::asio::awaitable<void> writable() override {
        while (room == 0 && !closed) co_await writable_.wait();
    }
    Write write(std::string_view bytes) override {
        if (closed) return {Status::closed, 0, {}};
        if (room == 0) return {Status::would_block, 0, {}};
        const auto taken = std::min(room, bytes.size());
        room -= taken;
        sent += bytes.substr(0, taken);
        ++writes;
        return {Status::good, taken, sent_at};
    }
    void close() override {
        closed = true;
        readable_.notify();
        writable_.notify();
    }
    Path path(Instant /*now*/) const override { return Path::exact(std::chrono::microseconds(77)); }
    std::string peer() const override { return "192.0.2.7:40312"; }
    std::string peer_address() const override { return "192.0.2.7"; }
    bool stamped_by_kernel() const override { return true; }
    std::string_view stamp_source() const override { return "kernel receive stamp"; }

    // One read of it.
    void arrive(std::string bytes, Stamp stamp, bool ends_at_stamp = true) {
        Read told;
        told.stamp = stamp;
        told.ends_at_stamp = ends_at_stamp;
        if (!bytes.empty()) arrivals.push_back({std::move(bytes), told});
        readable_.notify();
    }
    // It takes so many bytes from now on.
    void take(std::size_t bytes) {
        room = bytes;
        writable_.notify();
    }

    struct Arrival {
        std::string bytes;
        Read told;
    };
    std::deque<Arrival> arrivals;
    bool ended = false;   // by the peer
    bool closed = false;  // by us
    std::string sent;
    Stamp sent_at{};
    std::size_t room = SIZE_MAX;
    int writes = 0;

 private:
    loop::Signal readable_;
    loop::Signal writable_;
};

}  // namespace referee::tls
