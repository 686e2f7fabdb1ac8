#include "referee/roster/kinds/sample_bots_place.h"

#include <filesystem>

namespace referee::kinds {

namespace fs = std::filesystem;

std::string sample_bots_for(const std::string& program) {
    const auto prefix = fs::path(program).parent_path().parent_path();
    return (prefix / "share/referee/sample_bots").lexically_normal().string();
}

std::string sample_bots_place() {
    std::error_code error;
    const auto expected = sample_bots_for(fs::read_symlink("/proc/self/exe", error).string());
    const auto found = fs::weakly_canonical(expected, error);
    return error ? expected : found.string();
}

}  // namespace referee::kinds
