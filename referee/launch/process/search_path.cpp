#include "referee/launch/process/search_path.h"

#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "protocol/base/text.h"
#include "referee/files/file.h"
#include "referee/launch/process/kernel_file.h"

namespace referee::process {

std::string program_search_path() {
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    auto path =
        program.string() + ":" + (program / "../libexec/referee").lexically_normal().string();
    const auto variable = [](const std::string& name) {
        const char* value = std::getenv(name.c_str());
        return std::string(value == nullptr ? "" : value);
    };
    for (const auto& folder : folders_of(variable("PATH"))) {
        for (const auto& behind : folders_behind(folder, variable)) path += ":" + behind;
        path += ":" + folder;
    }
    return path;
}

std::vector<std::string> folders_of(const std::string& search_path) {
    std::vector<std::string> folders;
    for (const auto folder : base::split(search_path, ':')) {
        if (!folder.empty()) folders.emplace_back(folder);
    }
    return folders;
}

std::optional<std::string> path_in(
    const std::vector<std::pair<std::string, std::string>>& environment) {
    std::optional<std::string> path;
    for (const auto& [name, value] : environment) {
        if (name == "PATH") path = value;
    }
    return path;
}

std::string program_file(const std::string& program, const std::string& working_directory,
                         const std::string& search_path) {
    if (program.find('/') != std::string::npos) {
        if (program[0] == '/' || working_directory.empty()) return program;
        return working_directory + "/" + program;
    }
    std::string found;
    for (const auto& folder : folders_of(search_path)) {
        auto candidate = folder + "/" + program;
        if (files::is_regular_file(candidate) && ::access(candidate.c_str(), X_OK) == 0)
            return candidate;
        if (found.empty() && ::access(candidate.c_str(), F_OK) == 0) found = std::move(candidate);
    }
    return found;
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t settings_bytes_max = 64 * 1024;

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

std::string settings_in(const fs::path& file) {
    auto text = files::read_named_file(file.string(), settings_bytes_max);
    return text ? *std::move(text) : std::string();
}

// "nodejs" is NODEJS, ".pyenv" is PYENV.
std::string in_variable(std::string name) {
    if (name.starts_with('.')) name.erase(0, 1);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char letter) {
        return letter == '-' ? '_' : static_cast<char>(std::toupper(letter));
    });
    return name;
}

// Of "3.11" the newest 3.11.x that is there.
fs::path installed(const fs::path& versions, const std::string& version) {
    if (is_folder(versions / version)) return versions / version;
    std::string newest;
    for (const auto& name : files::names_in(versions.string())) {
        // By number where both have one at that place: 3.9 comes before 3.11.
        if (name.starts_with(version + ".") && ::strverscmp(newest.c_str(), name.c_str()) < 0)
            newest = name;
    }
    return newest.empty() ? fs::path() : versions / newest;
}

void add_bin(std::vector<std::string>& folders, const fs::path& installation) {
    if (!installation.empty() && is_folder(installation / "bin"))
        folders.push_back((installation / "bin").string());
}

// PYENV_VERSION or the file "version": versions with ':' or white space between them.
std::vector<std::string> of_pyenv(const fs::path& root, const Variable& variable) {
    auto chosen = variable(in_variable(root.filename().string()) + "_VERSION");
    if (chosen.empty()) chosen = settings_in(root / "version");
    std::replace(chosen.begin(), chosen.end(), ':', ' ');
    std::vector<std::string> folders;
    for (const auto version : words_of(chosen))
        add_bin(folders, installed(root / "versions", std::string(version)));
    return folders;
}

// ASDF_PYTHON_VERSION, or the line "python 3.11.4" of the user's .tool-versions.
std::vector<std::string> of_asdf(const fs::path& root, const Variable& variable) {
    std::map<std::string, std::string> chosen;
    const auto settings = settings_in(fs::path(variable("HOME")) / ".tool-versions");
    for (std::string_view rest = settings; !rest.empty();) {
        const auto words = words_of(base::next_line(rest));
        if (words.size() > 1) chosen.emplace(words[0], words[1]);
    }
    std::vector<std::string> folders;
    for (const auto& name : files::names_in((root / "installs").string())) {
        auto version = variable("ASDF_" + in_variable(name) + "_VERSION");
        if (version.empty()) version = chosen[name];
        if (!version.empty()) add_bin(folders, root / "installs" / name / version);
    }
    return folders;
}

}  // namespace

std::vector<std::string> folders_behind(const std::string& shims, const Variable& variable) {
    const fs::path folder(shims);
    const auto root = folder.parent_path();
    if (folder.filename() != "shims") return {};
    if (is_folder(root / "versions")) return of_pyenv(root, variable);
    if (is_folder(root / "installs")) return of_asdf(root, variable);
    return {};
}

}  // namespace referee::process
