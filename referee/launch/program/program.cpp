#include "referee/launch/program/program.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "protocol/base/bytes.h"
#include "referee/files/file.h"
#include "referee/launch/command/command.h"
#include "referee/launch/process/search_path.h"

namespace referee::program {
namespace {

// Of Debian's util-linux, which is always there.
constexpr const char* setpriv = "/usr/bin/setpriv";

std::vector<std::string> words_for(const std::string& program) {
    if (geteuid() != 0) return {program, "--version"};
    return {setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs",
            "--",    program,         "--version"};
}

command::Command command_for(const std::string& program) {
    command::Command command;
    command.words = words_for(program);
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/", "LC_ALL=C"};
    command.bare = true;
    command.errors_in_output = true;
    command.over = command::Command::Over::with_its_streams;
    command.leaves_nothing = true;
    command.time_max = version_time_max;
    command.output_bytes_max = version_output_bytes_max;
    return command;
}

constexpr std::string_view form = "referee-program 1\n";

// Where programs of the system lie; they are told by their version.
constexpr std::array<std::string_view, 7> system_folders{
    "/usr/", "/bin/", "/sbin/", "/lib/", "/opt/", "/nix/store/", "/gnu/store/"};

std::optional<std::string> real_path(const std::filesystem::path& path) {
    std::error_code error;
    auto real = std::filesystem::canonical(path, error);
    if (error) return std::nullopt;
    return real.string();
}

// Where a program really lies; nothing where there is none.
std::optional<std::string> program_path(const ProgramLaunch& launch, const std::string& program) {
    if (program.find('/') != std::string::npos)
        return real_path(std::filesystem::path(launch.working_directory) / program);
    for (const auto& folder : process::folders_of(launch.search_path)) {
        const auto found = folder + "/" + program;
        if (files::is_regular_file(found) && access(found.c_str(), X_OK) == 0)
            return real_path(found);
    }
    return std::nullopt;
}

// Only such a program is run to ask for its version: nobody but the system's own user could have
// put it there.
bool is_of_the_system(const std::string& path) {
    const bool lies_there =
        std::any_of(system_folders.begin(), system_folders.end(),
                    [&](std::string_view folder) { return path.starts_with(folder); });
    struct stat status {};
    return lies_there && stat(path.c_str(), &status) == 0 && status.st_uid == 0 &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool lies_in(const std::string& path, const std::optional<std::string>& folder) {
    return folder && path.starts_with(*folder + "/");
}

}  // namespace

base::Result<std::optional<std::string>, Trouble> version_line(const std::string& program) {
    auto end = command::run(command_for(program));
    if (!end && end.error().kind == command::CommandTrouble::Kind::too_slow)
        return base::failure(
            Trouble{Trouble::Kind::version_too_slow,
                    "`" + program + " --version` did not end within " +
                        std::to_string(version_time_max.count()) +
                        " s; expected a line with its version; try it in a terminal, or see what "
                        "keeps the machine busy"});
    if (!end || end->status != 0) return std::nullopt;
    auto& text = end->output;
    text.resize(std::min(text.find('\n'), text.size()));
    if (text.empty()) return std::nullopt;
    text.resize(std::min(text.size(), version_line_bytes_max));
    return std::move(text);
}

// The text that is hashed, and how much may still be read for it.
class Programs::Text {
 public:
    Text() { digest.add(form); }

    // "4:text"
    static std::string counted(std::string_view text) {
        return std::to_string(text.size()) + ":" + std::string(text);
    }
    void line(const std::string& text) { digest.add(text + "\n"); }

    base::Hasher digest;
    std::uint64_t bytes_left = bytes_max;
};

base::Result<std::string, Trouble> Programs::identify(const ProgramLaunch& launch) {
    Text text;
    if (!launch.kind.empty()) text.line("kind " + Text::counted(launch.kind));
    for (const auto& word : launch.command) text.line("word " + Text::counted(word));
    std::optional<std::string> folder;
    if (!launch.folder.empty()) {
        if (auto added = add_folder(text, launch.folder); !added)
            return base::failure(std::move(added.error()));
        folder = real_path(launch.folder);
    }
    const auto program =
        launch.command.empty() ? std::nullopt : program_path(launch, launch.command.front());
    const bool is_system = program && !lies_in(*program, folder) && is_of_the_system(*program);
    for (std::size_t i = 0; i < launch.command.size(); ++i) {
        const auto& word = launch.command[i];
        auto path = program;
        if (i > 0) path = real_path(std::filesystem::path(launch.working_directory) / word);
        if (!path || lies_in(*path, folder) || !files::is_regular_file(*path) ||
            (i == 0 && is_system))
            continue;
        if (auto added = add_named(text, word, *path); !added)
            return base::failure(std::move(added.error()));
    }
    auto interpreter = is_system ? program : std::nullopt;
    if (!launch.interpreter.empty()) interpreter = program_path(launch, launch.interpreter);
    if (interpreter && is_of_the_system(*interpreter)) {
        if (auto added = add_interpreter(text, *interpreter); !added)
            return base::failure(std::move(added.error()));
    }
    return "sha256:" + base::hex_of(text.digest.finish());
}

base::Result<void, Trouble> Programs::add_folder(Text& text, const std::string& folder) {
    const auto entries = folder_contents(folder);
    if (!entries) return base::failure(entries.error());
    for (const auto& entry : *entries) {
        const auto path = Text::counted(entry.path);
        if (entry.kind == FolderEntry::Kind::folder) {
            text.line("folder " + path);
        } else if (entry.kind == FolderEntry::Kind::link) {
            text.line("link " + path + " " + Text::counted(entry.target));
        } else {
            const auto file = files_.of(folder + "/" + entry.path, text.bytes_left);
            if (!file) return base::failure(file.error());
            text.bytes_left -= file->bytes;
            text.line((file->executable ? "executable " : "file ") + path + " " + file->hex);
        }
    }
    return {};
}

base::Result<void, Trouble> Programs::add_named(Text& text, const std::string& word,
                                                const std::string& path) {
    const auto file = files_.of(path, text.bytes_left);
    if (!file) return base::failure(file.error());
    text.bytes_left -= file->bytes;
    text.line("named " + Text::counted(word) + " " + (file->executable ? "executable " : "file ") +
              file->hex);
    return {};
}

base::Result<void, Trouble> Programs::add_interpreter(Text& text, const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return {};
    const Made made{path, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ino};
    auto known = interpreters_.find(made);
    if (known == interpreters_.end()) {
        const auto version = version_line(path);
        if (!version) return base::failure(version.error());
        std::string told;
        if (*version) {
            told = "version " + Text::counted(**version);
        } else {
            const auto file = files_.of(path, text.bytes_left);
            if (!file) return base::failure(file.error());
            told = "contents " + file->hex;
        }
        known = interpreters_.emplace(made, told).first;
    }
    text.line("interpreter " + known->second);
    return {};
}

}  // namespace referee::program
