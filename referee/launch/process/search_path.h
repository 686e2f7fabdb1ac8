#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace referee::process {

// Where every system has its programs.
inline constexpr const char* plain_search_path = "/usr/local/bin:/usr/bin:/bin";

// The folders in which launched programs are looked for: the referee's own, its libexec, the PATH.
// Before a folder of scripts that stand for programs come those of the programs themselves.
std::string program_search_path();

// The folders of a PATH, in their order.
std::vector<std::string> folders_of(const std::string& search_path);

// The value of PATH among the variables of an environment; nothing where it has none.
std::optional<std::string> path_in(
    const std::vector<std::pair<std::string, std::string>>& environment);

// Where the program of a command is found: by its path as seen from the working directory (empty:
// the referee's own), or, without a slash, in the search path, as a launch looks for it: what may
// not be executed counts only where no other folder has a program of that name, for a launch tells
// why it can't be. Empty where it isn't there.
std::string program_file(const std::string& program, const std::string& working_directory,
                         const std::string& search_path);

// The value of an environment variable; empty where it has none.
using Variable = std::function<std::string(const std::string& name)>;

// What stands in a folder "shims" of pyenv (and its like) or asdf are scripts that look for a
// program in the user's settings, which a bot in the sandbox doesn't see. These are the folders of
// the programs themselves, as the manager's own files and the environment choose them for the user;
// what a folder of a bot asks for chooses nothing. Empty for any other folder.
std::vector<std::string> folders_behind(const std::string& shims, const Variable& variable);

}  // namespace referee::process
