#pragma once

#include <openssl/ssl.h>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <string>

#include "protocol/address.h"
#include "protocol/base/result.h"
#include "referee/net/tls/certificate.h"

// A client's side of TLS: who answers must have the certificate whose fingerprint the address
// names, or, where it names none, one for its host that this machine trusts.

namespace referee::tls {

// 1.2 and up.
inline void set_up_client(boost::asio::ssl::context& context) {
    boost::system::error_code ignored;
    SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
    context.set_default_verify_paths(ignored);
}

// Before the handshake.
template <typename Stream>
void expect(Stream& stream, const protocol::ServerAddress& address) {
    boost::system::error_code ignored;
    const bool by_fingerprint = !address.fingerprint.empty();
    SSL_set_tlsext_host_name(stream.native_handle(), address.host.c_str());
    stream.set_verify_mode(
        by_fingerprint ? boost::asio::ssl::verify_none : boost::asio::ssl::verify_peer, ignored);
    if (by_fingerprint) return;
    stream.set_verify_callback(boost::asio::ssl::host_name_verification(address.host), ignored);
}

// Behind it, before anything is said. The error goes on behind "; ".
inline base::Result<void, std::string> look_who_answers(SSL* connection,
                                                        const protocol::ServerAddress& address) {
    if (address.fingerprint.empty()) return {};
    const X509Certificate found(SSL_get1_peer_certificate(connection));
    const auto fingerprint = found != nullptr ? fingerprint_of(*found) : std::string("none");
    if (fingerprint == address.fingerprint) return {};
    return base::failure("another certificate than the address names answers at " +
                         host_and_port(address) + ": expected sha256=" + address.fingerprint +
                         ", found sha256=" + fingerprint);
}

}  // namespace referee::tls
