#include "referee/submit/build/source_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "protocol/base/hex.h"

namespace referee::build {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece_bytes = 64 * 1024;

base::Result<base::Digest, std::string> digest_of_file(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    base::Hasher hasher;
    std::vector<char> piece(piece_bytes);
    while (stream) {
        stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        hasher.add({piece.data(), static_cast<std::size_t>(stream.gcount())});
    }
    if (!stream.eof()) return base::failure(file + " can't be read");
    return hasher.finish();
}

}  // namespace

std::vector<SourceFile> files_below(const std::string& folder) {
    std::vector<SourceFile> files;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->is_symlink(error) || !entry->is_regular_file(error)) continue;
        const auto mode = entry->status(error).permissions();
        files.push_back({entry->path().lexically_relative(folder).string(),
                         (mode & fs::perms::owner_exec) != fs::perms::none,
                         entry->file_size(error)});
    }
    std::sort(files.begin(), files.end(),
              [](const auto& one, const auto& other) { return one.path < other.path; });
    return files;
}

base::Result<std::string, std::string> digest_of(const std::string& folder,
                                                 const std::vector<SourceFile>& files) {
    base::Hasher hasher;
    for (const auto& file : files) {
        const auto digest = digest_of_file(folder + "/" + file.path);
        if (!digest) return base::failure(digest.error());
        hasher.add(std::to_string(file.path.size()) + ":" + file.path +
                   (file.executable ? "*" : " "));
        hasher.add(*digest);
    }
    return base::hex_of(hasher.finish());
}

std::string beginning_in(const std::vector<SourceFile>& files) {
    std::string above;
    while (!files.empty()) {
        const auto slash = files.front().path.find('/', above.size());
        if (slash == std::string::npos) return above;
        const auto folder = files.front().path.substr(0, slash + 1);
        const bool holds_all = std::all_of(files.begin(), files.end(), [&](const auto& file) {
            return file.path.starts_with(folder);
        });
        // "src" alone is a part of a layout.
        if (!holds_all || folder.substr(above.size()) == "src/") return above;
        above = folder;
    }
    return above;
}

}  // namespace referee::build
