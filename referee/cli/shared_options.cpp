#include "referee/cli/shared_options.h"

#include <algorithm>
#include <charconv>
#include <iostream>

#include "protocol/json/text.h"
#include "referee/config/reader.h"

namespace referee::cli {

void add_unsandboxed(CLI::App& command, bool& unsandboxed) {
    command.add_flag("--unsandboxed", unsandboxed,
                     "Launch bots without a sandbox. Each of them can then read and change what "
                     "you can: your files, the results, the other bots; of root, the machine. Only "
                     "for programs that you trust as yourself");
}

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

std::string seats_told(const std::vector<std::string>& bots) {
    std::string text;
    for (std::size_t seat = 0; seat < bots.size(); ++seat)
        text += (seat == 0 ? "" : ", ") + std::to_string(seat) + " " +
                protocol::json::visible_line(bots[seat]);
    return text;
}

base::Result<std::size_t, std::string> seat_named(const std::string& given,
                                                  const std::vector<std::string>& bots) {
    if (const auto named = std::find(bots.begin(), bots.end(), given); named != bots.end())
        return static_cast<std::size_t>(named - bots.begin());
    std::size_t seat = 0;
    const auto* end = given.data() + given.size();
    const auto [rest, failed] = std::from_chars(given.data(), end, seat);
    if (failed == std::errc() && rest == end && seat < bots.size()) return seat;
    return base::failure("--seat: expected one of " + seats_told(bots) + "; found " + given);
}

}  // namespace referee::cli
