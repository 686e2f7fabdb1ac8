#include "referee/submit/archives/archives.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "protocol/base/text.h"
#include "protocol/json/text.h"
#include "referee/files/named_file.h"
#include "referee/limits.h"

namespace referee::archives {
namespace {

constexpr unsigned char first_printable = 0x20;
constexpr unsigned char delete_character = 0x7F;

// With `_` for each byte that is a control, or no UTF-8.
SafePath as_text(std::string_view name) {
    SafePath safe{std::string(name), false};
    const bool is_utf8 = protocol::json::is_utf8(name);
    for (auto& byte : safe.path) {
        const auto code = static_cast<unsigned char>(byte);
        const bool odd = code < first_printable || code == delete_character ||
                         (!is_utf8 && code > delete_character);
        if (!odd) continue;
        byte = '_';
        safe.changed = true;
    }
    return safe;
}

std::vector<std::string_view> parts_of(std::string_view path) {
    std::vector<std::string_view> parts;
    while (!path.empty()) {
        const auto end = std::min(path.find('/'), path.size());
        const auto part = path.substr(0, end);
        if (!part.empty() && part != ".") parts.push_back(part);
        path.remove_prefix(std::min(end + 1, path.size()));
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

}  // namespace

base::Result<SafePath, std::string> safe_path(std::string_view name) {
    auto safe = as_text(name);
    if (name.size() > limits::archived_path_bytes_max) {
        return base::failure("has a name of more than " +
                             std::to_string(limits::archived_path_bytes_max) + " bytes");
    }
    if (name.starts_with('/'))
        return base::failure(std::string("has an absolute path, which leads out of its folder"));
    if (name.find('\\') != std::string_view::npos)
        return base::failure(
            std::string("has a backslash in its name, which some machines take for a folder"));
    if (name.size() > 1 && name[1] == ':' && base::is_letter(name[0]))
        return base::failure(std::string("names a drive, which leads out of its folder"));
    const auto parts = parts_of(safe.path);
    if (parts.size() > limits::archived_folders_max) {
        return base::failure("lies in more than " + std::to_string(limits::archived_folders_max) +
                             " folders");
    }
    std::string path;
    for (const auto part : parts) {
        if (part == "..") return base::failure(std::string("leads out of its folder"));
        if (part.size() > limits::archived_name_bytes_max) {
            return base::failure("has a name of more than " +
                                 std::to_string(limits::archived_name_bytes_max) + " bytes");
        }
        path += (path.empty() ? "" : "/") + std::string(part);
    }
    safe.path = std::move(path);
    return safe;
}

base::Result<void, std::string> TakenPlaces::take_folder_as_written(std::string path) {
    const auto key = base::small(path);
    if (like(files_, key) != nullptr)
        return base::failure("has a file where its folder " + path + " should be");
    if (const auto* other = like(folders_, key); other != nullptr && *other != path)
        return base::failure(twin(*other, path));
    folders_.emplace(key, std::move(path));
    return {};
}

base::Result<void, std::string> TakenPlaces::take_folders_above(std::string_view path) {
    for (auto slash = path.find('/'); slash != std::string_view::npos;
         slash = path.find('/', slash + 1)) {
        if (auto taken = take_folder_as_written(std::string(path.substr(0, slash))); !taken)
            return taken;
    }
    return {};
}

base::Result<void, std::string> TakenPlaces::take_file(std::string_view path) {
    if (auto above = take_folders_above(path); !above) return above;
    const auto key = base::small(std::string(path));
    if (like(folders_, key) != nullptr)
        return base::failure(std::string("is a folder and a file at once"));
    if (const auto* other = like(files_, key); other != nullptr)
        return base::failure(twin(*other, path));
    files_.emplace(key, std::string(path));
    return {};
}

base::Result<void, std::string> TakenPlaces::take_folder(std::string_view path) {
    if (auto above = take_folders_above(path); !above) return above;
    return take_folder_as_written(std::string(path));
}

namespace {

namespace fs = std::filesystem;

constexpr int mode_of_packed_file = 0644;
constexpr int mode_of_packed_program = 0755;

struct Closer {
    void operator()(archive* one) const { archive_write_free(one); }
};
struct EntryCloser {
    void operator()(archive_entry* one) const { archive_entry_free(one); }
};

// Nobody means to hand that in.
bool is_left_out(const fs::path& name) {
    static constexpr std::array<std::string_view, 6> names = {
        ".git", ".svn", ".hg", ".DS_Store", "__MACOSX", "__pycache__"};
    return std::find(names.begin(), names.end(), name.string()) != names.end();
}

struct Found {
    std::vector<std::string> files;  // below the folder
    std::vector<std::string> left_out;
};

base::Result<Found, std::string> files_below(const std::string& folder) {
    Found found;
    std::error_code error;
    fs::recursive_directory_iterator each(folder, error);
    for (; !error && each != fs::recursive_directory_iterator(); each.increment(error)) {
        const auto path = each->path().lexically_relative(folder).string();
        const bool is_folder = each->is_directory(error) && !each->is_symlink(error);
        if (is_left_out(each->path().filename())) {
            found.left_out.push_back(path);
            if (is_folder) each.disable_recursion_pending();
        } else if (each->is_symlink(error) || (!is_folder && !each->is_regular_file(error))) {
            found.left_out.push_back(path);
        } else if (!is_folder) {
            found.files.push_back(path);
        }
    }
    if (error) return base::failure(folder + " can't be read: " + error.message());
    std::sort(found.files.begin(), found.files.end());
    std::sort(found.left_out.begin(), found.left_out.end());
    return found;
}

la_ssize_t append(archive* /*writer*/, void* bytes, const void* from, std::size_t count) {
    static_cast<std::string*>(bytes)->append(static_cast<const char*>(from), count);
    return static_cast<la_ssize_t>(count);
}

bool write_entry(archive* writer, const std::string& path, bool is_program,
                 const std::string& text) {
    const std::unique_ptr<archive_entry, EntryCloser> entry(archive_entry_new());
    archive_entry_set_pathname_utf8(entry.get(), path.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), is_program ? mode_of_packed_program : mode_of_packed_file);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(text.size()));
    archive_entry_set_mtime(entry.get(), 0, 0);
    if (archive_write_header(writer, entry.get()) != ARCHIVE_OK) return false;
    return archive_write_data(writer, text.data(), text.size()) ==
           static_cast<la_ssize_t>(text.size());
}

}  // namespace

base::Result<PackedArchive, std::string> pack(const std::string& folder, std::size_t files_max,
                                              std::uint64_t bytes_max) {
    auto found = files_below(folder);
    if (!found) return base::failure(found.error());
    if (found->files.empty()) return base::failure(folder + " holds no file");
    if (found->files.size() > files_max)
        return base::failure(folder + " holds " + std::to_string(found->files.size()) +
                             " files; expected at most " + std::to_string(files_max) +
                             ": leave out what a build makes");
    PackedArchive packed;
    packed.left_out = std::move(found->left_out);
    const std::unique_ptr<archive, Closer> writer(archive_write_new());
    archive_write_set_format_zip(writer.get());
    archive_write_set_bytes_in_last_block(writer.get(), 1);
    bool good =
        archive_write_open(writer.get(), &packed.bytes, nullptr, append, nullptr) == ARCHIVE_OK;
    std::uint64_t left = bytes_max;
    for (const auto& path : found->files) {
        const auto file = folder + "/" + path;
        const auto text = files::read_named_file(file, left);
        if (!text) return base::failure(file + " " + text.error());
        left -= text->size();
        std::error_code ignored;
        const auto mode = fs::status(file, ignored).permissions();
        const bool is_program = (mode & fs::perms::owner_exec) != fs::perms::none;
        good = good && write_entry(writer.get(), path, is_program, *text);
        ++packed.files;
    }
    good = good && archive_write_close(writer.get()) == ARCHIVE_OK;
    if (!good) {
        const auto* const why = archive_error_string(writer.get());
        return base::failure(folder + " can't be packed" +
                             (why == nullptr ? std::string() : ": " + std::string(why)));
    }
    return packed;
}

}  // namespace referee::archives
