#pragma once

// What a bot's program is: one definition for versions and grades. README.md tells the bytes.

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "protocol/base/result.h"
#include "referee/launch/program/file_digests.h"
#include "referee/launch/program/trouble.h"

namespace referee::program {

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

// Tells programs apart. Reads files and may wait for an interpreter (version_line.h), so it belongs
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
