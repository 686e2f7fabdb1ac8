#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <optional>

#include "referee/files/descriptor.h"
#include "referee/net/loop/transport.h"
#include "referee/net/transport/ready_set.h"
#include "referee/net/transport/stamped_reader.h"

namespace referee::transport {

// A launched process that speaks the protocol on its standard input and output. Where its output is
// one end of a TCP connection, the kernel stamps its answers, also while the referee stands still.
class PipeTransport final : public loop::Transport {
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
    std::string_view stamp_source() const override {
        return stamped_by_kernel() ? "kernel receive stamp" : "read by the referee";
    }

 private:
    Read read_pipe(std::span<char> buffer);

    files::Descriptor from_bot_;
    files::Descriptor to_bot_;
    boost::asio::any_io_executor executor_;
    Watched reading_;
    std::optional<Watched> writing_;  // once somebody has waited
    std::string peer_;
    std::optional<StampedReader> reader_;  // of a socket
};

}  // namespace referee::transport
