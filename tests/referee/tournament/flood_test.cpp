#include <gtest/gtest.h>

#include <algorithm>

#include "tests/referee/tournament/class_room.h"

// Somebody who knows the class password registers names without end. The others play on.

namespace tests::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t class_size = 6;
constexpr Duration flood_lasts = 60s;

using Players = std::vector<std::shared_ptr<ScriptedBot>>;

// How many matches the class plays within a minute, while puppets come ten times a second.
struct PlayedBeside {
    std::size_t fewest = SIZE_MAX;  // matches of one of the class
    std::size_t wins_against_puppets = 0;
};

// What a puppet does once it is in.
enum class Puppet { none, leaves, stays };

PlayedBeside play_beside(Puppet kind) {
    constexpr Duration every = 100ms;
    ClassRoom room;
    room.config.registration.per_address_per_hour = 100;
    room.open();
    Players honest;
    for (std::size_t i = 0; i < class_size; ++i)
        honest.push_back(room.log_in("student " + std::to_string(i), "10.0.0.1", "long enough"));
    room.play_on(1s, honest);
    PlayedBeside played_beside;
    Players puppets;
    for (Duration passed{}; passed < flood_lasts; passed += every) {
        if (kind != Puppet::none)
            puppets.push_back(
                room.log_in("puppet " + std::to_string(puppets.size()), "10.0.0.2", "long enough"));
        room.play_on(every, honest);
        if (kind == Puppet::leaves && !puppets.empty()) puppets.back()->link->close();
    }
    const auto played = room.played();
    for (std::size_t i = 0; i < class_size; ++i) {
        const auto found = played.find("student " + std::to_string(i));
        played_beside.fewest =
            std::min(played_beside.fewest, found == played.end() ? 0 : found->second);
    }
    for (const auto& [name, count] : played)
        played_beside.wins_against_puppets += name.starts_with("puppet") ? count : 0;
    return played_beside;
}

TEST(RegistrationFlood, CostsTheOthersNeitherGamesNorGivesThemWins) {
    const auto alone = play_beside(Puppet::none);
    ASSERT_GE(alone.fewest, 10U);
    for (const auto kind : {Puppet::leaves, Puppet::stays}) {
        const auto beside = play_beside(kind);
        EXPECT_GE(beside.fewest * 10, alone.fewest * 7) << static_cast<int>(kind);
        EXPECT_EQ(beside.wins_against_puppets, 0U) << static_cast<int>(kind);
    }
}

// A bot that is connected and never gets ready has not shown up.
TEST(RegistrationFlood, WhoIsNeverReadyWaitsLongerEachTime) {
    ClassRoom room;
    room.config.tournaments[0].ready_budget = 2s;
    room.config.tournaments[0].rest = 0s;
    room.open();
    const auto ann = room.log_in("ann", "10.0.0.1", "long enough");
    const auto puppet = room.log_in("puppet", "10.0.0.2", "long enough");
    room.play_on(60s, {ann});
    EXPECT_TRUE(room.played().empty());
    ASSERT_FALSE(room.dropped.empty());
    EXPECT_NE(room.dropped.front().find("puppet was not ready in time"), std::string::npos)
        << room.dropped.front();
    EXPECT_LE(room.dropped.size(), 4U) << "5, 10, 20 and 40 s between them";
    const auto note = puppet->last("note");
    ASSERT_FALSE(note.is_null());
    EXPECT_EQ(note["code"], "left_matches");
    EXPECT_NE(note["message"].get<std::string>().find("not ready"), std::string::npos) << note;
    // Once it plays, nothing is held against it.
    room.play_on(120s, {ann, puppet});
    EXPECT_GT(room.played()["ann"], 5U);
}

}  // namespace
}  // namespace tests::sim
