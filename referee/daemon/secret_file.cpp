#include "referee/daemon/secret_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "referee/daemon/token.h"
#include "referee/files/descriptor.h"
#include "referee/files/named_file.h"

namespace referee::daemon {
namespace {

// Who makes one by hand may make it longer than we do.
constexpr std::size_t secret_bytes_max = 1024;
constexpr std::size_t secret_bytes_min = 32;  // 128 bits as hexadecimal digits
constexpr mode_t secret_mode = S_IRUSR | S_IWUSR;

base::Result<std::string, std::string> make_secret(const std::string& file) {
    const auto beside = file + ".new";
    const auto failed = [&file, &beside] {
        auto message = "can't write " + file + ": " + std::strerror(errno);
        ::unlink(beside.c_str());
        return base::failure(std::move(message));
    };
    ::unlink(beside.c_str());
    const files::Descriptor out(
        ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, secret_mode));
    if (!out) return failed();
    const auto secret = fresh_token();
    const auto written = ::write(out.get(), secret.data(), secret.size());
    if (written != static_cast<ssize_t>(secret.size()) || ::fsync(out.get()) != 0) return failed();
    if (::rename(beside.c_str(), file.c_str()) != 0) return failed();
    return secret;
}

}  // namespace

base::Result<std::string, std::string> secret_in(const std::string& file) {
    if (::access(file.c_str(), F_OK) != 0 && errno == ENOENT) return make_secret(file);
    auto secret = files::read_named_file(file, secret_bytes_max);
    if (!secret) return base::failure(file + " " + secret.error());
    if (secret->size() < secret_bytes_min)
        return base::failure(file + ": expected a secret of at least " +
                             std::to_string(secret_bytes_min) +
                             " bytes; remove the file, and the referee makes a new one, with which "
                             "all bots get new pseudonyms");
    return *std::move(secret);
}

}  // namespace referee::daemon
