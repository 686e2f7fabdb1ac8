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
#include <memory>

#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"
#include "referee/files/file.h"

namespace referee::archives {
namespace {

// Of a path in an archive, and how many folders it names: file systems take no longer names, and no
// program that somebody wrote lies deeper.
constexpr std::size_t archived_path_bytes_max = 1000;
constexpr std::size_t archived_name_bytes_max = 255;
constexpr std::size_t archived_folders_max = 40;

constexpr std::size_t block_bytes = 64 * 1024;  // that are read and written at once

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
    return text == nullptr ? "its bytes make no sense" : base::visible_line(text);
}

// Why no entry of that kind is taken; empty where it is.
std::string objection_to(archive_entry* entry) {
    constexpr const char* of_symbolic_link = "is a symbolic link, which could lead anywhere";
    if (archive_entry_hardlink(entry) != nullptr)
        return "is a hard link, which could lead anywhere";
    if (archive_entry_symlink(entry) != nullptr) return of_symbolic_link;
    if (archive_entry_is_encrypted(entry) != 0) return "is locked by a password";
    const auto type = archive_entry_filetype(entry);
    if (type == AE_IFLNK) return of_symbolic_link;
    const bool is_known = type == AE_IFDIR || type == AE_IFREG || type == 0;
    return is_known ? "" : "is neither a file nor a folder";
}

std::string name_of(archive_entry* entry) {
    const char* name = archive_entry_pathname(entry);
    if (name == nullptr) name = archive_entry_pathname_utf8(entry);
    return name == nullptr ? std::string() : name;
}

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

// A place below our folder: never outside of it, and good for any file system.
struct SafePath {
    std::string path;      // "src/main.c"
    bool changed = false;  // letters that are no text have become `_`
};

// With `_` for each letter that can't be shown as it is, or that turns the direction of others; of
// a name that is no UTF-8 for each byte.
SafePath as_text(std::string_view name) {
    SafePath safe;
    const bool is_utf8 = base::is_utf8(name);
    while (!name.empty()) {
        const auto letter = name.substr(0, is_utf8 ? base::utf8_sequence_bytes(name) : 1);
        const bool odd = !base::is_one_printable_line(letter);
        safe.path += odd ? "_" : letter;
        safe.changed = safe.changed || odd;
        name.remove_prefix(letter.size());
    }
    return safe;
}

std::vector<std::string_view> parts_of(std::string_view path) {
    std::vector<std::string_view> parts;
    for (const auto part : base::split(path, '/')) {
        if (!part.empty() && part != ".") parts.push_back(part);
    }
    return parts;
}

// Of several places that fold to the same, any.
const std::string* like(const std::set<std::pair<std::string, std::string>>& places,
                        const std::string& path) {
    const auto found = places.lower_bound({path, {}});
    return found != places.end() && found->first == path ? &found->second : nullptr;
}

std::string twin(const std::string& other, std::string_view path) {
    return other == path ? "is in the archive twice"
                         : "differs from " + other +
                               " only in capitals, which some machines take for the same file";
}

// Why an entry can't have the place that it asks for, to stand behind its name: "leads out of its
// folder".
base::Result<SafePath, std::string> safe_path(std::string_view name) {
    auto safe = as_text(name);
    const auto longer = [](std::size_t bytes) {
        return base::failure(fmt::format("has a name of more than {} bytes", bytes));
    };
    if (name.size() > archived_path_bytes_max) return longer(archived_path_bytes_max);
    if (name.starts_with('/'))
        return base::failure(std::string("has an absolute path, which leads out of its folder"));
    if (name.find('\\') != std::string_view::npos)
        return base::failure(
            std::string("has a backslash in its name, which some machines take for a folder"));
    if (name.size() > 1 && name[1] == ':' && base::is_letter(name[0]))
        return base::failure(std::string("names a drive, which leads out of its folder"));
    const auto parts = parts_of(safe.path);
    if (parts.size() > archived_folders_max)
        return base::failure(fmt::format("lies in more than {} folders", archived_folders_max));
    std::string path;
    for (const auto part : parts) {
        if (part == "..") return base::failure(std::string("leads out of its folder"));
        if (part.size() > archived_name_bytes_max) return longer(archived_name_bytes_max);
        path += (path.empty() ? "" : "/") + std::string(part);
    }
    safe.path = std::move(path);
    return safe;
}

using Kind = UnpackError::Kind;
using Done = base::Result<void, UnpackError>;

constexpr mode_t file_mode = 0644;
constexpr mode_t program_mode = 0755;  // and of folders

auto trouble(const std::string& path, int error) {
    return base::failure(
        UnpackError{Kind::trouble,
                    "can't be unpacked: " + path + " can't be written: " + std::strerror(error)});
}
auto too_much(std::string message) {
    return base::failure(UnpackError{Kind::too_much, std::move(message)});
}
// What the library found wrong, unless it is that this machine can't read the file.
auto unreadable(archive* reader, const std::string& what) {
    const int error = archive_errno(reader);
    if (error == EIO || error == EMFILE || error == ENFILE)
        return base::failure(
            UnpackError{Kind::trouble, std::string("can't be read: ") + std::strerror(error)});
    return base::failure(UnpackError{Kind::unreadable, what + reason_of(reader)});
}

// What systems and editors add, and nobody handed in.
bool is_byproduct(const std::string& path) {
    return path == "__MACOSX" || ('/' + path).find("/__MACOSX/") != std::string::npos ||
           ('/' + path).ends_with("/.DS_Store");
}

class Unpacking {
 public:
    Unpacking(Reader reader, std::string folder, const UnpackLimits& limits)
        : reader_(std::move(reader)), folder_(std::move(folder)), limits_(limits) {}

