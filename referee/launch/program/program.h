#pragma once

// What a bot's program is: one definition for versions and grades. README.md tells the bytes.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "protocol/base/result.h"

namespace referee::program {

// Errors say why nobody can tell which program a bot is: what was found, what was expected, what to
// do.

// A Python program with its packages has a few thousand files; more is a folder that somebody named
// by mistake, such as a home.
inline constexpr std::size_t entries_max = 20'000;
// A virtual machine's classes, or a table of openings. It takes a second or two to read.
inline constexpr std::uint64_t bytes_max = std::uint64_t{512} << 20;
// Folders within folders. Each is looked through with another open one.
inline constexpr std::size_t depth_max = 64;

// Every interpreter that we know says its version in a tenth of a second; the rest is for a machine
// on which a whole class starts its bots.
inline constexpr std::chrono::seconds version_time_max{2};
// "openjdk 17.0.16 2025-07-15" has 27.
inline constexpr std::size_t version_line_bytes_max = 200;
// A program that knows no --version may do its work instead, and print.
inline constexpr std::size_t version_output_bytes_max = 64 * 1024;

// The first line of what `PROGRAM --version` prints, cut to version_line_bytes_max; nothing where
// it prints none, ends with an error or prints too much. It runs without a shell, in /, with an
// empty input and an environment of its own; where the referee is root, as nobody. Blocks for
// version_time_max at most; then all of its process group is killed.
base::Result<std::optional<std::string>, std::string> version_line(const std::string& program);

// How a bot is launched.
struct ProgramLaunch {
    std::vector<std::string> command;
    std::string working_directory;  // absolute
    // The bot's own folder, absolute; empty: it has none, and its program is the files that the
    // command names.
    std::string folder;
    // Where programs without a slash are looked for.
    std::string search_path;
    // Of a student's program that an adapter plays for: its kind, and the program that runs all of
    // that kind. The command is then the student's, and the adapter doesn't count.
    std::string kind{};
    std::string interpreter{};
};

// Tells programs apart. Reads files and may wait for an interpreter (version_line), so it belongs
// on a background thread; it remembers what it read. Not thread safe.
class Programs {
 public:
    // "sha256:..." with 64 hexadecimal digits. A command that isn't there counts by its words: its
    // launch will tell.
    base::Result<std::string, std::string> identify(const ProgramLaunch& launch);

    // The contents of files are remembered by place, size and times, so that the same program is
    // not read again at each launch. A file that was changed twice within a tick of the file
    // system's clock may show the same times, so none is remembered whose last change is not this
    // long ago.
    static constexpr std::int64_t settled_ns = 2'000'000'000;
    // Thirty bots of a thousand files. Then all is forgotten, and read again.
    static constexpr std::size_t remembered_max = 30'000;

 private:
    struct Text;
    struct File {
        std::string hex;          // the hash of its contents
        bool executable = false;  // by anybody
        std::uint64_t bytes = 0;
    };
    // Device, inode, size, when anything of it changed (programs can't set this), and its contents.
    using Touched =
        std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::int64_t, std::int64_t>;
    // Where an interpreter lies, and when and how it was made.
    using Made = std::tuple<std::string, std::int64_t, std::uint64_t>;

    // A regular file, never through a link at the path's end; one of more than `limit` is an error.
    base::Result<File, std::string> read(const std::string& path, std::uint64_t limit);
    base::Result<void, std::string> add_folder(Text& text, const std::string& folder);
    base::Result<void, std::string> add_file(Text& text, const std::string& path,
                                             const std::string& before,
                                             const std::string& name = {});
    base::Result<void, std::string> add_interpreter(Text& text, const std::string& path);

    std::map<Touched, std::string> contents_;   // their hashes
    std::map<Made, std::string> interpreters_;  // as they stand in the text
};

}  // namespace referee::program
