#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace referee::build {

// The class that java starts for this source text, where it has a main method: "team.Main".
// Comments and strings are passed over.
std::optional<std::string> main_class_in(std::string_view source, std::string_view file_name);

}  // namespace referee::build