    base::Result<Unpacked, UnpackError> run() {
        const Utf8Here utf8;
        archive_entry* entry = nullptr;
        for (;;) {
            const int done = archive_read_next_header(reader_.get(), &entry);
            if (done == ARCHIVE_EOF) break;
            if (done != ARCHIVE_OK && done != ARCHIVE_WARN) return damaged();
            if (++entries_ > limits_.files_max)
                return too_much(
                    fmt::format("has more than {} files and folders", limits_.files_max));
            if (auto taken = take(entry); !taken) return base::failure(taken.error());
            if (unpacked_.refused.size() > entries_refused_max)
                return too_much(
                    fmt::format("has more than {} entries that are refused, such as: {}",
                                entries_refused_max, describe(unpacked_.refused.front())));
        }
        std::ranges::sort(unpacked_.files, {}, &UnpackedFile::path);
        return std::move(unpacked_);
    }

 private:
    tl::unexpected<UnpackError> damaged() const {
        return unreadable(reader_.get(), "is damaged: ");
    }

    Done take(archive_entry* entry) {
        const auto name = name_of(entry);
        const auto refuse = [this](const std::string& path, std::string reason) {
            unpacked_.refused.push_back({base::visible_line(path), std::move(reason)});
            return Done();
        };
        const auto safe = safe_path(name);
        if (!safe) return refuse(name, safe.error());
        if (is_byproduct(safe->path) || safe->path.empty()) return {};
        if (auto objection = objection_to(entry); !objection.empty())
            return refuse(safe->path, std::move(objection));
        const bool is_folder = archive_entry_filetype(entry) == AE_IFDIR || name.ends_with('/');
        const auto place =
            is_folder ? places_.take_folder(safe->path) : places_.take_file(safe->path);
        if (!place) return refuse(safe->path, place.error());
        if (safe->changed)
            unpacked_.remarks.push_back(
                safe->path + ": letters of its name that are no text were replaced by _");
        return is_folder ? make_folder(safe->path) : write(entry, safe->path);
    }

