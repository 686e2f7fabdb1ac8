#include "tests/referee/config/config_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mistake_rows.h"

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

std::vector<ConfigError> errors_of(const std::string& text) {
    const auto read = read_config(text, "class.json", "/srv/class");
    return read ? std::vector<ConfigError>() : read.error();
}

void check(const std::string& before, const std::string& table, const std::string& after,
           const std::string& in) {
    for (const auto& [text, member, says] : tests::mistake_rows(table)) {
        const auto errors = errors_of(before + "\n" + text + "\n" + after);
        std::string all;
        for (const auto& error : errors) all += describe(error, "class.json") + "\n";
        EXPECT_EQ(errors.size(), 1U) << text << "\n" << all;
        if (errors.empty()) continue;
        EXPECT_EQ(errors[0].member, in + member) << text;
        EXPECT_EQ(errors[0].line, 2U) << text << "\n" << all;
        EXPECT_THAT(errors[0].message, testing::HasSubstr(says)) << text;
    }
}

}  // namespace referee::config
