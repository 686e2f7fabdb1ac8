#pragma once

// The files that the command of a launched bot names, and what is wrong with them: what would keep
// it from starting although its program is there.

#include <optional>
#include <string>
#include <vector>

#include "referee/config/config.h"

namespace referee::supply {

// Where the command's relative paths begin.
std::string working_directory_of(const config::BotConfig& bot);

// The PATH of the bot's own environment; `search_path` where it has none.
std::string search_path_of(const config::BotConfig& bot, const std::string& search_path);

// Absolute; empty where the program is found nowhere.
std::string program_of(const config::BotConfig& bot, const std::string& search_path);

// The existing files that the words of the command name. A program without a slash is none: it is
// looked for in the PATH.
std::vector<std::string> files_named(const config::BotConfig& bot);

// The programs that the command is made of, as the search path finds them: its program, what runs
// programs of its kind, and what `env` in the first line of a script starts. Absolute.
std::vector<std::string> programs_found(const config::BotConfig& bot,
                                        const std::string& search_path);

// What the first line of a script asks for; nothing for other files.
struct Interpreter {
    std::string named;  // "python3", of "#!/usr/bin/env python3"
    std::string file;   // where it lies; may not exist; empty where `env` would not find it
    bool ends_with_cr = false;
};
std::optional<Interpreter> interpreter_of(const std::string& file, const std::string& search_path);

// The script or archive behind an interpreter that isn't there: the first argument that has the
// ending of a source, or stands behind -jar. Absolute; empty where there is none.
std::string missing_source(const config::BotConfig& bot);

// The first of such mistakes, in words that follow the bot's name; empty where none is seen.
std::string mistake_in_files(const config::BotConfig& bot, const std::string& search_path);

// Why no adapter could run the bot's student's program on this machine: its file isn't there, its
// interpreter isn't installed. In words that follow the bot's name, with what to do; empty where
// nothing is wrong, and for all other bots. Looks at files.
std::string mistake_in_program(const config::BotConfig& bot, const std::string& search_path);

}  // namespace referee::supply
