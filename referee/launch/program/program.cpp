#include "referee/launch/program/program.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "protocol/base/bytes.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/files/file.h"
#include "referee/launch/command/command.h"
#include "referee/launch/process/search_path.h"

namespace referee::program {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t read_bytes = 64 * 1024;

std::string cannot_read(const std::string& path, const std::string& why = std::strerror(errno)) {
    return path + " can't be read: " + why +
           "; expected files and folders that the referee may read, e.g. after `chmod -R a+rX` on "
           "the bot's folder";
}

std::string too_large(const std::string& path, std::uint64_t limit) {
    return fmt::format(
        "{} is more than can be read of a bot's program: {} bytes were left; expected a folder "
        "with the program and little else, e.g. with its logs elsewhere",
        path, limit);
}

std::int64_t in_ns(const timespec& time) {
    constexpr std::int64_t ns_a_second = 1'000'000'000;
    return time.tv_sec * ns_a_second + time.tv_nsec;
}

std::int64_t now_ns() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return in_ns(now);
}

const char* name_of(fs::file_type type) {
    if (type == fs::file_type::socket) return "a socket";
    if (type == fs::file_type::fifo) return "a named pipe";
    const bool device = type == fs::file_type::character || type == fs::file_type::block;
    return device ? "a device" : "of an unknown kind";
}

// Of Debian's util-linux, which is always there.
constexpr const char* setpriv = "/usr/bin/setpriv";

command::Command command_for(const std::string& program) {
    command::Command command;
    if (geteuid() == 0)
        command.words = {setpriv,          "--reuid=65534",  "--regid=65534",
                         "--clear-groups", "--no-new-privs", "--"};
    command.words.insert(command.words.end(), {program, "--version"});
    command.environment = {std::string("PATH=") + process::plain_search_path, "HOME=/", "LC_ALL=C"};
    command.bare = true;
    command.errors_in_output = true;
    command.over = command::Command::Over::with_its_streams;
    command.leaves_nothing = true;
    command.time_max = version_time_max;
    command.output_bytes_max = version_output_bytes_max;
    return command;
}

// Where programs of the system lie; they are told by their version.
constexpr std::array<std::string_view, 7> system_folders{
    "/usr/", "/bin/", "/sbin/", "/lib/", "/opt/", "/nix/store/", "/gnu/store/"};

std::optional<std::string> real_path(const fs::path& path) {
    std::error_code error;
    auto real = fs::canonical(path, error);
    if (error) return std::nullopt;
    return real.string();
}

// Where a program really lies; nothing where there is none.
std::optional<std::string> real_program(const ProgramLaunch& launch, const std::string& program) {
    const auto file = process::program_file(program, launch.working_directory, launch.search_path);
    return files::is_regular_file(file) ? real_path(file) : std::nullopt;
}

// Only such a program is run to ask for its version: nobody but the system's own user could have
// put it there.
bool is_of_the_system(const std::string& path) {
    const bool lies_there = std::ranges::any_of(
        system_folders, [&](std::string_view folder) { return path.starts_with(folder); });
    struct stat status {};
    return lies_there && stat(path.c_str(), &status) == 0 && status.st_uid == 0 &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// "4:text"
std::string counted(std::string_view text) {
    return fmt::format("{}:{}", text.size(), text);
}

}  // namespace

