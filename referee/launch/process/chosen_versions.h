#pragma once

#include <functional>
#include <string>
#include <vector>

namespace referee::process {

// The value of an environment variable; empty where it has none.
using Variable = std::function<std::string(const std::string& name)>;

// What stands in a folder "shims" of pyenv (and its like) or asdf are scripts that look for a
// program in the user's settings, which a bot in the sandbox doesn't see. These are the folders of
// the programs themselves, as the manager's own files and the environment choose them for the user;
// what a folder of a bot asks for chooses nothing. Empty for any other folder.
std::vector<std::string> folders_behind(const std::string& shims, const Variable& variable);

}  // namespace referee::process
