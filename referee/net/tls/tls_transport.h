#pragma once

#include <functional>
#include <memory>
#include <string>

#include "referee/net/loop/wakeup.h"
#include "referee/net/tls/certificate.h"
#include "referee/net/transport/stamped_stream.h"
#include "referee/net/transport/transport.h"

namespace referee::tls {

// What a peer is told that doesn't speak TLS, and who is told of such peers.
struct PlainPeers {
    std::string plain_answer;  // a line
    // Whether the peer would have begun by now if it spoke TLS: its first word may be under way.
    std::function<bool()> had_time;
    std::function<void(const transport::Transport& peer, const std::string& why)> on_refused;
};

// TLS over another transport, which carries the records. It shakes hands while it is read and
// written; until that is done, nothing of the peer's is handed out and nothing is taken for it.
//
// A line is there when the TCP bytes that complete its record are, so all that a record holds has
// the record's stamp, as the transport below tells it; how long decryption takes makes no
// difference. All lines of a record came together. The way is that of the transport below.
//
// A connection that ends without TLS' own goodbye counts as closed, as one that ends with it: what
// came before was proved, record by record, and lines tell by themselves whether they are whole.
class TlsTransport final : public transport::Transport {
 public:
    TlsTransport(std::unique_ptr<transport::Transport> carrier, const Context& context,
                 const boost::asio::any_io_executor& executor, PlainPeers plain_peers);
    ~TlsTransport() override;

    boost::asio::awaitable<void> readable() override;
    Read read(std::span<char> room) override;
    boost::asio::awaitable<void> writable() override;
    // Where the transport below takes a part of a record, the last byte counts as not taken until
    // it has the rest. So whoever keeps bytes that were not taken must not change the first of
    // them.
    Write write(std::string_view bytes) override;
    // Says TLS' goodbye. A peer that had time and never spoke is given the plain answer: it may be
    // waiting for a line, while who speaks TLS speaks first.
    void close() override;

    Path path(Instant now) const override { return carrier_->path(now); }
    void continues(std::shared_ptr<clock::PathHistory> known) override {
        carrier_->continues(std::move(known));
    }
    std::string peer() const override { return carrier_->peer(); }
    std::string peer_address() const override { return carrier_->peer_address(); }
    bool from_this_machine() const override { return carrier_->from_this_machine(); }
    bool stamped_by_kernel() const override { return carrier_->stamped_by_kernel(); }
    std::string_view stamp_source() const override { return carrier_->stamp_source(); }

 private:
    enum class Phase : std::uint8_t { shaking_hands, open, left, failed, closed };

    // Fills `records_` with what has come.
    Status receive();
    // Gives the first record that is whole, or all where none is, to OpenSSL.
    void feed();
    void shake_hands();
    // What the record fed last holds; would_block where that is nothing.
    Read decrypted(std::span<char> room);
    bool has_encrypted() const { return BIO_ctrl_pending(out_) > 0; }
    // Hands the carrier what OpenSSL has ready: good where it took all of it, or there was nothing.
    Write send_encrypted();
    void fail(Phase phase);
    void refuse(const std::string& why) {
        if (plain_peers_.on_refused != nullptr) plain_peers_.on_refused(*this, why);
    }
    Status ended_as() const { return phase_ == Phase::failed ? Status::failed : Status::closed; }

    std::unique_ptr<transport::Transport> carrier_;
    Ssl ssl_;
    BIO* in_ = nullptr;   // owned by ssl_: records for it
    BIO* out_ = nullptr;  // and from it
    PlainPeers plain_peers_;
    loop::Wakeup handshake_signal_;  // it is over, or has something to be written
    Phase phase_ = Phase::shaking_hands;
    bool heard_ = false;  // anything at all
    transport::StreamPieces pieces_{transport::StreamOf::tls_records};
    std::string records_;  // that have come and are not fed yet, from fed_ on
    std::size_t fed_ = 0;
    Read arrived_;             // of records_
    Read decrypts_;            // of the record that is fed: stamp, and whether it ends there
    bool has_fed_ = false;     // a record that isn't read to its end
    unsigned barren_ = 0;      // records without a byte for whoever reads
    bool holds_back_ = false;  // the last byte that was encrypted was not told as taken
};

}  // namespace referee::tls
