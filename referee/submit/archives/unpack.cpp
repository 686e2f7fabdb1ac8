#include "referee/submit/archives/archives.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "protocol/json/text.h"
#include "referee/files/file.h"
#include "referee/limits.h"

namespace referee::archives {
namespace {

constexpr std::size_t block_bytes = 64 * 1024;

// The library turns names into the thread's locale: with this one they stay UTF-8, whatever the
// machine is set to.
class Utf8Here {
 public:
    Utf8Here() : locale_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
        if (locale_ != nullptr) before_ = ::uselocale(locale_);
    }
    ~Utf8Here() {
        if (locale_ == nullptr) return;
        ::uselocale(before_);
        ::freelocale(locale_);
    }
    Utf8Here(const Utf8Here&) = delete;
    Utf8Here& operator=(const Utf8Here&) = delete;

 private:
    locale_t locale_;
    locale_t before_ = nullptr;
};

std::string reason_of(archive* reader) {
    const char* text = archive_error_string(reader);
    return text == nullptr ? "its bytes make no sense" : protocol::json::visible_line(text);
}

EntryKind kind_of(archive_entry* entry) {
    if (archive_entry_hardlink(entry) != nullptr) return EntryKind::hard_link;
    if (archive_entry_symlink(entry) != nullptr) return EntryKind::symbolic_link;
    if (archive_entry_is_encrypted(entry) != 0) return EntryKind::encrypted;
    switch (archive_entry_filetype(entry)) {
        case AE_IFDIR:
            return EntryKind::folder;
        case AE_IFLNK:
            return EntryKind::symbolic_link;
        case AE_IFREG:
        case 0:
            return EntryKind::file;
        default:
            return EntryKind::device;
    }
}

std::string name_of(archive_entry* entry) {
    if (const char* name = archive_entry_pathname(entry); name != nullptr) return name;
    const char* name = archive_entry_pathname_utf8(entry);
    return name == nullptr ? std::string() : name;
}

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
            if (!files::write_all(out.get(), {piece.data(), *count}))
                return base::failure(trouble(path, errno));
        }
        unpacked_.files.push_back(std::move(written));
        return {};
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

void ArchiveReader::Closer::operator()(archive* reader) const {
    archive_read_free(reader);
}

base::Result<ArchiveReader, std::string> ArchiveReader::open(const std::string& file) {
    Handle handle(archive_read_new());
    archive_read_support_format_zip(handle.get());
    archive_read_support_format_tar(handle.get());
    archive_read_support_format_7zip(handle.get());
    archive_read_support_format_rar(handle.get());
    archive_read_support_format_rar5(handle.get());
    archive_read_support_filter_gzip(handle.get());
    archive_read_support_filter_bzip2(handle.get());
    archive_read_support_filter_xz(handle.get());
    archive_read_support_filter_zstd(handle.get());
    if (archive_read_open_filename(handle.get(), file.c_str(), block_bytes) != ARCHIVE_OK)
        return base::failure("is no archive that can be read: " + reason_of(handle.get()));
    return ArchiveReader(std::move(handle));
}

base::Result<std::optional<ArchiveEntry>, std::string> ArchiveReader::next() {
    const Utf8Here utf8;
    archive_entry* entry = nullptr;
    const int done = archive_read_next_header(handle_.get(), &entry);
    if (done == ARCHIVE_EOF) return std::optional<ArchiveEntry>();
    if (done != ARCHIVE_OK && done != ARCHIVE_WARN)
        return base::failure("is damaged: " + reason_of(handle_.get()));
    ArchiveEntry found;
    found.name = name_of(entry);
    found.kind = kind_of(entry);
    if (found.kind == EntryKind::file && found.name.ends_with('/')) found.kind = EntryKind::folder;
    found.executable = (archive_entry_perm(entry) & S_IXUSR) != 0;
    if (archive_entry_mtime_is_set(entry) != 0) found.changed_s = archive_entry_mtime(entry);
    return std::optional<ArchiveEntry>(std::move(found));
}

base::Result<std::size_t, std::string> ArchiveReader::read(std::span<char> into) {
    const auto count = archive_read_data(handle_.get(), into.data(), into.size());
    if (count < 0) return base::failure("is damaged: " + reason_of(handle_.get()));
    return static_cast<std::size_t>(count);
}

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
