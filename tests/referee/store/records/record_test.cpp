#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "referee/store/records/record_line.h"
#include "tests/json.h"
#include "tests/referee/store/sample_records.h"

namespace referee::records {
namespace {

using Json = nlohmann::json;
using store::line_of;
using store::sample_game;

Json written(const Record& record) {
    const auto text = line_of(record);
    EXPECT_EQ(text.find('\n'), text.size() - 1) << "one line, and it ends";
    return Json::parse(text);
}

const GameKey key{"friday", 3, 2, 1};

TEST(JournalRecordTest, Lines) {
    const std::vector<std::pair<Record, std::string>> cases{
        {OpeningRecord{"friday", "{\n}", "0.1.0"},
         R"({"record":"opening","tournament":"friday","config":"{\n}","version":"0.1.0"})"},
        {EntryRecord{"friday", "al\"ice", -5, "red", 3},
         R"({"record":"entry","tournament":"friday","bot":"al\"ice","rating":-5,"team":"red","round":3})"},
        {EntryRecord{"friday", "bob", 0, {}, 2, 5, {3, 4}},
         R"({"record":"entry","tournament":"friday","bot":"bob","rating":0,"team":"","round":2,"last_round":5,"half_point_byes":[3,4]})"},
        {WithdrawalRecord{"friday", "bob", 4, "ill"},
         R"({"record":"withdrawal","tournament":"friday","bot":"bob","round":4,"reason":"ill"})"},
        {PairingRecord{"friday", 4, 2, {"alice", "bob"}},
         R"({"record":"pairing","tournament":"friday","match":4,"round":2,"bots":["alice","bob"]})"},
        {PairingRecord{"friday", 0, 2, {"alice"}},
         R"({"record":"bye","tournament":"friday","match":0,"round":2,"bots":["alice"]})"},
        {StartRecord{key, 7, {"alice", "bob"}},
         R"({"record":"start","tournament":"friday","match":3,"number":2,"attempt":1,"seed":7,"bots":["alice","bob"]})"},
        {AnnulmentRecord{key, "a cable"},
         R"({"record":"annulment","tournament":"friday","match":3,"number":2,"attempt":1,"reason":"a cable"})"},
        {RestorationRecord{key, "nobody wanted that"},
         R"({"record":"restoration","tournament":"friday","match":3,"number":2,"attempt":1,"reason":"nobody wanted that"})"},
        {DroppedRecord{"practice", 9, {"bob", "eve"}, "both left"},
         R"({"record":"dropped","tournament":"practice","match":9,"left":["bob","eve"],"reason":"both left"})"},
        {RulingRecord{"friday", 3, {2, 1}, "agreed", "ada"},
         R"({"record":"ruling","tournament":"friday","match":3,"placing":[2,1],"reason":"agreed","ordered_by":"ada"})"},
        {ForbiddenPairsRecord{"friday", {"alice", "bob"}, 2, 4, PairOrder::lifted, "kin", "ada"},
         R"({"record":"forbidden_pairs","tournament":"friday","bots":["alice","bob"],"first_round":2,"last_round":4,"ordered":"lifted","reason":"kin","ordered_by":"ada"})"},
        {RequestedByeRecord{"friday", "bob", 3, ByeOrder::half_point, "a train", "ada"},
         R"({"record":"requested_bye","tournament":"friday","bot":"bob","round":3,"ordered":"half_point","reason":"a train","ordered_by":"ada"})"},
        {HandPairingRecord{
             "friday", {"bob", "alice"}, 3, HandPairingOrder::paired, "by lot", "ada"},
         R"({"record":"hand_pairing","tournament":"friday","bots":["bob","alice"],"round":3,"ordered":"paired","reason":"by lot","ordered_by":"ada"})"},
        {StateRecord{"friday", TournamentState::paused, "lunch"},
         R"({"record":"state","tournament":"friday","state":"paused","reason":"lunch"})"},
        {TokenRecord{"alice", "pbkdf2:1", "ctl"},
         R"({"record":"token","bot":"alice","hash":"pbkdf2:1","origin":"ctl"})"},
    };
    for (const auto& [record, line] : cases) {
        EXPECT_EQ(line_of(record), line + "\n");
        const auto read = read_record(std::string_view(line));
        ASSERT_TRUE(read) << line << ": " << read.error().message;
        EXPECT_EQ(read->index(), record.index());
        EXPECT_EQ(line_of(*read), line + "\n");
    }
}

TEST(JournalRecordTest, AGameHoldsItsResultAndReplay) {
    const auto game = sample_game(3, 2);
    const auto line = written(game);
    EXPECT_EQ(line.at("record"), "game");
    EXPECT_EQ(line.at("match"), 3);
    EXPECT_EQ(line.at("number"), 1);
    EXPECT_EQ(line.at("attempt"), 2);
    EXPECT_EQ(line.at("seed"), 4294967295U);
    EXPECT_EQ(line.at("params"), Json::parse(R"({"size": 3, "rate": 0.5})"));
    EXPECT_EQ(line.at("bots"), Json({"alice", "b\"ob"}));
    EXPECT_EQ(line.at("result").at("outcome").at("scores"), Json({1.5, -0.5}));
    EXPECT_EQ(line.at("result").at("faults").size(), 2U);
    EXPECT_EQ(line.at("replay"), game.replay);
}

TEST(JournalRecordTest, AGameThatDoesNotCountHasNoOutcome) {
    auto record = sample_game(3);
    record.result.status = GameStatus::interrupted;
    EXPECT_TRUE(written(record).at("result").at("outcome").is_null());
}

// A game in which every member of a fault and of its evidence is told.
GameRecord full_game() {
    auto record = sample_game(3);
    record.result.faults.front().evidence = {.received = "\"move\"",
                                             .sent_us = 1,
                                             .received_us = 2,
                                             .charged_us = 3,
                                             .allowed_us = 4,
                                             .budget_us = 5,
                                             .measure = protocol::Measure::cpu,
                                             .method = "cgroup",
                                             .exit_status = 6,
                                             .signal = 7,
                                             .stderr_tail = "out\n"};
    return record;
}

// What is written again is all that was read.
TEST(JournalRecordTest, AGameReadsBackEqual) {
    auto interrupted = full_game();
    interrupted.result.status = GameStatus::interrupted;
    interrupted.result.outcome = {};
    for (const auto& game : {full_game(), interrupted}) {
        const auto line = line_of(game);
        const auto read = read_record(std::string_view(line));
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(line_of(*read), line);
    }
}

// When a member of a game's line is left out or has another type, the error names it. A missing
// maps_version, means, valid_moves, program, sandbox, fingerprint or host means that there is none;
// so does missing evidence.
TEST(JournalRecordTest, WhatIsWrongIsToldByName) {
    const auto line = written(full_game());
    const auto told = [](const Json& json) {
        const auto read = read_record(std::string_view(json.dump()));
        return read ? std::string() : read.error().message;
    };
    ASSERT_EQ(told(line), "");
    const std::set<std::string> optional{
        "maps_version",   "means",       "fingerprint", "valid_moves",  "round_trip_us",
        "allowance_us",   "allowed_by",  "program",     "sandbox",      "host",
        "host_processor", "host_kernel", "host_cores",  "host_sandbox", "host_calibration_us"};
    for (const auto& [part, members] :
         {std::pair<std::string, Json>{"", line}, {"result", line.at("result")}}) {
        for (const auto& [name, value] : members.items()) {
            auto other = line;
            auto& object = part.empty() ? other : other.at(part);
            object[name] = true;
            EXPECT_THAT(told(other), testing::HasSubstr(name + ": expected "))
                << other.at("record");
            object.erase(name);
            if (optional.contains(name)) continue;
            EXPECT_THAT(told(other), testing::HasSubstr(name + ": expected "));
        }
    }
    const auto fault = line.at("result").at("faults").at(0);
    for (const auto& [name, value] : fault.items()) {
        auto other = line;
        other["result"]["faults"][0][name] = Json::array();
        EXPECT_THAT(told(other), testing::HasSubstr(name + ": expected "));
    }
    auto other = line;
    other["result"]["means"] = Json({"cgroup-v2"});
    EXPECT_THAT(told(other), testing::HasSubstr("means: expected an entry for each of 2 seats"));
    for (const std::string name : {"program", "sandbox"}) {
        other = line;
        other["result"][name] = Json({"B"});
        EXPECT_EQ(told(other).find("result." + name + ": expected an entry for each of 2 seats"),
                  0U)
            << told(other);
    }
    other = line;
    other["result"]["outcome"]["scores"][0] = 0.25;
    EXPECT_THAT(told(other), testing::HasSubstr("scores: expected an array of numbers of halves"));
    other = line;
    other["match"] = -1;
    EXPECT_EQ(told(other), "match: expected an integer of at least 0, found -1");
    EXPECT_EQ(told(Json{{"record", "dance"}}),
              "record: expected a kind of record, such as \"game\", found \"dance\"");
    EXPECT_EQ(told(Json::array()), "expected an object, found an array");
}

TEST(JournalRecordTest, IdentitiesTellRecordsApart) {
    const std::vector<Record> different{
        OpeningRecord{"friday", "{}", "1"},
        OpeningRecord{"monday", "{}", "1"},
        PairingRecord{"friday", 1, 1, {"alice", "bob"}},
        PairingRecord{"friday", 2, 1, {"alice", "bob"}},
        PairingRecord{"friday", 0, 1, {"alice"}},
        PairingRecord{"friday", 0, 2, {"alice"}},
        PairingRecord{"friday", 0, 1, {"bob"}},
        DroppedRecord{"friday", 1, {"bob"}, "it left"},
        DroppedRecord{"friday", 2, {"bob"}, "it left"},
        StartRecord{key, 1, {"alice", "bob"}},
        sample_game(3, 1),
        sample_game(3, 2),
    };
    std::set<std::string> identities;
    for (const auto& record : different)
        EXPECT_TRUE(identities.insert(identity(record)).second) << identity(record);
    const std::vector<Record> without_key{
        EntryRecord{"friday", "alice", 0, {}, 1}, WithdrawalRecord{"friday", "alice", 2, {}},
        AnnulmentRecord{key, "a cable"}, StateRecord{"friday", TournamentState::running, {}},
        TokenRecord{"alice", "hash", "ctl"}};
    for (const auto& record : without_key) EXPECT_EQ(identity(record), "");
    auto again = sample_game(3, 1);
    again.result.reason = "told otherwise";
    EXPECT_TRUE(identities.contains(identity(again)));
}

}  // namespace
}  // namespace referee::records
