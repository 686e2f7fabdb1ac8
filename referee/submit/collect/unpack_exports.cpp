#include <array>
#include <filesystem>

#include "referee/files/file.h"
#include "referee/submit/archives/archives.h"
#include "referee/submit/collect/steps.h"

namespace referee::collect {
namespace {

namespace fs = std::filesystem;

// Gradescope's file names each submission, with its results.
constexpr std::size_t metadata_bytes_max = 64 * 1024 * 1024;

// Students pack a zip in a zip, or a folder with one file.
base::Result<Taken, std::string> unpack_one(const std::string& archive, const std::string& folder) {
    Taken taken;
    const auto unpacked = archives::unpack(
        archive, folder, {archives::submission_files_max, archives::submission_bytes_max});
    if (!unpacked) {
        if (unpacked.error().kind == archives::UnpackError::Kind::trouble)
            return base::failure(archive + " " + unpacked.error().message);
        taken.refused = fs::path(archive).filename().string() + " " + unpacked.error().message;
        return taken;
    }
    if (!unpacked->refused.empty()) taken.refused = archives::describe(unpacked->refused.front());
    if (unpacked->files.empty() && taken.refused.empty())
        taken.refused = fs::path(archive).filename().string() + " holds no file";
    taken.remarks = unpacked->remarks;
    return taken;
}

bool is_document(const std::string& path) {
    static constexpr std::array<std::string_view, 9> endings = {
        ".pdf", ".txt", ".md", ".doc", ".docx", ".odt", ".html", ".png", ".jpg"};
    return std::ranges::any_of(endings,
                               [&path](const auto ending) { return path.ends_with(ending); });
}

// The one archive that is the submission, alone or with a report beside it; null where there is
// none.
const exports::SubmittedFile* archive_among(std::span<const exports::SubmittedFile> files) {
    const exports::SubmittedFile* archive = nullptr;
    for (const auto& file : files) {
        if (is_document(file.path)) continue;
        if (archive != nullptr || !exports::is_archive_name(file.path)) return nullptr;
        archive = &file;
    }
    return archive;
}

base::Result<Taken, std::string> take_archive(const UnpackedExport& from,
                                              std::span<const exports::SubmittedFile> files,
                                              const exports::SubmittedFile& archive,
                                              const std::string& folder) {
    auto taken = unpack_one(from.folder + "/" + from.files[archive.exported].path, folder);
    if (!taken) return taken;
    for (const auto& file : files) {
        if (&file == &archive) continue;
        taken->remarks.push_back(file.path + " was handed in beside " + archive.path +
                                 " and is left out");
    }
    return taken;
}

}  // namespace

base::Result<UnpackedExport, archives::UnpackError> unpack_export(const std::string& archive,
                                                                  const std::string& folder) {
    auto unpacked =
        archives::unpack(archive, folder, {archives::export_files_max, archives::export_bytes_max});
    if (!unpacked)
        return base::failure(
            archives::UnpackError{unpacked.error().kind, archive + " " + unpacked.error().message});
    UnpackedExport read{folder, {}, std::move(unpacked->refused), std::move(unpacked->remarks), {}};
    for (const auto& file : unpacked->files) {
        read.files.push_back({file.path, file.changed_s});
        if (!exports::is_metadata(file.path)) continue;
        if (auto text = files::read_named_file(folder + "/" + file.path, metadata_bytes_max))
            read.metadata += *text;
        else
            read.remarks.push_back(file.path + " " + text.error());
    }
    for (const auto& refused : read.refused) read.files.push_back({refused.path, std::nullopt});
    return read;
}

base::Result<Taken, std::string> take_files(const UnpackedExport& from,
                                            std::span<const exports::SubmittedFile> files,
                                            const std::string& folder) {
    if (auto made = files::make_folder(folder); !made) return base::failure(made.error());
    Taken taken;
    const auto first_refused = from.files.size() - from.refused.size();
    archives::TakenPlaces places;
    std::uint64_t bytes = 0;
    for (const auto& file : files) {
        if (file.exported >= first_refused) {
            taken.refused = archives::describe(from.refused[file.exported - first_refused]);
            return taken;
        }
    }
    if (const auto* archive = archive_among(files); archive != nullptr)
        return take_archive(from, files, *archive, folder);
    for (const auto& file : files) {
        const auto source = from.folder + "/" + from.files[file.exported].path;
        if (const auto place = places.take_file(file.path); !place) {
            taken.refused = file.path + " " + place.error();
            return taken;
        }
        const auto target = fs::path(folder) / file.path;
        if (auto made = files::make_folder(target.parent_path()); !made)
            return base::failure(made.error());
        std::error_code error;
        bytes += fs::file_size(source, error);
        // Linked, since a file may belong to several versions.
        fs::create_hard_link(source, target, error);
        if (error) return base::failure(target.string() + " can't be made: " + error.message());
    }
    if (files.size() > archives::submission_files_max || bytes > archives::submission_bytes_max) {
        taken.refused = fmt::format("has more than {} files or {} bytes",
                                    archives::submission_files_max, archives::submission_bytes_max);
    }
    return taken;
}

}  // namespace referee::collect
