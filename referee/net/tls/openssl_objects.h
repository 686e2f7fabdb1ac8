#pragma once

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

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

}  // namespace referee::tls
