#include "referee/cli/config_file.h"

#include <iostream>

#include "referee/config/reader.h"

namespace referee::cli {

std::optional<config::Config> read_config(const std::string& file) {
    auto result = config::read_config_file(file);
    if (result) {
        for (const auto& warning : result->warnings)
            std::cerr << file << ": note: " << warning << '\n';
        return *std::move(result);
    }
    for (const auto& error : result.error()) {
        std::cerr << config::describe(error, file) << '\n';
    }
    return std::nullopt;
}

}  // namespace referee::cli
