#include "referee/launch/program/file_digests.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <vector>

#include "protocol/base/sha256.h"
#include "referee/launch/process/descriptor.h"

namespace referee::program {
namespace {

constexpr std::size_t read_bytes = 64 * 1024;

Trouble cannot_read(const std::string& path) {
    return {
        Trouble::Kind::unreadable,
        path + " can't be read: " + std::strerror(errno) +
            "; expected files and folders that the referee may read, e.g. after `chmod -R a+rX` "
            "on the bot's folder"};
}

Trouble too_large(const std::string& path, std::uint64_t bytes_max) {
    return {
        Trouble::Kind::too_many_bytes,
        path + " is more than can be read of a bot's program: " + std::to_string(bytes_max) +
            " bytes were left; expected a folder with the program and little else, e.g. with its "
            "logs elsewhere"};
}

std::int64_t in_ns(const timespec& time) {
    constexpr std::int64_t ns_a_second = 1'000'000'000;
    return time.tv_sec * ns_a_second + time.tv_nsec;
}

std::int64_t now_ns() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return in_ns(now);
}

}  // namespace

base::Result<FileDigest, Trouble> FileDigests::of(const std::string& path,
                                                  std::uint64_t bytes_max) {
    // A pipe that took the file's place would wait for its writer.
    const process::Descriptor file(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    if (!file || fstat(file.get(), &status) != 0) return base::failure(cannot_read(path));
    if (!S_ISREG(status.st_mode)) {
        return base::failure(Trouble{Trouble::Kind::no_file,
                                     path + " is no file any more; expected a program that stays "
                                            "as it is while it is launched"});
    }
    constexpr unsigned executable_bits = S_IXUSR | S_IXGRP | S_IXOTH;
    FileDigest digest;
    digest.executable = (status.st_mode & executable_bits) != 0;
    digest.bytes = static_cast<std::uint64_t>(status.st_size);
    if (digest.bytes > bytes_max) return base::failure(too_large(path, bytes_max));
    const Key key{status.st_dev, status.st_ino, digest.bytes, in_ns(status.st_ctim),
                  in_ns(status.st_mtim)};
    if (const auto found = remembered_.find(key); found != remembered_.end()) {
        digest.hex = found->second;
        return digest;
    }
    const bool settled = now_ns() - key.changed_ns > settled_ns;
    base::Hasher contents;
    std::vector<char> buffer(read_bytes);
    std::uint64_t bytes = 0;
    while (true) {
        const auto count = ::read(file.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return base::failure(cannot_read(path));
        if (count == 0) break;
        bytes += static_cast<std::uint64_t>(count);
        if (bytes > bytes_max) return base::failure(too_large(path, bytes_max));
        contents.add({buffer.data(), static_cast<std::size_t>(count)});
    }
    digest.bytes = bytes;
    digest.hex = base::hex_of(contents.finish());
    if (remembered_.size() >= remembered_max) remembered_.clear();
    if (settled && bytes == key.bytes) remembered_.emplace(key, digest.hex);
    return digest;
}

}  // namespace referee::program
