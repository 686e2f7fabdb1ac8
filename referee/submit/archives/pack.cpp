#include "referee/submit/archives/archives.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "protocol/base/text.h"
#include "referee/files/file.h"

namespace referee::archives {
namespace {

namespace fs = std::filesystem;

constexpr int mode_of_packed_file = 0644;
constexpr int mode_of_packed_program = 0755;

// Nobody means to hand that in.
bool is_left_out(const fs::path& name) {
    static constexpr std::array<std::string_view, 6> names = {
        ".git", ".svn", ".hg", ".DS_Store", "__MACOSX", "__pycache__"};
    return std::ranges::find(names, name.string()) != names.end();
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
    std::ranges::sort(found.files);
    std::ranges::sort(found.left_out);
    return found;
}

la_ssize_t append(archive* /*writer*/, void* bytes, const void* from, std::size_t count) {
    static_cast<std::string*>(bytes)->append(static_cast<const char*>(from), count);
    return static_cast<la_ssize_t>(count);
}

bool write_entry(archive* writer, const std::string& path, bool is_program,
                 const std::string& text) {
    const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                              &archive_entry_free);
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
        return base::failure(
            fmt::format("{} holds {} files; expected at most {}: leave out what a build makes",
                        folder, found->files.size(), files_max));
    PackedArchive packed;
    packed.left_out = std::move(found->left_out);
    const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_new(),
                                                                         &archive_write_free);
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