    Done make_folder(const std::string& path) const {
        for (std::size_t end = 0; end != std::string::npos;) {
            end = path.find('/', end + 1);
            const auto folder = folder_ + "/" + path.substr(0, end);
            if (::mkdir(folder.c_str(), program_mode) == 0)
                ::chmod(folder.c_str(), program_mode);
            else if (errno != EEXIST)
                return trouble(path, errno);
        }
        return {};
    }

    Done write(archive_entry* entry, const std::string& path) {
        if (const auto slash = path.rfind('/'); slash != std::string::npos) {
            if (auto made = make_folder(path.substr(0, slash)); !made) return made;
        }
        const auto file = folder_ + "/" + path;
        const auto mode = (archive_entry_perm(entry) & S_IXUSR) != 0 ? program_mode : file_mode;
        const files::Descriptor out(
            ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
        // Whatever the mask is: in a sandbox another user reads them.
        if (!out || ::fchmod(out.get(), mode) != 0) return trouble(path, errno);
        UnpackedFile written{path, {}};
        if (archive_entry_mtime_is_set(entry) != 0) written.changed_s = archive_entry_mtime(entry);
        std::array<char, block_bytes> block{};
        for (;;) {
            const auto read = archive_read_data(reader_.get(), block.data(), block.size());
            if (read < 0) return damaged();
            if (read == 0) break;
            const auto count = static_cast<std::size_t>(read);
            bytes_ += count;
            if (bytes_ > limits_.bytes_max)
                return too_much(fmt::format("comes to more than {} bytes when it is unpacked",
                                            limits_.bytes_max));
            if (!files::write_all(out.get(), {block.data(), count})) return trouble(path, errno);
        }
        unpacked_.files.push_back(std::move(written));
        return {};
    }

    Reader reader_;
    std::string folder_;
    UnpackLimits limits_;
    TakenPlaces places_;
    Unpacked unpacked_;
    std::size_t entries_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace

base::Result<void, std::string> TakenPlaces::take_folders_of(std::string_view path) {
    for (auto slash = path.find('/'); slash != std::string_view::npos;
         slash = path.find('/', slash + 1)) {
        std::string folder(path.substr(0, slash));
        const auto key = base::small(folder);
        if (like(files_, key) != nullptr)
            return base::failure("has a file where its folder " + folder + " should be");
        if (const auto* other = like(folders_, key); other != nullptr && *other != folder)
            return base::failure(twin(*other, folder));
        folders_.emplace(key, std::move(folder));
    }
    return {};
}

base::Result<void, std::string> TakenPlaces::take_file(std::string_view path) {
    if (auto above = take_folders_of(path); !above) return above;
    const auto key = base::small(std::string(path));
    if (like(folders_, key) != nullptr)
        return base::failure(std::string("is a folder and a file at once"));
    if (const auto* other = like(files_, key); other != nullptr)
        return base::failure(twin(*other, path));
    files_.emplace(key, std::string(path));
    return {};
}

base::Result<void, std::string> TakenPlaces::take_folder(std::string_view path) {
    return take_folders_of(std::string(path) + '/');
}

std::string describe(const RefusedEntry& refused) {
    return refused.path + " " + refused.reason;
}

base::Result<Unpacked, UnpackError> unpack(const std::string& file, const std::string& folder,
                                           const UnpackLimits& limits) {
    Reader reader(archive_read_new(), &archive_read_free);
    for (const auto support : {archive_read_support_format_zip, archive_read_support_format_tar,
                               archive_read_support_format_7zip, archive_read_support_format_rar,
                               archive_read_support_format_rar5, archive_read_support_filter_gzip,
                               archive_read_support_filter_bzip2, archive_read_support_filter_xz,
                               archive_read_support_filter_zstd})
        support(reader.get());
    if (archive_read_open_filename(reader.get(), file.c_str(), block_bytes) != ARCHIVE_OK)
        return unreadable(reader.get(), "is no archive that can be read: ");
    return Unpacking(std::move(reader), folder, limits).run();
}

}  // namespace referee::archives
