#include "referee/bots/launcher/search_path.h"

#include <cstdlib>
#include <filesystem>

namespace referee::launcher {

std::string program_search_path() {
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    auto path =
        program.string() + ":" + (program / "../libexec/referee").lexically_normal().string();
    if (const char* inherited = std::getenv("PATH")) path += std::string(":").append(inherited);
    return path;
}

}  // namespace referee::launcher
