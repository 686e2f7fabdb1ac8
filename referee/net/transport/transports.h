#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <optional>

#include "referee/files/file.h"
#include "referee/net/transport/epoll_set.h"
#include "referee/net/transport/stamped_stream.h"
#include "referee/net/transport/transport.h"

namespace referee::transport {

// A bot's TCP connection: no delay, arrivals and departures stamped by the kernel where it can.
class TcpTransport : public Transport {
 public:
    // Told where somebody begins TLS on a stream of lines; the connection fails then.
    using OnTls = std::function<void(const TcpTransport&)>;

    // Requires a connected socket that is set up for bots (tcp_socket.h), as a Listener's are.
    TcpTransport(const boost::asio::any_io_executor& executor, files::Descriptor socket,
                 StreamOf stream = StreamOf::lines, OnTls on_tls = nullptr);
    ~TcpTransport() override;

    boost::asio::awaitable<void> readable() override { return watched_.readable(); }
    Read read(std::span<char> buffer) override;
    boost::asio::awaitable<void> writable() override { return watched_.writable(); }
    Write write(std::string_view bytes) override;
    void close() override;
    Path path(Instant now) const override;
    void continues(std::shared_ptr<clock::PathHistory> known) override {
        writer_.continues(std::move(known));
    }
    std::string peer() const override { return ends_.peer; }
    std::string peer_address() const override { return ends_.peer_address; }
    bool from_this_machine() const override { return ends_.from_this_machine; }
    bool stamped_by_kernel() const override { return reader_.stamped_by_kernel(); }

 private:
    // As they were when it was connected.
    struct Ends {
        std::string peer;
        std::string peer_address;
        bool from_this_machine = false;
    };
    static Ends ends_of(int socket);

    // The kernel's stamps of what was sent wake the reader like bytes do.
    void collect_stamps();

    Ends ends_;
    files::Descriptor socket_;
    WatchedDescriptor watched_;
    OnTls on_tls_;  // null once something has come
    StampedReader reader_;
    mutable StampedWriter writer_;
};

// A launched process that speaks the protocol on its standard input and output. Where its output is
// one end of a TCP connection, the kernel stamps its answers, also while the referee stands still.
class PipeTransport final : public Transport {
 public:
    // Takes over both descriptors: `from_bot` is read, `to_bot` is written. Each may be a pipe or a
    // socket.
    PipeTransport(const boost::asio::any_io_executor& executor, int from_bot, int to_bot,
                  std::string peer);
    ~PipeTransport() override;
    bool is_standard_output() const override { return true; }

    boost::asio::awaitable<void> readable() override;
    Read read(std::span<char> buffer) override;
    boost::asio::awaitable<void> writable() override;
    Write write(std::string_view bytes) override;
    void close() override;
    std::string peer() const override { return peer_; }
    bool from_this_machine() const override { return true; }
    bool stamped_by_kernel() const override { return reader_ && reader_->stamped_by_kernel(); }

 private:
    Read read_pipe(std::span<char> buffer);

    files::Descriptor from_bot_;
    files::Descriptor to_bot_;
    boost::asio::any_io_executor executor_;
    WatchedDescriptor reading_;
    std::optional<WatchedDescriptor> writing_;  // once somebody has waited
    std::string peer_;
    std::optional<StampedReader> reader_;  // of a socket
};

}  // namespace referee::transport
