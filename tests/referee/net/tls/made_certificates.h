#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "referee/net/tls/certificate_maker.h"
#include "referee/net/tls/context.h"

namespace referee::tls {

// A folder that ends with the test.
class Folder {
 public:
    Folder() {
        auto name = (std::filesystem::temp_directory_path() / "tls-test-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    Folder(Folder&&) = delete;
    Folder& operator=(Folder&&) = delete;

    const std::string& path() const { return path_; }
    std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
    std::string path_;
};

// Files of a certificate that was made at that moment.
inline CertificateFiles made_in(const Folder& folder, WallTime now,
                                const std::string& host = "lab-server") {
    const auto files = own_files_in(folder.path());
    const auto made = make_own_certificate(files, host, now);
    if (!made) throw std::runtime_error(made.error());
    return files;
}

inline std::shared_ptr<const Context> fresh_context() {
    const Folder folder;
    const auto now = std::chrono::system_clock::now();
    auto certificate = read_certificate(made_in(folder, now), now);
    if (!certificate) throw std::runtime_error(certificate.error());
    return Context::of(std::move(*certificate)).value();
}

}  // namespace referee::tls
