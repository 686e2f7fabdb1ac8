#include "referee/files/named_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "protocol/base/text.h"
#include "referee/files/descriptor.h"

namespace referee::files {
namespace {

constexpr std::size_t piece_bytes = 64 * 1024;

std::string trouble(int reason) {
    return std::string("can't be read: ") + std::strerror(reason);
}

// Empty for a regular file.
std::string other_kind(mode_t mode) {
    if (S_ISREG(mode)) return {};
    if (S_ISDIR(mode)) return "is a directory";
    if (S_ISFIFO(mode)) return "is a FIFO (a named pipe)";
    return "is a device or a socket";
}

base::Result<Descriptor, std::string> open_regular(const std::string& file) {
    // Opening a FIFO would wait for its writer otherwise.
    Descriptor opened(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    // Opening a socket fails as a device without a driver does.
    if (!opened)
        return base::failure(errno == ENXIO ? std::string("is a device or a socket")
                                            : trouble(errno));
    struct stat facts {};
    if (::fstat(opened.get(), &facts) != 0) return base::failure(trouble(errno));
    if (auto kind = other_kind(facts.st_mode); !kind.empty()) return base::failure(std::move(kind));
    return opened;
}

base::Result<void, std::string> write_into(const std::string& file, const std::string& text) {
    errno = 0;
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << text;
    out.flush();
    if (!out) return base::failure(std::string("can't be written: ") + std::strerror(errno));
    return {};
}

}  // namespace

bool is_there(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

bool is_regular_file(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

std::string first_bytes(const std::string& file, std::size_t count) {
    const auto opened = open_regular(file);
    if (!opened) return {};
    std::string bytes(count, '\0');
    const auto got = ::pread(opened->get(), bytes.data(), count, 0);
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return bytes;
}

base::Result<std::string, std::string> read_named_file(const std::string& file,
                                                       std::size_t bytes_max) {
    const auto opened = open_regular(file);
    if (!opened) return base::failure(opened.error());
    struct stat facts {};
    const bool told = ::fstat(opened->get(), &facts) == 0 && facts.st_size > 0;
    auto room = told ? static_cast<std::size_t>(facts.st_size) + 1 : piece_bytes;
    std::string text;
    for (std::size_t used = 0;; room = 2 * used) {
        // One byte more than it may have tells that it has too many.
        if (used == text.size()) text.resize(std::min(room, bytes_max + 1));
        const auto got = ::read(opened->get(), text.data() + used, text.size() - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return base::failure(trouble(errno));
        used += static_cast<std::size_t>(got);
        if (used > bytes_max)
            return base::failure("has more than " + std::to_string(bytes_max) + " bytes");
        if (got > 0) continue;
        text.resize(used);
        return text;
    }
}

base::Result<void, std::string> replace_file(const std::string& file, const std::string& text) {
    const auto beside = file + ".part";
    auto written = write_into(beside, text);
    std::error_code error;
    if (written) std::filesystem::rename(beside, file, error);
    if (written && !error) return {};
    std::error_code none;
    std::filesystem::remove(beside, none);
    if (written) return base::failure("can't be written: " + error.message());
    return written;
}

base::Result<void, std::string> write_file(const std::string& file, const std::string& text) {
    const auto written = replace_file(file, text);
    if (!written) return base::failure(file + ": " + written.error());
    return {};
}

base::Result<void, std::string> write_named_file(const std::string& file, const std::string& text) {
    std::error_code none;
    const auto there = std::filesystem::status(file, none);
    if (std::filesystem::is_directory(there)) return base::failure(std::string("is a directory"));
    if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
        return write_into(file, text);
    const auto target = std::filesystem::canonical(file, none);
    return replace_file(none ? file : target.string(), text);
}

std::string folder_name_of(const std::string& bot) {
    std::string text;
    for (const char c : bot) {
        if (base::is_of_id(c)) {
            text += c;
        } else {
            text += '%' + std::to_string(static_cast<unsigned char>(c));
        }
    }
    return text;
}

}  // namespace referee::files
