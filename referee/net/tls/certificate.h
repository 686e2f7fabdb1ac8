#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/net/tls/openssl_objects.h"

namespace referee::tls {

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

// SHA-256 of the whole certificate (its DER form), in 64 hexadecimal digits.
std::string fingerprint_of(const X509& certificate);

}  // namespace referee::tls
