#pragma once

// Which of the instructor's files a launched bot sees in the sandbox and may read, and what it
// would miss there.

#include <optional>
#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/launch/sandbox/tier.h"

namespace referee::supply {

struct VisibleFiles {
    // What the launcher shows it: absolute, none of them below another. The folder that a version
    // manager (pyenv, conda, asdf, nvm) has an interpreter in is among them, where the search path
    // finds that interpreter.
    std::vector<std::string> reads;
    // Of these, the files of its working directory that the words of its command name, where it has
    // no directory of its own. It sees nothing else of that folder.
    std::vector<std::string> named;
};

// `search_path`: where programs without a slash are looked for, unless the bot has a PATH of its
// own.
VisibleFiles visible_files(const config::BotConfig& bot, const std::string& search_path);

// The PATH that the bot gets in the sandbox: its own where its config has one. Else the usual
// folders of the system, and of `search_path` what this bot needs and is shown: the folders of its
// program and its interpreter, and those that lie in its "reads". The rest is the instructor's.
std::string path_inside(const config::BotConfig& bot, const std::string& search_path);

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
std::optional<HiddenFile> hidden_file(const config::BotConfig& bot, const std::string& search_path);

// Why a user who owns nothing can't read the file, with the chmod that helps; empty where he can.
// Looks at `file` and at the folders above it that lie in `from` or are it.
std::string closed_to_others(const std::string& file, const std::string& from);

// The same of the files that the command names and of its program, as the user sees them whom a
// referee that runs as root gives to each bot.
std::string closed_to_its_user(const config::BotConfig& bot, const std::string& search_path,
                               sandbox::Tier tier);

}  // namespace referee::supply
