#include "referee/config/paths.h"

#include <filesystem>

namespace referee::config {

std::string absolute_path(const std::string& folder, const std::string& path) {
    auto text = (std::filesystem::path(folder) / path).lexically_normal().string();
    while (text.size() > 1 && text.back() == '/') text.pop_back();
    return text;
}

bool lies_in(const std::string& path, const std::string& folder) {
    auto with_slash = absolute_path(folder, {});
    if (with_slash != "/") with_slash += '/';
    return (absolute_path(path, {}) + '/').starts_with(with_slash);
}

}  // namespace referee::config
