#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "referee/journal/file_journal.h"

namespace referee::journal {
namespace {

using Json = nlohmann::json;

GameRecord game_record(std::uint32_t attempt) {
    GameRecord record;
    auto& result = record.result;
    result.key = {"friday", 3, 2, attempt};
    result.game = "walls";
    result.params = R"({"size":3,"first":1})";
    result.seed = 4294967295U;
    result.bots = {"alice", "b\"ob\n"};
    result.reason = "played to the end";
    result.outcome = {
        {engines::Score::whole(2), engines::Score::halves(1)}, {1, 2}, R"({"bricks":[4,3]})"};
    result.turns = 17;
    result.clock_kind = "turn";
    result.measure = "wall";
    result.used_us = {5, 6};
    result.faults.resize(1);
    result.faults_total = 1;
    record.replay = "{\"replay\":1}\n{\"result\":{}}\n";
    return record;
}

Json written(const Record& record) {
    std::string text;
    write_record(text, record);
    EXPECT_EQ(text.find('\n'), text.size() - 1) << "one line, and it ends";
    return Json::parse(text);
}

TEST(JournalRecordTest, Lines) {
    EXPECT_EQ(written(EntryRecord{"friday", "al\"ice"}),
              Json::parse(R"({"record": "entry", "tournament": "friday", "bot": "al\"ice"})"));
    EXPECT_EQ(written(PairingRecord{"friday", 4, 2, {"alice", "bob"}}),
              Json::parse(R"({"record": "pairing",
        "tournament": "friday", "match": 4, "round": 2, "bots": ["alice", "bob"]})"));
    EXPECT_EQ(written(PairingRecord{"friday", 0, 2, {"alice"}}), Json::parse(R"({"record": "bye",
        "tournament": "friday", "match": 0, "round": 2, "bots": ["alice"]})"));
    EXPECT_EQ(written(FinishRecord{"friday"}),
              Json::parse(R"({"record": "finish", "tournament": "friday"})"));
}

TEST(JournalRecordTest, AGameHoldsItsResultAndReplay) {
    const auto line = written(game_record(2));
    EXPECT_EQ(line.at("record"), "game");
    EXPECT_EQ(line.at("match"), 3);
    EXPECT_EQ(line.at("number"), 2);
    EXPECT_EQ(line.at("attempt"), 2);
    EXPECT_EQ(line.at("seed"), 4294967295U);
    EXPECT_EQ(line.at("params"), Json::parse(R"({"size": 3, "first": 1})"));
    EXPECT_EQ(line.at("bots"), Json({"alice", "b\"ob\n"}));
    EXPECT_EQ(line.at("result").at("outcome").at("scores"), Json({2, 0.5}));
    EXPECT_EQ(line.at("result").at("faults").size(), 1U);
    EXPECT_EQ(line.at("replay"), "{\"replay\":1}\n{\"result\":{}}\n");
}

TEST(JournalRecordTest, AGameThatDoesNotCountHasNoOutcome) {
    auto record = game_record(1);
    record.result.status = GameStatus::interrupted;
    EXPECT_TRUE(written(record).at("result").at("outcome").is_null());
}

TEST(JournalRecordTest, IdentitiesTellRecordsApart) {
    const std::vector<Record> different{
        EntryRecord{"friday", "alice"},
        EntryRecord{"friday", "bob"},
        EntryRecord{"monday", "alice"},
        PairingRecord{"friday", 1, 1, {"alice", "bob"}},
        PairingRecord{"friday", 2, 1, {"alice", "bob"}},
        PairingRecord{"friday", 0, 1, {"alice"}},
        PairingRecord{"friday", 0, 2, {"alice"}},
        PairingRecord{"friday", 0, 1, {"bob"}},
        game_record(1),
        game_record(2),
        FinishRecord{"friday"},
        FinishRecord{"monday"},
    };
    std::set<std::string> identities;
    for (const auto& record : different)
        EXPECT_TRUE(identities.insert(identity(record)).second) << identity(record);
    auto again = game_record(1);
    again.result.reason = "told otherwise";
    EXPECT_TRUE(identities.contains(identity(again)));
}

}  // namespace
}  // namespace referee::journal
