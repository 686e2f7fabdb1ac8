#include "referee/net/tls/tls_transport.h"

#include <openssl/err.h>

#include <algorithm>
#include <array>

#include "protocol/base/assertion.h"
#include "referee/net/transport/tcp_socket.h"

namespace referee::tls {
namespace {

// The most that one record carries.
constexpr std::size_t record_bytes_max = 16 * 1024;
// Reads of a call that bring nothing to hand out. OpenSSL suffers no more empty records or changes
// of keys in a row, so an honest peer needs no more; one that sends single bytes without end takes
// turns with the others.
constexpr unsigned fruitless_reads_max = 32;
constexpr std::size_t records_bytes_kept = 1024;
// Records of a connection that carry nothing but new keys, or nothing: each costs more than a line,
// and honest peers change their keys after gigabytes.
constexpr unsigned barren_records_max = 100;

std::string reason_of_refusal() {
    const auto code = ERR_peek_error();
    const int reason = ERR_GET_REASON(code);
    const auto words = take_trouble();
    if (reason == SSL_R_UNSUPPORTED_PROTOCOL || reason == SSL_R_UNKNOWN_PROTOCOL ||
        reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_VERSION_TOO_LOW)
        return "it offers no TLS of version 1.2 or 1.3, which are expected (" + words + ")";
    if (reason == SSL_R_NO_SHARED_CIPHER)
        return "it offers no cipher with forward secrecy, such as ECDHE with AES-GCM (" + words +
               ")";
    if (reason == SSL_R_TLSV1_ALERT_UNKNOWN_CA || reason == SSL_R_SSLV3_ALERT_BAD_CERTIFICATE ||
        reason == SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN ||
        reason == SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED)
        return "it doesn't trust the certificate (" + words +
               "); a client that is given the address with its fingerprint compares that instead";
    return "TLS could not begin (" + words + ")";
}

}  // namespace

TlsTransport::TlsTransport(std::unique_ptr<transport::Transport> carrier, const Context& context,
                           const boost::asio::any_io_executor& executor, PlainPeers plain_peers)
    : carrier_(std::move(carrier)),
      ssl_(context.new_connection()),
      in_(BIO_new(BIO_s_mem())),
      out_(BIO_new(BIO_s_mem())),
      plain_peers_(std::move(plain_peers)),
      handshake_signal_(executor) {
    SSL_set_bio(ssl_.get(), in_, out_);
}

TlsTransport::~TlsTransport() {
    close();
}

boost::asio::awaitable<void> TlsTransport::readable() {
    const bool has_more = has_fed_ || fed_ < records_.size();
    if (has_more || phase_ > Phase::open) co_return;
    co_await carrier_->readable();
}

boost::asio::awaitable<void> TlsTransport::writable() {
    while (phase_ == Phase::shaking_hands && !has_encrypted()) co_await handshake_signal_.wait();
    if (phase_ <= Phase::open) co_await carrier_->writable();
}

transport::Transport::Read TlsTransport::read(std::span<char> room) {
    for (unsigned fruitless = 0; phase_ <= Phase::open;) {
        if (has_fed_ && phase_ == Phase::open) {
            const auto read = decrypted(room);
            if (read.status != Status::would_block) return read;
        } else if (fed_ < records_.size()) {
            feed();
        } else {
            if (++fruitless > fruitless_reads_max) return {};
            const auto status = receive();
            if (status == Status::would_block) return {};
            if (status == Status::closed) {
                if (phase_ == Phase::shaking_hands && heard_)
                    refuse("it ended the connection before TLS had begun");
                fail(Phase::left);
            } else if (status == Status::failed) {
                fail(Phase::failed);
            }
        }
    }
    return {ended_as(), 0, decrypts_.stamp};
}

transport::Transport::Status TlsTransport::receive() {
    std::array<char, record_bytes_max> room;
    const auto got = carrier_->read(room);
    if (got.status != Status::good) return got.status;
    if (!std::exchange(heard_, true) && room.front() != transport::tls_handshake_record) {
        carrier_->write(plain_peers_.plain_answer);
        refuse("it speaks without TLS");
        return Status::failed;
    }
    records_.assign(room.data(), got.bytes);
    fed_ = 0;
    arrived_ = got;
    return Status::good;
}

void TlsTransport::feed() {
    const auto rest = std::span<const char>(records_).subspan(fed_);
    const auto end = pieces_.first_end(rest);
    const auto piece = rest.first(end.value_or(rest.size()));
    pieces_.passed(piece);
    const int fed = BIO_write(in_, piece.data(), static_cast<int>(piece.size()));
    REFEREE_ASSERT(fed == static_cast<int>(piece.size()));
    const bool last = piece.size() == rest.size();
    decrypts_.ends_at_stamp = last && end && arrived_.ends_at_stamp;
    decrypts_.stamp =
        decrypts_.ends_at_stamp ? Stamp::exact(arrived_.stamp.latest) : arrived_.stamp;
    fed_ += piece.size();
    if (last) {
        records_.clear();
        fed_ = 0;
        if (records_.capacity() > records_bytes_kept) records_.shrink_to_fit();
    }
    if (!end) return;
    if (phase_ == Phase::shaking_hands) {
        shake_hands();
    } else {
        has_fed_ = true;
    }
}

void TlsTransport::shake_hands() {
    ERR_clear_error();
    const int done = SSL_do_handshake(ssl_.get());
    const bool goes_on = done == 1 || SSL_get_error(ssl_.get(), done) == SSL_ERROR_WANT_READ;
    if (!goes_on) {
        refuse(reason_of_refusal());
        return fail(Phase::failed);
    }
    if (done == 1) phase_ = Phase::open;
    send_encrypted();
    if (done == 1 || has_encrypted()) handshake_signal_.notify();
}

transport::Transport::Read TlsTransport::decrypted(std::span<char> room) {
    ERR_clear_error();
    std::size_t bytes = 0;
    const int done = SSL_read_ex(ssl_.get(), room.data(), room.size(), &bytes);
    has_fed_ = done == 1 && SSL_pending(ssl_.get()) > 0;
    if (done == 1) {
        auto read = decrypts_;
        read.status = Status::good;
        read.bytes = bytes;
        read.ends_at_stamp = decrypts_.ends_at_stamp && !has_fed_;
        return read;
    }
    const int error = SSL_get_error(ssl_.get(), done);
    if (error == SSL_ERROR_WANT_READ && ++barren_ <= barren_records_max) {
        send_encrypted();  // an answer to a change of keys
    } else {
        fail(error == SSL_ERROR_ZERO_RETURN ? Phase::left : Phase::failed);
    }
    return {};
}

transport::Transport::Write TlsTransport::send_encrypted() {
    Write write;
    write.status = Status::good;
    while (has_encrypted()) {
        char* bytes = nullptr;
        const auto size = BIO_get_mem_data(out_, &bytes);
        write = carrier_->write({bytes, static_cast<std::size_t>(size)});
        if (write.status != Status::good) return write;
        std::array<char, record_bytes_max> sent;
        for (auto left = write.bytes; left > 0;)
            left -= static_cast<std::size_t>(
                BIO_read(out_, sent.data(), static_cast<int>(std::min(left, sent.size()))));
    }
    return write;
}

transport::Transport::Write TlsTransport::write(std::string_view bytes) {
    if (phase_ > Phase::open) return {ended_as(), 0, {}};
    auto write = send_encrypted();
    if (write.status != Status::good) return {write.status, 0, {}};
    if (phase_ == Phase::shaking_hands || bytes.empty()) return {};
    if (std::exchange(holds_back_, false)) return {Status::good, 1, write.stamp};
    const auto piece = bytes.substr(0, record_bytes_max);
    ERR_clear_error();
    std::size_t encrypted = 0;
    const int done = SSL_write_ex(ssl_.get(), piece.data(), piece.size(), &encrypted);
    if (done != 1) {
        fail(Phase::failed);
        return {Status::failed, 0, {}};
    }
    REFEREE_ASSERT(encrypted == piece.size());
    write = send_encrypted();
    if (write.status == Status::good) return {Status::good, piece.size(), write.stamp};
    if (write.status != Status::would_block) return {write.status, 0, {}};
    holds_back_ = true;
    const bool single = piece.size() == 1;
    return {single ? Status::would_block : Status::good, piece.size() - 1, write.stamp};
}

void TlsTransport::fail(Phase phase) {
    send_encrypted();  // what OpenSSL has to say about it
    phase_ = phase;
    has_fed_ = false;
    handshake_signal_.notify();
}

void TlsTransport::close() {
    if (phase_ == Phase::closed) return;
    if (phase_ == Phase::open) {
        ERR_clear_error();
        SSL_shutdown(ssl_.get());
        send_encrypted();
    } else if (phase_ == Phase::shaking_hands && !heard_ && plain_peers_.had_time != nullptr &&
               plain_peers_.had_time()) {
        carrier_->write(plain_peers_.plain_answer);
    }
    phase_ = Phase::closed;
    carrier_->close();
    handshake_signal_.notify();
}

}  // namespace referee::tls
