#include "referee/submit/archives/unpack.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "protocol/json/printable.h"
#include "referee/files/descriptor.h"
#include "referee/limits.h"
#include "referee/submit/archives/archive_reader.h"
#include "referee/submit/archives/entry_path.h"

namespace referee::archives {
namespace {

using Kind = UnpackError::Kind;
using Done = base::Result<void, UnpackError>;

constexpr std::size_t piece_bytes = 64 * 1024;
constexpr mode_t file_mode = 0644;
constexpr mode_t program_mode = 0755;  // and of folders

UnpackError trouble(const std::string& path, int error) {
    return {Kind::trouble,
            "can't be unpacked: " + path + " can't be written: " + std::strerror(error)};
}

// Why no entry of that kind is taken; empty where it is.
std::string objection_to(EntryKind kind) {
    switch (kind) {
        case EntryKind::symbolic_link:
            return "is a symbolic link, which could lead anywhere";
        case EntryKind::hard_link:
            return "is a hard link, which could lead anywhere";
        case EntryKind::device:
            return "is neither a file nor a folder";
        case EntryKind::encrypted:
            return "is locked by a password";
        case EntryKind::file:
        case EntryKind::folder:
            break;
    }
    return {};
}

// What systems and editors add, and nobody handed in.
bool is_byproduct(const std::string& path) {
    return path == "__MACOSX" || path.starts_with("__MACOSX/") ||
           path.find("/__MACOSX/") != std::string::npos || path == ".DS_Store" ||
           path.ends_with("/.DS_Store");
}

class Unpacking {
 public:
    Unpacking(ArchiveReader reader, std::string folder, const UnpackLimits& limits)
        : reader_(std::move(reader)), folder_(std::move(folder)), limits_(limits) {}

    base::Result<Unpacked, UnpackError> run() {
        while (true) {
            const auto entry = reader_.next();
            if (!entry) return base::failure(UnpackError{Kind::unreadable, entry.error()});
            if (!*entry) break;
            if (++entries_ > limits_.files_max) {
                return base::failure(UnpackError{
                    Kind::too_much,
                    "has more than " + std::to_string(limits_.files_max) + " files and folders"});
            }
            if (auto taken = take(**entry); !taken) return base::failure(taken.error());
            if (unpacked_.refused.size() > limits::entries_refused_max) {
                return base::failure(UnpackError{
                    Kind::too_much, "has more than " + std::to_string(limits::entries_refused_max) +
                                        " entries that are refused, such as: " +
                                        describe(unpacked_.refused.front())});
            }
        }
        std::sort(unpacked_.files.begin(), unpacked_.files.end(),
                  [](const auto& one, const auto& other) { return one.path < other.path; });
        return std::move(unpacked_);
    }

 private:
    void refuse(const std::string& name, std::string reason) {
        unpacked_.refused.push_back({protocol::json::visible_line(name), std::move(reason)});
    }

    Done take(const ArchiveEntry& entry) {
        const auto safe = safe_path(entry.name);
        if (!safe) {
            refuse(entry.name, safe.error());
            return {};
        }
        if (is_byproduct(safe->path) || safe->path.empty()) return {};
        if (auto objection = objection_to(entry.kind); !objection.empty()) {
            refuse(safe->path, std::move(objection));
            return {};
        }
        const bool is_folder = entry.kind == EntryKind::folder;
        const auto place =
            is_folder ? places_.take_folder(safe->path) : places_.take_file(safe->path);
        if (!place) {
            refuse(safe->path, place.error());
            return {};
        }
        if (safe->changed) {
            unpacked_.remarks.push_back(
                safe->path + ": letters of its name that are no text were replaced by _");
        }
        return is_folder ? make_folder(safe->path) : write(entry, safe->path);
    }

    Done make_folder(const std::string& path) const {
        for (std::size_t end = 0; end != std::string::npos;) {
            end = path.find('/', end + 1);
            const auto folder = folder_ + "/" + path.substr(0, end);
            if (::mkdir(folder.c_str(), program_mode) == 0)
                ::chmod(folder.c_str(), program_mode);
            else if (errno != EEXIST)
                return base::failure(trouble(path, errno));
        }
        return {};
    }

    Done write(const ArchiveEntry& entry, const std::string& path) {
        if (const auto slash = path.rfind('/'); slash != std::string::npos) {
            if (auto made = make_folder(path.substr(0, slash)); !made) return made;
        }
        const auto file = folder_ + "/" + path;
        const files::Descriptor out(::open(file.c_str(),
                                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                           entry.executable ? program_mode : file_mode));
        if (!out) return base::failure(trouble(path, errno));
        // Whatever the mask is: in a sandbox another user reads them.
        if (::fchmod(out.get(), entry.executable ? program_mode : file_mode) != 0)
            return base::failure(trouble(path, errno));
        UnpackedFile written{path, 0, entry.changed_s};
        std::array<char, piece_bytes> piece{};
        while (true) {
            const auto count = reader_.read(piece);
            if (!count) return base::failure(UnpackError{Kind::unreadable, count.error()});
            if (*count == 0) break;
            written.bytes += *count;
            bytes_ += *count;
            if (bytes_ > limits_.bytes_max) {
                return base::failure(UnpackError{
                    Kind::too_much, "comes to more than " + std::to_string(limits_.bytes_max) +
                                        " bytes when it is unpacked"});
            }
            if (const int error = write_all(out.get(), piece.data(), *count); error != 0)
                return base::failure(trouble(path, error));
        }
        unpacked_.files.push_back(std::move(written));
        return {};
    }

    // 0 or an errno.
    static int write_all(int descriptor, const char* data, std::size_t size) {
        while (size > 0) {
            const auto count = ::write(descriptor, data, size);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return errno;
            data += count;
            size -= static_cast<std::size_t>(count);
        }
        return 0;
    }

    ArchiveReader reader_;
    std::string folder_;
    UnpackLimits limits_;
    TakenPlaces places_;
    Unpacked unpacked_;
    std::size_t entries_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace

std::string describe(const RefusedEntry& refused) {
    return refused.path + " " + refused.reason;
}

base::Result<Unpacked, UnpackError> unpack(const std::string& archive, const std::string& folder,
                                           const UnpackLimits& limits) {
    auto reader = ArchiveReader::open(archive);
    if (!reader) return base::failure(UnpackError{Kind::unreadable, reader.error()});
    return Unpacking(*std::move(reader), folder, limits).run();
}

}  // namespace referee::archives
