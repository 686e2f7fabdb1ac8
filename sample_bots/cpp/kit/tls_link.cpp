#include "sample_bots/cpp/kit/tls_link.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>

namespace kit {
namespace {

std::string fingerprint_of(const X509& certificate) {
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr unsigned half_byte = 4;
    constexpr unsigned low_half = 0x0F;
    std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
    unsigned size = 0;
    X509_digest(&certificate, EVP_sha256(), hash.data(), &size);
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
        text += digits[hash[i] >> half_byte];
        text += digits[hash[i] & low_half];
    }
    return text;
}

std::string reason() {
    const char* const words = ERR_reason_error_string(ERR_peek_error());
    std::string text = words != nullptr ? words : "the other side ended the connection";
    ERR_clear_error();
    return text;
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

std::unique_ptr<TlsLink> TlsLink::over(int socket, const protocol::ServerAddress& address,
                                       std::string& error) {
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
    ERR_clear_error();
    if (SSL_connect(ssl) != 1) {
        error = to_text(address) + ": TLS could not begin (" + reason() + "); ";
        error += by_fingerprint
                     ? "look whether this is the referee's port for TLS"
                     : "a certificate that the referee made itself needs its fingerprint: ask the "
                       "instructor for the whole address, tls://HOST:PORT#sha256=...";
        return nullptr;
    }
    if (by_fingerprint) {
        const std::unique_ptr<X509, Session::Free> found(SSL_get1_peer_certificate(ssl));
        const auto fingerprint = found != nullptr ? fingerprint_of(*found) : std::string("none");
        if (fingerprint != address.fingerprint) {
            error = "another certificate than the address names answers at " + address.host + ":" +
                    address.port + ": expected sha256=" + address.fingerprint +
                    ", found sha256=" + fingerprint +
                    "; no token was sent. Ask the instructor whether the referee has a new one";
            return nullptr;
        }
    }
    return std::unique_ptr<TlsLink>(new TlsLink(std::move(session)));
}

TlsLink::TlsLink(std::unique_ptr<Session> session) : session_(std::move(session)) {}

TlsLink::~TlsLink() {
    ERR_clear_error();
    SSL_shutdown(session_->ssl.get());
}

long TlsLink::read(std::span<char> room) {
    ERR_clear_error();
    std::size_t bytes = 0;
    const bool good = SSL_read_ex(session_->ssl.get(), room.data(), room.size(), &bytes) == 1;
    return good ? static_cast<long>(bytes) : 0;
}

long TlsLink::write(std::string_view text) {
    ERR_clear_error();
    std::size_t bytes = 0;
    const bool good = SSL_write_ex(session_->ssl.get(), text.data(), text.size(), &bytes) == 1;
    return good ? static_cast<long>(bytes) : -1;
}

}  // namespace kit
