#include "referee/submit/archives/archives.h"

#include <algorithm>
#include <vector>

#include "protocol/base/text.h"
#include "protocol/json/text.h"
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

}  // namespace referee::archives
