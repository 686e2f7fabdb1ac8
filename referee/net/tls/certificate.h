#pragma once

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "protocol/base/result.h"

// OpenSSL's objects with an owner.

namespace referee::tls {

struct OpenSslFree {
    void operator()(BIO* object) const { BIO_free_all(object); }
    void operator()(EVP_PKEY* object) const { EVP_PKEY_free(object); }
    void operator()(SSL* object) const { SSL_free(object); }
    void operator()(SSL_CTX* object) const { SSL_CTX_free(object); }
    void operator()(X509* object) const { X509_free(object); }
    void operator()(X509_EXTENSION* object) const { X509_EXTENSION_free(object); }
};
using Bio = std::unique_ptr<BIO, OpenSslFree>;
using Key = std::unique_ptr<EVP_PKEY, OpenSslFree>;
using Ssl = std::unique_ptr<SSL, OpenSslFree>;
using SslContext = std::unique_ptr<SSL_CTX, OpenSslFree>;
using X509Certificate = std::unique_ptr<X509, OpenSslFree>;

// Takes what OpenSSL says about the last failure, in its words, and forgets it.
inline std::string take_trouble() {
    const auto code = ERR_peek_error();
    const char* const reason = ERR_reason_error_string(code);
    std::string text = reason != nullptr ? reason : "no reason is known";
    ERR_clear_error();
    return text;
}

using WallTime = std::chrono::system_clock::time_point;

// Both in PEM. The certificate's file may also hold those of the authorities between it and its
// root.
struct CertificateFiles {
    std::string certificate;
    std::string key;

    bool operator==(const CertificateFiles&) const = default;
};

// A warning is given so long before a certificate ends.
inline constexpr auto renewal_time = std::chrono::hours(24) * 14;

// What the referee proves with that it is the one whose address was given out.
struct Certificate {
    X509Certificate own;
    std::vector<X509Certificate> authorities;
    Key key;
    std::string fingerprint;
    std::vector<std::string> warnings;  // about good files
};

// Reads and checks both. An error says which file is wrong, what was found and what to do.
base::Result<Certificate, std::string> read_certificate(const CertificateFiles& files,
                                                        WallTime now);

// That it ends within the renewal time, or has ended; empty before that. Nobody is kept out by us:
// a daemon goes on by an old one, as the students have its fingerprint.
std::string warning_of_end(const X509& certificate, const std::string& file, WallTime now);

// SHA-256 of the whole certificate (its DER form), in 64 hexadecimal digits.
std::string fingerprint_of(const X509& certificate);

// How long a certificate that we make is valid. Clients know it by its fingerprint, so nothing is
// gained by a new one each year, and all students would need the new fingerprint.
inline constexpr auto made_certificate_time = std::chrono::hours(24) * 3650;

// Where the referee keeps a certificate of its own in that folder.
CertificateFiles own_files_in(const std::string& folder);

// Makes a certificate for `host` with its key (ECDSA P-256, signed by itself) where the folder has
// none: whoever has both keeps them. The key can be read by the present user only. True where they
// were made.
base::Result<bool, std::string> make_own_certificate(const CertificateFiles& files,
                                                     const std::string& host, WallTime now);

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
