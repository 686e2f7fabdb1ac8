#include "sample_bots/cpp/kit/tls_connection.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <cstddef>
#include <utility>

#include "protocol/address.h"
#include "protocol/base/bytes.h"

namespace kit {
namespace {

std::string fingerprint_of(const X509& certificate) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
    unsigned size = 0;
    X509_digest(&certificate, EVP_sha256(), hash.data(), &size);
    return base::hex_of({hash.data(), size});
}

std::string reason() {
    const auto code = ERR_peek_error();
    const char* const words = ERR_GET_REASON(code) == SSL_R_WRONG_VERSION_NUMBER
                                  ? "what answers there speaks no TLS"
                                  : ERR_reason_error_string(code);
    std::string text = words != nullptr ? words : "the other side ended the connection";
    ERR_clear_error();
    return text;
}

// Makes the call again where a signal ended it; whether it went well.
template <typename Call>
bool insist(SSL& ssl, Call call) {
    while (true) {
        ERR_clear_error();
        const int done = call();
        if (done == 1) return true;
        const int error = SSL_get_error(&ssl, done);
        if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) return false;
    }
}

// Speaks over the socket of another connection.
class TlsConnection final : public referee_bot::Connection {
 public:
    explicit TlsConnection(std::unique_ptr<Connection> tcp)
        : Connection(-1, -1), tcp_(std::move(tcp)), context_(SSL_CTX_new(TLS_client_method())) {
        SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION);
        SSL_CTX_set_default_verify_paths(context_.get());
        ssl_.reset(SSL_new(context_.get()));
        SSL_set_fd(ssl_.get(), tcp_->socket());
    }
    ~TlsConnection() override {
        ERR_clear_error();
        SSL_shutdown(ssl_.get());
    }

    // Shakes hands and looks who answers.
    void begin(const protocol::ServerAddress& address) {
        auto* const ssl = ssl_.get();
        SSL_set_tlsext_host_name(ssl, address.host.c_str());
        const bool by_fingerprint = !address.fingerprint.empty();
        if (!by_fingerprint) {
            SSL_set_verify(ssl, SSL_VERIFY_PEER, nullptr);
            SSL_set1_host(ssl, address.host.c_str());
        }
        if (!insist(*ssl, [ssl] { return SSL_connect(ssl); })) refuse(address);
        const std::unique_ptr<X509, Free> found(SSL_get1_peer_certificate(ssl));
        const auto fingerprint = found != nullptr ? fingerprint_of(*found) : std::string("none");
        if (by_fingerprint && fingerprint != address.fingerprint) {
            throw referee_bot::NotAReferee(
                "another certificate than the address names answers at " + address.host + ":" +
                address.port + ": expected sha256=" + address.fingerprint +
                ", found sha256=" + fingerprint +
                "; no token was sent. Ask the instructor whether the referee has a new one");
        }
    }

 protected:
    ssize_t receive(char* room, std::size_t size) override {
        std::size_t bytes = 0;
        const bool good =
            insist(*ssl_, [&] { return SSL_read_ex(ssl_.get(), room, size, &bytes); });
        return good ? static_cast<ssize_t>(bytes) : 0;
    }
    ssize_t transmit(const char* data, std::size_t size) override {
        std::size_t bytes = 0;
        const bool good =
            insist(*ssl_, [&] { return SSL_write_ex(ssl_.get(), data, size, &bytes); });
        return good ? static_cast<ssize_t>(bytes) : 0;
    }

 private:
    struct Free {
        void operator()(SSL* object) const { SSL_free(object); }
        void operator()(SSL_CTX* object) const { SSL_CTX_free(object); }
        void operator()(X509* object) const { X509_free(object); }
    };

    [[noreturn]] void refuse(const protocol::ServerAddress& address) const {
        const bool by_fingerprint = !address.fingerprint.empty();
        const bool trusted = SSL_get_verify_result(ssl_.get()) == X509_V_OK;
        const auto* const remedy =
            by_fingerprint || trusted
                ? "look whether this is the referee's port for TLS; its other port's address is "
                  "HOST:PORT alone"
                : "a certificate that the referee made itself needs its fingerprint: ask the "
                  "instructor for the whole address, tls://HOST:PORT#sha256=...";
        const auto text = to_text(address) + ": TLS could not begin (" + reason() + "); " + remedy;
        if (!by_fingerprint && !trusted) throw referee_bot::NotAReferee(text);
        throw referee_bot::Lost(text);
    }

    std::unique_ptr<Connection> tcp_;
    std::unique_ptr<SSL_CTX, Free> context_;
    std::unique_ptr<SSL, Free> ssl_;
};

}  // namespace

std::unique_ptr<referee_bot::Connection> dial_tls(const std::string& address) {
    const auto parts = protocol::read_address(address);
    if (!parts) throw referee_bot::Refused(parts.error());
    auto host = parts->host;
    if (host.find(':') != std::string::npos) host = "[" + host + "]";
    auto connection = std::make_unique<TlsConnection>(referee_bot::dial(host + ":" + parts->port));
    connection->begin(*parts);
    return connection;
}

}  // namespace kit
