#include "sample_bots/cpp/kit/tls_link.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>

#include "protocol/base/hex.h"

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

}  // namespace

struct TlsLink::Session {
    struct Free {
        void operator()(SSL* object) const { SSL_free(object); }
        void operator()(SSL_CTX* object) const { SSL_CTX_free(object); }
        void operator()(X509* object) const { X509_free(object); }
    };
    std::unique_ptr<SSL_CTX, Free> context;
    std::unique_ptr<SSL, Free> ssl;
};

base::Result<std::unique_ptr<TlsLink>, NoConnection> TlsLink::over(
    int socket, const protocol::ServerAddress& address) {
    auto session = std::make_unique<Session>();
    session->context.reset(SSL_CTX_new(TLS_client_method()));
    SSL_CTX_set_min_proto_version(session->context.get(), TLS1_2_VERSION);
    SSL_CTX_set_default_verify_paths(session->context.get());
    session->ssl.reset(SSL_new(session->context.get()));
    auto* const ssl = session->ssl.get();
    SSL_set_fd(ssl, socket);
    SSL_set_tlsext_host_name(ssl, address.host.c_str());
    const bool by_fingerprint = !address.fingerprint.empty();
    if (!by_fingerprint) {
        SSL_set_verify(ssl, SSL_VERIFY_PEER, nullptr);
        SSL_set1_host(ssl, address.host.c_str());
    }
    if (!insist(*ssl, [ssl] { return SSL_connect(ssl); })) {
        const bool trusted = SSL_get_verify_result(ssl) == X509_V_OK;
        const auto* const remedy =
            by_fingerprint || trusted
                ? "look whether this is the referee's port for TLS; its other port's address is "
                  "HOST:PORT alone"
                : "a certificate that the referee made itself needs its fingerprint: ask the "
                  "instructor for the whole address, tls://HOST:PORT#sha256=...";
        return base::failure(
            NoConnection{to_text(address) + ": TLS could not begin (" + reason() + "); " + remedy,
                         !by_fingerprint && !trusted});
    }
    const std::unique_ptr<X509, Session::Free> found(SSL_get1_peer_certificate(ssl));
    const auto fingerprint = found != nullptr ? fingerprint_of(*found) : std::string("none");
    if (by_fingerprint && fingerprint != address.fingerprint) {
        return base::failure(NoConnection{
            "another certificate than the address names answers at " + address.host + ":" +
                address.port + ": expected sha256=" + address.fingerprint +
                ", found sha256=" + fingerprint +
                "; no token was sent. Ask the instructor whether the referee has a new one",
            true});
    }
    return std::unique_ptr<TlsLink>(new TlsLink(std::move(session)));
}

TlsLink::TlsLink(std::unique_ptr<Session> session) : session_(std::move(session)) {}

TlsLink::~TlsLink() {
    ERR_clear_error();
    SSL_shutdown(session_->ssl.get());
}

std::size_t TlsLink::read(std::span<char> room) {
    std::size_t bytes = 0;
    auto* const ssl = session_->ssl.get();
    const bool good =
        insist(*ssl, [&] { return SSL_read_ex(ssl, room.data(), room.size(), &bytes); });
    return good ? bytes : 0;
}

bool TlsLink::write(std::string_view text) {
    std::size_t bytes = 0;
    auto* const ssl = session_->ssl.get();
    return insist(*ssl, [&] { return SSL_write_ex(ssl, text.data(), text.size(), &bytes); });
}

}  // namespace kit
