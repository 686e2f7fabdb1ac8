// The rubrics that ship: each is read, and each of its setups is one that its game plays.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "engines/registry.h"
#include "protocol/base/text.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/verdict/grade.h"
#include "tests/json.h"
#include "tests/places.h"

namespace referee::rubric {
namespace {

std::map<std::string, Rubric> shipped() {
    std::map<std::string, Rubric> rubrics;
    const auto folder = std::filesystem::path(tests::source_root()) / "configs/rubrics";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;  // inputs of runs
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        auto read = read_rubric(text.str(), folder.string());
        if (!read) {
            for (const auto& mistake : read.error())
                ADD_FAILURE() << entry.path() << ':' << mistake.line << ": " << mistake.path << ": "
                              << mistake.message;
            continue;
        }
        rubrics.emplace(entry.path().stem().string(), *std::move(read));
    }
    return rubrics;
}

// Each setup of a series, laid over its params.
std::vector<nlohmann::json> setups_played(const Series& series) {
    const auto tournament = nlohmann::json::parse(series.tournament);
    const auto params = tournament.value("params", nlohmann::json::object());
    if (!tournament.contains("setups")) return {params};
    std::vector<nlohmann::json> setups;
    for (auto setup : tournament["setups"]) {
        auto laid_over = params;
        laid_over.update(setup);
        setups.push_back(laid_over);
    }
    return setups;
}

// With the kind of programs that is handed in, where it speaks no protocol, and its points.
TEST(ShippedRubrics, AreThoseOfTheHandouts) {
    std::vector<std::string> told;
    for (const auto& [name, rubric] : shipped())
        told.push_back(fmt::format("{} {} {}", name, rubric.build.kind, rubric.points()));
    EXPECT_THAT(told,
                testing::ElementsAre(
                    "e7-beta octave-function 15", "e7-final octave-function 70",
                    "light-cycles-phase-1 racket-team 30", "light-cycles-phase-2 racket-team 30",
                    "snake-challenge-1 snake-challenge 20", "snake-challenge-2 snake-challenge 20",
                    "snake-challenge-3 snake-challenge 20", "snake-final snake-challenge 30",
                    "superball superball-moves 100", "superball-tools  2", "walls  100"));
}

TEST(ShippedRubrics, TheirGamesAcceptEachSetup) {
    const engines::Registry registry;
    for (const auto& [name, rubric] : shipped()) {
        const auto* const game = registry.find(rubric.game);
        ASSERT_NE(game, nullptr) << name;
        for (const auto& series : rubric.series) {
            const auto setups = setups_played(series);
            if (setups.size() > 1) {
                EXPECT_EQ(games_of(series), setups.size()) << name << ' ' << series.id;
            }
            for (const auto& setup : setups) {
                protocol::json::Document params;
                ASSERT_TRUE(params.parse(setup.dump()));
                const auto state = game->start(params.root(), rubric.seed);
                ASSERT_TRUE(state) << name << ' ' << series.id << ' ' << state.error().member
                                   << ": " << state.error().message;
                EXPECT_EQ((*state)->seats(), series.opponents.size() + 1) << name;
            }
        }
    }
}

TEST(ShippedRubrics, UnseenMapsAreMadeByTheSeed) {
    const auto text = [](const std::string& seed, const std::string& generated) {
        return R"({"title": "t", "game": "e7_planets", "seed": )" + seed +
               R"(, "series": [{"id": "s", "generated": )" + generated +
               R"(}, {"id": "u", "generated": {"type": "type-1", "count": 3}}],
                "steps": [{"id": "x", "title": "t", "points": 1, "series": ["s", "u"], "rule": {"kind": "faultless"}}]})";
    };
    const auto made = [&](const std::string& seed, std::size_t series = 0) {
        const auto read = read_rubric(text(seed, R"({"type": "type-1", "count": 3})"), "/srv");
        return read.value().series[series].tournament;
    };
    EXPECT_EQ(made("1"), made("1"));
    EXPECT_NE(made("1"), made("2"));
    EXPECT_NE(made("1"), made("1", 1)) << "no two series have the same";
    const auto tournament = nlohmann::json::parse(made("1"));
    EXPECT_EQ(tournament["match"]["games"], 3);
    ASSERT_EQ(tournament["setups"].size(), 3U);
    EXPECT_NE(tournament["setups"][0], tournament["setups"][1]);
    for (const auto& [generated, path] : std::map<std::string, std::string>{
             {R"({"type": "type-9"})", "series[0].generated.type"},
             {R"({"type": "type-1", "count": 0})", "series[0].generated.count"},
             {R"({"type": "type-1", "count": 201})", "series[0].generated.count"},
             {R"({"type": "type-1", "rows": 1})", "series[0].generated.rows"},
             {R"({"type": "type-1", "colums": 9})", "series[0].generated.colums"},
             {R"({"count": 2})", "series[0].generated.type"},
             {R"({"type": "type-1"}, "setups": [{}])", "series[0].generated"},
             {"5", "series[0].generated"}}) {
        const auto read = read_rubric(text("1", generated), "/srv");
        ASSERT_FALSE(read) << generated;
        ASSERT_EQ(read.error().size(), 1U) << generated << read.error()[0].message;
        EXPECT_EQ(read.error()[0].path, path) << read.error()[0].message;
    }
}

TEST(ShippedRubrics, WhatCanBeHadIsAddedWhereTheGameKnowsIt) {
    const engines::Registry registry;
    const auto& planets = *registry.find("e7_planets");
    const auto detail =
        verdict::with_attainable(planets, R"({"map": "one_scrap"})", R"({"score": 3})");
    const auto read = nlohmann::json::parse(detail);
    EXPECT_EQ(read["score"], 3);
    EXPECT_GT(read["attainable"], 0);
    EXPECT_EQ(verdict::with_attainable(planets, R"({"map": "one_scrap"})", R"({"attainable": 7})"),
              R"({"attainable": 7})");
    EXPECT_EQ(verdict::with_attainable(*registry.find("superball"), "{}", "{}"), "{}");
}

}  // namespace
}  // namespace referee::rubric
