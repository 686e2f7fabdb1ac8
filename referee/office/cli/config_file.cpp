#include "referee/office/cli/config_file.h"

#include <iostream>

#include "referee/config/reader.h"

namespace referee::cli {

std::optional<config::Config> read_config(const std::string& file) {
    auto result = config::read_config_file(file);
    if (auto* config = std::get_if<config::Config>(&result)) {
        for (const auto& warning : config->warnings)
            std::cerr << file << ": note: " << warning << '\n';
        return std::move(*config);
    }
    for (const auto& error : std::get<std::vector<config::ConfigError>>(result)) {
        std::cerr << config::describe(error, file) << '\n';
    }
    return std::nullopt;
}

std::string shell_quoted(const std::string& text) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=+,:@";
    if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

}  // namespace referee::cli
