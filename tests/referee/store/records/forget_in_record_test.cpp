#include "referee/store/records/forget_in_record.h"

#include <gmock/gmock.h>

#include "referee/store/records/record_fields.h"
#include "referee/store/records/record_line.h"

namespace referee::records {
namespace {

using testing::HasSubstr;
using testing::Not;

Forgetting forgetting_alice(const std::vector<std::string>& known = {"alice", "bob"}) {
    return {{"alice", "forgotten-1", known},
            [](const std::string& fingerprint) { return "other than " + fingerprint; }};
}

// Calls with each text of a record, with the name of its field: also with those of its faults.
template <typename Row, typename Each>
void for_each_text(Row& row, const Each& each) {
    fields::for_each_flat(
        &row, fields::Description<Row>::fields, [&each](auto* owner, const auto& field) {
            if constexpr (requires { field.member; }) {
                if (owner == nullptr) return;
                auto& value = owner->*field.member;
                using Value = std::decay_t<decltype(value)>;
                if constexpr (std::is_same_v<Value, std::string>) {
                    each(field.name, value);
                } else if constexpr (std::is_same_v<Value, std::optional<std::string>>) {
                    if (value) each(field.name, *value);
                } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
                    for (auto& text : value) each(field.name, text);
                } else if constexpr (std::is_same_v<Value, std::vector<Fault>>) {
                    for (auto& fault : value) for_each_text(fault, each);
                }
            }
        });
}

// A record in which each text that there may be is there.
template <typename Row>
Row with_all_texts() {
    Row row;
    const auto fill = [](auto* owner, const auto& field) {
        if constexpr (requires { field.member; }) {
            auto& value = owner->*field.member;
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, std::optional<std::string>>) value.emplace();
            if constexpr (std::is_same_v<Value, std::vector<std::string>>) value.emplace_back();
        }
    };
    if constexpr (std::is_same_v<Row, GameRecord>) {
        row.result.outcome.scores = {engines::Score::halves(1)};
        row.result.faults.push_back(with_all_texts<Fault>());
    }
    fields::for_each_flat(&row, fields::Description<Row>::fields, fill);
    return row;
}

TEST(Forgetting, EachTextOfARecordHasADecisionAndIsWithoutTheNameBehindIt) {
    int texts = 0;
    fields::for_each_record([&texts]<typename Row>(std::type_identity<Row> /*type*/) {
        auto row = with_all_texts<Row>();
        for_each_text(row, [](std::string_view /*field*/, std::string& text) { text = "alice"; });
        auto forgotten = std::get<Row>(forget(forgetting_alice(), row));
        for_each_text(forgotten, [&texts](std::string_view field, const std::string& text) {
            ++texts;
            const auto decided = holds(field);
            ASSERT_TRUE(decided) << "decide in forget_in_record.cpp what the text " << field
                                 << " may hold of a student";
            const bool is_free = *decided == Holds::nothing || text == "other than alice";
            EXPECT_THAT(is_free ? std::string() : text, Not(HasSubstr("alice")))
                << fields::Description<Row>::kind << ": " << field;
        });
    });
    EXPECT_GT(texts, 30);
}

constexpr std::string_view replay_of_two =
    R"({"replay":1,"game_id":"friday/1.1","tournament":"friday","match":1,"number":1,"attempt":1,)"
    R"("game":"walls","seed":7,"params":{"size":3},"bots":["alice","bob"]})"
    "\n"
    R"({"moves":["alice",null]})"
    "\n"
    R"({"result":{"game_id":"friday/1.1","status":"played","reason":"alice sent \"I am A. Smith\"",)"
    R"("outcome":{"scores":[2,0],"placing":[1,2],"detail":{}},"turns":1,"clock":"turn",)"
    R"("measure":"wall","used_us":[5,6],"program":["sha256:01","sha256:02"],"sandbox":["A","A"],)"
    R"("faults":[{"seat":0,"turn":1,"code":"illegal","consequence":"missing_move",)"
    R"("message":"alice: found \"A. Smith\", expected F","rule":"game.rules","rule_text":"it obeys",)"
    R"("evidence":{"received":"A. Smith","noticed_us":9}},{"seat":1,"turn":1,"code":"crashed",)"
    R"("consequence":"forfeit","message":"bob ended","rule":"process.alive","rule_text":"it runs",)"
    R"("evidence":{"stderr_tail":"beat alice!"}}],"faults_total":2},"times":[{"turn":1,"seat":0}]})"
    "\n";

// What a record has beside its replay.
GameResult beside_replay() {
    GameResult beside;
    beside.fingerprint = "fp";
    beside.machine = {"node7", "a processor", "Linux 6.1", 4, "A", 1834};
    return beside;
}

