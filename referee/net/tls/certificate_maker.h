#pragma once

#include <string>

#include "protocol/base/result.h"
#include "referee/net/tls/certificate.h"

namespace referee::tls {

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

}  // namespace referee::tls
