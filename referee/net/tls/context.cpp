#include "referee/net/tls/context.h"

#include <utility>

#include "protocol/base/assertion.h"

namespace referee::tls {
namespace {

// Of TLS 1.2; in 1.3 there are no others. Every client of the last ten years has one of these.
constexpr const char* ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";

void forbid(SSL_CTX& context) {
    // Connections live long: resuming one would save little. A second handshake within a connection
    // is work that only the peer decides about.
    SSL_CTX_set_options(&context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                      SSL_OP_NO_TICKET | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_num_tickets(&context, 0);
    SSL_CTX_set_session_cache_mode(&context, SSL_SESS_CACHE_OFF);
    // Most connections are silent most of the time.
    SSL_CTX_set_mode(&context, SSL_MODE_RELEASE_BUFFERS);
}

}  // namespace

base::Result<std::shared_ptr<const Context>, std::string> Context::of(Certificate certificate) {
    SslContext context(SSL_CTX_new(TLS_server_method()));
    REFEREE_ASSERT(context != nullptr);
    const auto least = SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
    const int chosen = SSL_CTX_set_cipher_list(context.get(), ciphers);
    REFEREE_ASSERT(least == 1 && chosen == 1);
    forbid(*context);
    bool used = SSL_CTX_use_certificate(context.get(), certificate.own.get()) == 1 &&
                SSL_CTX_use_PrivateKey(context.get(), certificate.key.get()) == 1;
    for (const auto& authority : certificate.authorities)
        used = used && SSL_CTX_add1_chain_cert(context.get(), authority.get()) == 1;
    if (!used)
        return base::failure("OpenSSL doesn't take the certificate: " + take_trouble() +
                             "; expected a key of ECDSA P-256 or RSA of 2048 bits or more");
    return std::shared_ptr<const Context>(
        new Context(std::move(context), std::move(certificate.fingerprint)));
}

Ssl Context::new_connection() const {
    Ssl connection(SSL_new(context_.get()));
    REFEREE_ASSERT(connection != nullptr);
    SSL_set_accept_state(connection.get());
    return connection;
}

}  // namespace referee::tls
