#include "referee/cli/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace referee::cli {
namespace {

constexpr mode_t private_mode = S_IRUSR | S_IWUSR;

std::string trouble(const std::string& file) {
    return file + " can't be written: " + std::strerror(errno);
}

bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const auto written = write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return fsync(descriptor) == 0;
}

}  // namespace

base::Result<void, std::string> write_private_file(const std::string& file, std::string_view text,
                                                   bool overwrite) {
    // Beside it, so that one call puts it in its place.
    auto made = file + ".XXXXXX";
    const int descriptor = mkstemp(made.data());
    if (descriptor < 0) return base::failure(trouble(file));
    const bool whole = fchmod(descriptor, private_mode) == 0 && write_all(descriptor, text);
    auto why = whole ? std::string() : trouble(file);
    close(descriptor);
    // A link never takes the place of a file; a name that is moved does.
    if (whole && overwrite && std::rename(made.c_str(), file.c_str()) == 0) return {};
    const bool placed = whole && !overwrite && link(made.c_str(), file.c_str()) == 0;
    if (whole && !placed)
        why = errno == EEXIST ? file +
                                    " is there already; expected another name behind -o, or "
                                    "--overwrite to put the new file in its place"
                              : trouble(file);
    unlink(made.c_str());
    if (placed) return {};
    return base::failure(std::move(why));
}

}  // namespace referee::cli
