#pragma once

#include <memory>
#include <string>

#include "protocol/base/result.h"
#include "referee/net/tls/certificate.h"

namespace referee::tls {

// The referee's side of TLS with one certificate: 1.2 and up, ciphers with forward secrecy, no
// renegotiation, no compression, no resumption. A connection keeps what it began with, so a context
// may end, or give way to another, while its connections go on.
class Context {
 public:
    static base::Result<std::shared_ptr<const Context>, std::string> of(Certificate certificate);

    const std::string& fingerprint() const { return fingerprint_; }
    // A new connection that waits for its client's first word.
    Ssl new_connection() const;
    // For libraries that make connections of their own; they share it.
    SSL_CTX* native() const { return context_.get(); }

 private:
    Context(SslContext context, std::string fingerprint)
        : context_(std::move(context)), fingerprint_(std::move(fingerprint)) {}

    SslContext context_;
    std::string fingerprint_;
};

}  // namespace referee::tls
