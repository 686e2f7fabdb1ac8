#pragma once

// What a bot's program is: one definition for versions and grades. README.md tells the bytes.

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "protocol/base/result.h"
#include "referee/launch/program/program_files.h"

namespace referee::program {

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
base::Result<std::optional<std::string>, Trouble> version_line(const std::string& program);

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
    base::Result<std::string, Trouble> identify(const ProgramLaunch& launch);

 private:
    class Text;

    base::Result<void, Trouble> add_folder(Text& text, const std::string& folder);
    base::Result<void, Trouble> add_named(Text& text, const std::string& word,
                                          const std::string& path);
    base::Result<void, Trouble> add_interpreter(Text& text, const std::string& path);

    // Where an interpreter lies, and when and how it was made.
    using Made = std::tuple<std::string, std::int64_t, std::int64_t, std::uint64_t>;

    FileDigests files_;
    std::map<Made, std::string> interpreters_;  // as they stand in the text
};

}  // namespace referee::program