base::Result<Programs::File, std::string> Programs::read(const std::string& path,
                                                         std::uint64_t limit) {
    // A pipe that took the file's place would wait for its writer.
    const files::Descriptor opened(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    if (!opened || fstat(opened.get(), &status) != 0) return base::failure(cannot_read(path));
    if (!S_ISREG(status.st_mode)) {
        return base::failure(path +
                             " is no file any more; expected a program that stays "
                             "as it is while it is launched");
    }
    constexpr unsigned executable_bits = S_IXUSR | S_IXGRP | S_IXOTH;
    File file{{}, (status.st_mode & executable_bits) != 0, 0};
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > limit) return base::failure(too_large(path, limit));
    const Touched touched{status.st_dev, status.st_ino, size, in_ns(status.st_ctim),
                          in_ns(status.st_mtim)};
    if (const auto* known = base::find_in(contents_, touched))
        return File{*known, file.executable, size};
    const bool settled = now_ns() - in_ns(status.st_ctim) > settled_ns;
    base::Hasher contents;
    std::vector<char> buffer(read_bytes);
    while (true) {
        const auto count = ::read(opened.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return base::failure(cannot_read(path));
        if (count == 0) break;
        file.bytes += static_cast<std::uint64_t>(count);
        if (file.bytes > limit) return base::failure(too_large(path, limit));
        contents.add({buffer.data(), static_cast<std::size_t>(count)});
    }
    file.hex = base::hex_of(contents.finish());
    if (contents_.size() >= remembered_max) contents_.clear();
    if (settled && file.bytes == size) contents_.emplace(touched, file.hex);
    return file;
}

base::Result<std::optional<std::string>, std::string> version_line(const std::string& program) {
    auto end = command::run(command_for(program));
    if (!end && end.error().kind == command::CommandTrouble::Kind::too_slow)
        return base::failure(
            fmt::format("`{} --version` did not end within {} s; expected a line with its "
                        "version; try it in a terminal, or see what keeps the machine busy",
                        program, version_time_max.count()));
    if (!end || end->status != 0) return std::nullopt;
    auto& text = end->output;
    text.resize(std::min(text.find('\n'), text.size()));
    if (text.empty()) return std::nullopt;
    text.resize(std::min(text.size(), version_line_bytes_max));
    return std::move(text);
}

// The text that is hashed, and how much may still be read for it.
struct Programs::Text {
    void line(const std::string& text) { digest.add(text + "\n"); }

    base::Hasher digest;
    std::uint64_t bytes_left = bytes_max;
};

base::Result<std::string, std::string> Programs::identify(const ProgramLaunch& launch) {
    Text text;
    text.line("referee-program 1");
    if (!launch.kind.empty()) text.line("kind " + counted(launch.kind));
    for (const auto& word : launch.command) text.line("word " + counted(word));
    std::optional<std::string> folder;
    if (!launch.folder.empty()) {
        if (auto added = add_folder(text, launch.folder); !added)
            return base::failure(std::move(added.error()));
        folder = real_path(launch.folder);
    }
    const auto is_its_own = [&](const std::string& path) {
        return folder && files::lies_in(path, *folder);
    };
    const auto program =
        launch.command.empty() ? std::nullopt : real_program(launch, launch.command.front());
    const bool is_system = program && !is_its_own(*program) && is_of_the_system(*program);
    for (std::size_t i = 0; i < launch.command.size(); ++i) {
        const auto& word = launch.command[i];
        auto path = program;
        if (i > 0) path = real_path(fs::path(launch.working_directory) / word);
        if (!path || is_its_own(*path) || !files::is_regular_file(*path) || (i == 0 && is_system))
            continue;
        if (auto added = add_file(text, *path, "named " + counted(word) + " "); !added)
            return base::failure(std::move(added.error()));
    }
    auto interpreter = is_system ? program : std::nullopt;
    if (!launch.interpreter.empty()) interpreter = real_program(launch, launch.interpreter);
    if (interpreter && is_of_the_system(*interpreter)) {
        if (auto added = add_interpreter(text, *interpreter); !added)
            return base::failure(std::move(added.error()));
    }
    return "sha256:" + base::hex_of(text.digest.finish());
}

// All that is below the folder, by the bytes of the paths. Links are not followed; only the folder
// itself may be reached through one.
base::Result<void, std::string> Programs::add_folder(Text& text, const std::string& folder) {
    std::map<std::string, std::string> lines;  // by path; of files, empty ones
    std::error_code error;
    std::string last = folder;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
        last = at->path().string();
        if (lines.size() >= entries_max) {
            return base::failure(
                fmt::format("{} has more than {} files; expected a folder with the bot's "
                            "program and little else, e.g. \"directory\": \"bots/alice\"",
                            folder, entries_max));
        }
        const auto type = at->symlink_status(error).type();
        if (error) break;
        const auto path = at->path().lexically_relative(folder).string();
        auto& line = lines[path];
        if (type == fs::file_type::symlink) {
            const auto target = fs::read_symlink(at->path(), error).string();
            if (error) break;
            line = "link " + counted(path) + " " + counted(target);
        } else if (type == fs::file_type::directory) {
            line = "folder " + counted(path);
            const auto deep = static_cast<std::size_t>(at.depth()) + 2;
            if (deep > depth_max) {
                return base::failure(
                    fmt::format("{} stands {} folders deep; expected a bot's program in at "
                                "most {} folders within each other",
                                last, deep, depth_max));
            }
        } else if (type != fs::file_type::regular) {
            return base::failure(
                last + " is " + name_of(type) +
                "; expected only files, folders and links in a bot's folder; remove "
                "it, or let it be made in /tmp");
        }
    }
    if (error) return base::failure(cannot_read(last, error.message()));
    for (const auto& [path, line] : lines) {
        if (!line.empty()) {
            text.line(line);
        } else if (auto added = add_file(text, folder + "/" + path, {}, counted(path) + " ");
                   !added) {
            return added;
        }
    }
    return {};
}

base::Result<void, std::string> Programs::add_file(Text& text, const std::string& path,
                                                   const std::string& before,
                                                   const std::string& name) {
    const auto file = read(path, text.bytes_left);
    if (!file) return base::failure(file.error());
    text.bytes_left -= file->bytes;
    text.line(before + (file->executable ? "executable " : "file ") + name + file->hex);
    return {};
}

base::Result<void, std::string> Programs::add_interpreter(Text& text, const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return {};
    auto& told = interpreters_[{path, in_ns(status.st_mtim), status.st_ino}];
    if (told.empty()) {
        const auto version = version_line(path);
        if (!version) return base::failure(version.error());
        const auto file = *version ? File{} : read(path, text.bytes_left);
        if (!file) return base::failure(file.error());
        told = *version ? "version " + counted(**version) : "contents " + file->hex;
    }
    text.line("interpreter " + told);
    return {};
}

}  // namespace referee::program
