#include "tests/referee/config/reading.h"

#include <gtest/gtest.h>

#include "referee/config/reader.h"

namespace referee::config {

Config good(const std::string& text) {
    auto read = read_config(text, "class.json", "/srv/class");
    if (!read) {
        for (const auto& error : read.error()) ADD_FAILURE() << describe(error, "class.json");
        return {};
    }
    return *std::move(read);
}

TournamentConfig tournament(const std::string& members) {
    auto config = good(R"({"bots": [{"name": "a"}, {"name": "b"}], "tournaments": [{"id": "t", )" +
                       members + "}]}");
    if (config.tournaments.size() != 1) return {};
    return std::move(config.tournaments[0]);
}

std::vector<nlohmann::json> setups_of(const TournamentConfig& config) {
    std::vector<nlohmann::json> setups;
    for (const auto& setup : config.setups) setups.push_back(nlohmann::json::parse(setup));
    return setups;
}

}  // namespace referee::config