TEST(Forgetting, AGameKeepsItsMovesAndResultAndLosesWhatTheBotWrote) {
    const auto before = game_of_replay(std::string(replay_of_two), beside_replay());
    ASSERT_TRUE(before) << before.error().message;
    const auto after = std::get<GameRecord>(forget(forgetting_alice(), *before));
    EXPECT_EQ(after.result.bots, (std::vector<std::string>{"forgotten-1", "bob"}));
    EXPECT_EQ(after.result.outcome.scores, before->result.outcome.scores);
    EXPECT_EQ(after.result.reason, "forgotten-1 sent \"...\"");
    EXPECT_EQ(after.result.program, (std::vector<std::string>{"", "sha256:02"}));
    EXPECT_EQ(after.result.fingerprint, "other than fp");
    EXPECT_EQ(after.result.machine, beside_replay().machine);
    ASSERT_EQ(after.result.faults.size(), 2U);
    EXPECT_EQ(after.result.faults[0].message, "forgotten-1: found \"...\", expected F");
    EXPECT_FALSE(after.result.faults[0].evidence.received);
    EXPECT_EQ(after.result.faults[1].evidence.stderr_tail, "beat forgotten-1!");
    EXPECT_THAT(after.replay, Not(HasSubstr("Smith")));
    EXPECT_THAT(after.replay, HasSubstr("\n{\"moves\":[\"alice\",null]}\n")) << "moves stay";
    EXPECT_THAT(after.replay, HasSubstr("\"noticed_us\":9"));
    EXPECT_THAT(after.replay, HasSubstr("\"times\":[{\"turn\":1,\"seat\":0}]}\n"));
    // The replay tells the same game as the record does.
    const auto told = game_of_replay(after.replay, after.result);
    ASSERT_TRUE(told) << told.error().message;
    EXPECT_EQ(told->result.reason, after.result.reason);
    EXPECT_EQ(told->result.bots, after.result.bots);
    EXPECT_EQ(told->result.program, after.result.program);
}

std::string replay_of_others() {
    auto replay = std::string(replay_of_two);
    for (auto at = replay.find("alice"); at != std::string::npos; at = replay.find("alice", at))
        replay.replace(at, 5, "carol");
    return replay;
}

TEST(Forgetting, AGameOfOthersStaysToTheByte) {
    const auto before = game_of_replay(replay_of_others(), beside_replay());
    ASSERT_TRUE(before);
    std::string was;
    std::string is;
    write_record(was, *before);
    write_record(is, forget(forgetting_alice(), *before));
    EXPECT_EQ(is, was);
}

TEST(Forgetting, AGameOfOthersThatNamesTheBotBehindALineFeedIsTheSameInRecordAndReplay) {
    auto replay = replay_of_others();
    replay.replace(replay.find("beat carol!"), 11, "wait\\nalice");
    const auto before = game_of_replay(replay, beside_replay());
    ASSERT_TRUE(before) << before.error().message;
    const auto after = std::get<GameRecord>(forget(forgetting_alice(), *before));
    EXPECT_EQ(after.result.faults[1].evidence.stderr_tail, "wait\nforgotten-1");
    auto expected = replay;
    expected.replace(expected.find("alice"), 5, "forgotten-1");
    EXPECT_EQ(after.replay, expected);
}

TEST(Forgetting, TokensProveNothingAndNobodyLogsInByThem) {
    const TokenRecord token{"alice", "pbkdf2-sha256$1$aa$bb", "waiting 192.0.2.7"};
    const auto after = std::get<TokenRecord>(forget(forgetting_alice(), token));
    EXPECT_EQ(after.bot, "forgotten-1");
    EXPECT_EQ(after.hash, hash_of_forgotten);
    EXPECT_EQ(after.origin, origin_of_forgotten);
    const TokenRecord other{"bob", "pbkdf2-sha256$1$aa$bb", "waiting 192.0.2.8"};
    EXPECT_EQ(std::get<TokenRecord>(forget(forgetting_alice(), other)).origin, other.origin);
    const TokenRecord refused{"bob", "pbkdf2-sha256$1$aa$bb", "refused  alice has two names"};
    EXPECT_EQ(std::get<TokenRecord>(forget(forgetting_alice(), refused)).origin,
              "refused  forgotten-1 has two names");
}

TEST(Forgetting, AConfigChangesInItsListsOfOpponentsOnly) {
    const OpeningRecord opening{
        "alice",
        R"({"format":{"opponents":["alice","bob"],"better_than":"alice","forbidden_pairs":[["alice","bob"],{"bots":["bob","alice"]}]},"game":"alice","id":"alice"})",
        "1"};
    const auto after = std::get<OpeningRecord>(forget(forgetting_alice(), opening));
    EXPECT_EQ(
        after.config,
        R"({"format":{"opponents":["forgotten-1","bob"],"better_than":"forgotten-1","forbidden_pairs":[["forgotten-1","bob"],{"bots":["bob","forgotten-1"]}]},"game":"alice","id":"alice"})");
}

TEST(Placeholder, StandsForWholeWordsAndNotForPartsOfOtherNames) {
    const Placeholder of("alice", "forgotten-1", {"alice", "alice b", "alice-2"});
    const std::vector<std::pair<std::string, std::string>> cases{
        {"alice was late", "forgotten-1 was late"},
        {"alice, bob; (alice)", "forgotten-1, bob; (forgotten-1)"},
        {"alice-2 and malice and alice_", "alice-2 and malice and alice_"},
        {"alice b beat alice", "alice b beat forgotten-1"},
        {"\xC3\xA9"
         "alice",
         "\xC3\xA9"
         "alice"},
        {"", ""},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(of.in_words(text), expected);
    EXPECT_EQ(of.in_json(R"({"alice": "alice", "a": ["x \"alice\"", "ali\u0063e", 1]})"),
              R"({"alice": "forgotten-1", "a": ["x \"forgotten-1\"", "forgotten-1", 1]})");
}

TEST(Placeholder, IsCountedOnFromThoseThatAreThere) {
    EXPECT_EQ(next_placeholder({"alice", "bob"}), "forgotten-1");
    EXPECT_EQ(next_placeholder({"forgotten-2", "forgotten-x", "forgotten-", "forgotten-10"}),
              "forgotten-11");
    EXPECT_EQ(next_placeholder({"forgotten-99999999999999999999"}), "forgotten-1");
}

}  // namespace
}  // namespace referee::records
