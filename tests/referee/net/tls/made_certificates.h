#pragma once

#include <memory>
#include <string>

#include "referee/net/tls/certificate.h"
#include "tests/folder_of_test.h"

namespace referee::tls {

// Files of a certificate that was made at that moment.
inline CertificateFiles made_in(const tests::FolderOfTest& folder, WallTime now,
                                const std::string& host = "lab-server") {
    const auto files = own_files_in(folder.path);
    const auto made = make_own_certificate(files, host, now);
    if (!made) throw std::runtime_error(made.error());
    return files;
}

inline std::shared_ptr<const Context> fresh_context() {
    const tests::FolderOfTest folder;
    const auto now = std::chrono::system_clock::now();
    auto certificate = read_certificate(made_in(folder, now), now);
    if (!certificate) throw std::runtime_error(certificate.error());
    return Context::of(std::move(*certificate)).value();
}

}  // namespace referee::tls
