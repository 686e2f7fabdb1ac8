#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <optional>

#include "referee/connections/net/stamped_reader.h"
#include "referee/connections/net/stamped_writer.h"
#include "referee/connections/runtime/transport.h"

namespace referee::net {

// A bot's TCP connection: no delay, arrivals and departures stamped by the kernel where it can.
class TcpTransport final : public runtime::Transport {
 public:
    // Told where somebody begins TLS on a stream of lines; the connection fails then.
    using OnTls = std::function<void(const TcpTransport&)>;

    // Requires an open, connected socket.
    explicit TcpTransport(boost::asio::ip::tcp::socket socket, StreamOf stream = StreamOf::lines,
                          OnTls on_tls = nullptr);
    ~TcpTransport() override;

    boost::asio::awaitable<void> readable() override;
    Read read(std::span<char> buffer) override;
    boost::asio::awaitable<void> writable() override;
    Write write(std::string_view bytes) override;
    void close() override;
    Path path(Instant now) const override;
    std::string peer() const override { return peer_; }
    std::string peer_address() const override { return peer_address_; }
    bool from_this_machine() const override { return from_this_machine_; }
    bool stamped_by_kernel() const override { return reader_.stamped_by_kernel(); }
    std::string_view stamp_source() const override {
        return stamped_by_kernel() ? "kernel receive stamp" : "read by the referee";
    }

 private:
    // Mutable for path(): asking the kernel changes nothing, but Asio gives the handle only of a
    // socket that isn't const.
    mutable boost::asio::ip::tcp::socket socket_;
    std::string peer_;
    std::string peer_address_;
    bool from_this_machine_ = false;
    OnTls on_tls_;  // null once something has come
    StampedReader reader_;
    mutable StampedWriter writer_;
};

}  // namespace referee::net
