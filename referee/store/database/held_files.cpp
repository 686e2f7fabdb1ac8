#include "referee/store/database/held_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

namespace referee::store {

HeldFiles::HeldFiles(const std::string& path) {
    for (const auto* ending : {"", "-wal"}) {
        const auto name = path + ending;
        files::Descriptor file(open(name.c_str(), O_PATH | O_CLOEXEC));
        // One that can't be looked at is not watched.
        if (file) files_.push_back({name, std::move(file)});
    }
}

std::optional<std::string> HeldFiles::fault() const {
    for (const auto& held : files_) {
        struct stat ours {};
        struct stat named {};
        if (fstat(held.file.get(), &ours) != 0) continue;
        if (stat(held.name.c_str(), &named) != 0) {
            if (errno == ENOENT) return held.name + " was removed or renamed while it is in use";
            continue;
        }
        if (ours.st_dev != named.st_dev || ours.st_ino != named.st_ino)
            return "another file was put in the place of " + held.name + " while it is in use";
    }
    return std::nullopt;
}

}  // namespace referee::store
