#pragma once

// The files that the command of a launched bot names, and what is wrong with them: what would keep
// it from starting although its program is there.

#include <optional>
#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/launch/sandbox/tier.h"

namespace referee::supply {

// A bot and its command, as they are looked at here. The bot outlives it.
struct BotCommand {
    // `referees_path`: where programs without a slash are looked for, unless the bot has a PATH of
    // its own.
    BotCommand(const config::BotConfig& its_bot, const std::string& referees_path);

    const config::BotConfig& bot;
    std::string folder;  // where relative paths begin
    std::string search_path;
    std::string program;  // absolute; empty where it is found nowhere
    // Whether a program of that name is looked for in the PATH.
    bool is_in_path = false;
};

// The existing files that the words of the command name, but a program that is looked for in the
// PATH.
std::vector<std::string> files_named(const BotCommand& command);

// The programs that the command is made of, as the search path finds them: its program, what runs
// programs of its kind, and what `env` in the first line of a script starts. Absolute.
std::vector<std::string> programs_found(const BotCommand& command);

// What the first line of a script asks for; nothing for other files.
struct Interpreter {
    std::string named;  // "python3", of "#!/usr/bin/env python3"
    std::string file;   // where it lies; may not exist; empty where `env` would not find it
    bool ends_with_cr = false;
};
std::optional<Interpreter> interpreter_of(const std::string& file, const std::string& search_path);

// The script or archive behind an interpreter that isn't there: the first argument that has the
// ending of a source, or stands behind -jar. Absolute; empty where there is none.
std::string missing_source(const BotCommand& command);

// The first of such mistakes, in words that follow the bot's name; empty where none is seen.
std::string mistake_in_files(const BotCommand& command);

// Why no adapter could run the bot's student's program on this machine: its file isn't there, its
// interpreter isn't installed. In words that follow the bot's name, with what to do; empty where
// nothing is wrong, and for all other bots. Looks at files.
std::string mistake_in_program(const BotCommand& command);

// What this machine lacks to start the bot's program, which is nobody's fault, with the command
// that helps: an interpreter or another program of the system that isn't installed, or the adapter
// of its kind. Empty where it lacks nothing. A file of the bot's own that isn't there, or that
// can't be executed, is its author's matter. Looks at files.
std::string lack_of_machine(const BotCommand& command);

// ---- visible_files.cpp --------------------------------------------------------------------------
//
// Which of the instructor's files a launched bot sees in the sandbox and may read, and what it
// would miss there.

struct VisibleFiles {
    // What the launcher shows it: absolute, none of them below another. The folder that a version
    // manager (pyenv, conda, asdf, nvm) has an interpreter in is among them, where the search path
    // finds that interpreter.
    std::vector<std::string> reads;
    // Of these, the files of its working directory that the words of its command name, where it has
    // no directory of its own. It sees nothing else of that folder.
    std::vector<std::string> named;
};

VisibleFiles visible_files(const BotCommand& command);

// The PATH that the bot gets in the sandbox: its own where its config has one. Else the usual
// folders of the system, and of the referee's PATH what this bot needs and is shown: the folders of
// its program and its interpreter, and those that lie in its "reads". The rest is the instructor's.
std::string path_inside(const BotCommand& command);

// Something that the bot's command needs and does not see there.
struct HiddenFile {
    std::string what;  // "its interpreter /home/ann/.pyenv/versions/3.11/bin/python3.11"
    // What has to stand in "reads" for it to be seen; empty where a link leads out of the bot's
    // folder, to what may not be its to read.
    std::string reads;
};

// The first such thing, as far as it can be seen without launching: of the files that the words of
// the command name, of the program with the folder that it is installed in or, where it is a script
// that the PATH or its full path leads to, lies in, of the interpreter that the first line of a
// script names. Symbolic links are followed.
std::optional<HiddenFile> hidden_file(const BotCommand& command);

// Why a user who owns nothing can't read the file, with the chmod that helps; empty where he can.
// Looks at `file` and at the folders above it that lie in `from` or are it.
std::string closed_to_others(const std::string& file, const std::string& from);

// The same of the files that the command names and of its program, as the user sees them whom a
// referee that runs as root gives to each bot.
std::string closed_to_its_user(const BotCommand& command, sandbox::Tier tier);

}  // namespace referee::supply
