#include "referee/launch/process/search_path.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "referee/launch/process/chosen_versions.h"

namespace referee::process {

std::string program_search_path() {
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    auto path =
        program.string() + ":" + (program / "../libexec/referee").lexically_normal().string();
    const auto variable = [](const std::string& name) {
        const char* value = std::getenv(name.c_str());
        return std::string(value == nullptr ? "" : value);
    };
    std::istringstream inherited(variable("PATH"));
    for (std::string folder; std::getline(inherited, folder, ':');) {
        for (const auto& behind : folders_behind(folder, variable)) path += ":" + behind;
        path += ":" + folder;
    }
    return path;
}

std::string program_file(const std::string& program, const std::string& working_directory,
                         const std::string& search_path) {
    if (program.find('/') != std::string::npos) {
        if (program[0] == '/' || working_directory.empty()) return program;
        return working_directory + "/" + program;
    }
    for (std::size_t start = 0; start <= search_path.size();) {
        const std::size_t end = std::min(search_path.find(':', start), search_path.size());
        std::string candidate = search_path.substr(start, end - start) + "/" + program;
        if (end > start && ::access(candidate.c_str(), F_OK) == 0) return candidate;
        start = end + 1;
    }
    return {};
}

}  // namespace referee::process
