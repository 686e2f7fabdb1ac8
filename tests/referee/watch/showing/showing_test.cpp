#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/registry.h"
#include "referee/watch/showing/showing.h"
#include "tests/json.h"

namespace referee::showing {

namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string first_line =
    R"({"replay":1,"game_id":"friday/12.1","tournament":"friday","match":12,"number":1,"attempt":1,)"
    R"("game":"walls","seed":7,"params":{"size":5,"first":0},"bots":["alice","bob"],)"
    R"("clock":{"kind":"turn","measure":"wall","budget_us":1000000,"hard_limit_us":1000000}})"
    "\n";

std::string last_line(const std::string& status, int turns, const std::string& more = "") {
    return R"({"result":{"game_id":"friday/12.1","status":")" + status +
           R"(","outcome":null,"turns":)" + std::to_string(turns) +
           R"(,"faults":[{"seat":1,"turn":2,"code":"illegal","evidence":{"received":"F"}}],)"
           R"("faults_total":3})" +
           more + "}\n";
}

// The first line, these, and the last one.
std::string replay_of(std::initializer_list<const char*> turns, const std::string& last) {
    auto text = first_line;
    for (const auto* turn : turns) text.append(turn).append("\n");
    return text + last;
}

class ShowingTest : public testing::Test {
 protected:
    Json shown(const std::string& replay, const ShowingOptions& options = {}) {
        auto made = showing_of(replay, "game.ndjson", registry_, options);
        if (!made) {
            ADD_FAILURE() << made.error().message;
            return {};
        }
        differences_ = made->differences;
        return Json::parse(made->json);
    }

    std::string refusal(const std::string& replay) {
        const auto made = showing_of(replay, "game.ndjson", registry_);
        return made ? "nothing was refused" : made.error().message;
    }

    engines::Registry registry_;
    std::vector<std::string> differences_;
};

TEST_F(ShowingTest, HasTheFactsOfTheReplayAndItsResultWithoutFaults) {
    const auto showing = shown(replay_of({R"({"moves":["L",null]})"}, last_line("annulled", 1)));
    EXPECT_EQ(showing["showing"], 1);
    EXPECT_EQ(showing["game_id"], "friday/12.1");
    EXPECT_EQ(showing["title"], "Walls");
    EXPECT_EQ(showing["clock"]["budget_us"], 1000000);
    EXPECT_EQ(showing["live"], false);
    EXPECT_EQ(showing["faults"][0]["evidence"]["received"], "F");
    EXPECT_EQ(showing["faults_total"], 3);
    EXPECT_EQ(showing["result"]["status"], "annulled");
    EXPECT_FALSE(showing["result"].contains("faults"));
    EXPECT_FALSE(showing.contains("forked_from"));
    EXPECT_THAT(differences_, IsEmpty());
}

TEST_F(ShowingTest, AFrameHasWhatThePatchTurnsTheStateInto) {
    const auto showing =
        shown(replay_of({R"({"moves":["F",null],"used_us":[18,0]})", R"({"moves":[null,"R"]})"},
                        last_line("interrupted", 2)));
    ASSERT_EQ(showing["frames"].size(), 2U);
    auto state = showing["state"];
    EXPECT_EQ(state["to_move"], 0);
    state = state.patch(showing["frames"][0]["changes"]);
    EXPECT_EQ(state["to_move"], 1);
    EXPECT_EQ(state["players"][0]["bricks"], 1);
    EXPECT_EQ(showing["frames"][0]["moves"], Json::parse(R"(["F", null])"));
    EXPECT_EQ(showing["frames"][0]["used_us"], Json::parse("[18, 0]"));
    EXPECT_EQ(showing["frames"][1]["used_us"], Json::parse("[0, 0]"));
    EXPECT_EQ(showing["frames"][1]["turn"], 2);
}

TEST_F(ShowingTest, AFaultOfTheEngineIsANoteOfItsFrame) {
    const auto showing = shown(replay_of({R"({"moves":["X",null]})"}, last_line("interrupted", 1)));
    const auto& notes = showing["frames"][0]["notes"];
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0]["seat"], 0);
    EXPECT_EQ(notes[0]["fault"], true);
    EXPECT_FALSE(notes[0]["message"].get<std::string>().empty());
}

TEST_F(ShowingTest, AForfeitHasTheTurnThatWouldHaveBeenNextAndNoMoves) {
    const auto showing =
        shown(replay_of({R"({"moves":["L",null]})", R"({"forfeit":1})"}, last_line("annulled", 1)));
    ASSERT_EQ(showing["frames"].size(), 2U);
    const auto& forfeit = showing["frames"][1];
    EXPECT_EQ(forfeit["forfeit"], 1);
    EXPECT_EQ(forfeit["turn"], 2);
    EXPECT_FALSE(forfeit.contains("moves"));
    EXPECT_TRUE(forfeit["changes"].is_array());
}

TEST_F(ShowingTest, TimesAndWordsStandWithTheirTurnAndSeat) {
    const ShowingOptions options{
        .said = {
            {"bob", "{\"turn\":2,\"debug\":\"think\"}\nnonsense\n{\"turn\":1,\"debug\":\"\"}\n"},
            {"eve", "{\"turn\":1,\"debug\":\"not here\"}\n"}}};
    const auto showing = shown(
        replay_of(
            {R"({"moves":["L",null]})", R"({"moves":[null,"L"]})"},
            last_line("annulled", 2, R"(,"times":[{"turn":2,"seat":1,"wall_us":5},[2,0,7]])")),
        options);
    EXPECT_FALSE(showing["frames"][0].contains("times"));
    EXPECT_FALSE(showing["frames"][0].contains("debug"));
    EXPECT_EQ(showing["frames"][1]["times"],
              Json::parse(R"([{"seat":1,"wall_us":5},{"seat":0,"waited_us":7}])"));
    EXPECT_EQ(showing["frames"][1]["debug"], Json::parse(R"([null, "think"])"));
}

TEST_F(ShowingTest, TextStandsWhereItIsAskedFor) {
    const auto replay = replay_of({R"({"moves":["L",null]})"}, last_line("annulled", 1));
    EXPECT_FALSE(shown(replay).contains("text"));
    const auto showing = shown(replay, {.with_text = true});
    EXPECT_THAT(showing["text"].get<std::string>(), HasSubstr("bricks"));
    EXPECT_NE(showing["frames"][0]["text"], showing["text"]);
}

TEST_F(ShowingTest, WhereAGameWasForkedIsPassedOn) {
    auto line = first_line;
    line.insert(line.find("\"clock\""), R"("forked_from":{"game_id":"a/1.1","turn":4},)");
    EXPECT_EQ(shown(line + last_line("annulled", 0))["forked_from"]["turn"], 4);
}

TEST_F(ShowingTest, WhatTheRecordTellsOtherwiseIsTold) {
    const auto showing = shown(replay_of({R"({"moves":["L",null]})"}, last_line("played", 4)));
    EXPECT_THAT(differences_, ElementsAre("turns: recorded 4, played again 1",
                                          "outcome: the game is not over where the replay ends"));
    EXPECT_EQ(showing["differences"].size(), 2U);
    const auto behind_the_end =
        shown(replay_of({R"({"forfeit":0})", R"({"moves":["L","L"]})"}, last_line("annulled", 0)));
    EXPECT_THAT(differences_, ElementsAre("line 3: a turn after the end of the game"));
    EXPECT_EQ(behind_the_end["frames"].size(), 1U);
}

TEST_F(ShowingTest, RefusesWhatIsNoReplay) {
    const auto replaced = [](std::string text, const std::string& what, const std::string& by) {
        return text.replace(text.find(what), what.size(), by);
    };
    const auto last = last_line("annulled", 0);
    struct Case {
        std::string replay;
        const char* has;
    };
    const std::vector<Case> cases{
        {first_line, "cut short"},
        {replaced(first_line, "walls", "chess") + last, "found \"chess\""},
        {replaced(first_line, "[\"alice\",\"bob\"]", "[\"a\",\"b\",\"c\"]") + last, "2 names"},
        {first_line + "{\"forfeit\":2}\n" + last, "game.ndjson:2: forfeit"},
        {first_line + last + last, "game.ndjson:2: expected a turn, found a result"},
    };
    for (const auto& each : cases) EXPECT_THAT(refusal(each.replay), HasSubstr(each.has));
}

TEST(FollowerTest, RefusesATurnBehindTheEnd) {
    const engines::Registry registry;
    const auto begun = ReplayFollower::begin(first_line, "live", registry, false);
    ASSERT_TRUE(begun) << begun.error().message;
    ASSERT_TRUE((*begun)->follow(R"({"moves":["F",null]})"));
    ASSERT_TRUE((*begun)->follow(R"({"forfeit":0})"));
    const auto behind = (*begun)->follow(R"({"moves":["F",null]})");
    ASSERT_FALSE(behind);
    EXPECT_THAT(behind.error().message, HasSubstr("live:4: a turn after the end of the game"));
}

// Four turns in which both only turn, and a forfeit.
std::string turning_game() {
    std::string replay =
        R"({"replay":1,"game_id":"friday/1.1","game":"walls","seed":1,"params":{"size":5,"first":0},)"
        R"("bots":["alice","bob"],"clock":{"kind":"turn","measure":"wall","budget_us":1000000}})"
        "\n";
    for (int turn = 0; turn < 4; ++turn) {
        replay += turn % 2 == 0 ? "{\"moves\":[\"L\",null],\"used_us\":[7,0]}\n"
                                : "{\"moves\":[null,\"R\"]}\n";
    }
    return replay +
           "{\"forfeit\":1}\n"
           R"({"result":{"status":"annulled","outcome":null,"turns":4,"faults":[)"
           R"({"seat":1,"turn":5,"code":"gone","consequence":"forfeit","message":"It went."},)"
           R"({"seat":9,"turn":5,"code":"odd"}],"faults_total":2}})"
           "\n";
}

class ReplayFramesTest : public testing::Test {
 protected:
    std::unique_ptr<ReplayFrames> frames_of(const std::string& replay,
                                            const std::vector<DebugFile>& said = {}) {
        auto replay_frames = ReplayFrames::of(replay, "game.ndjson", registry_, said);
        if (replay_frames) return *std::move(replay_frames);
        ADD_FAILURE() << replay_frames.error().message;
        return nullptr;
    }
    engines::Registry registry_;
};

TEST_F(ReplayFramesTest, AnyPositionIsTheSameHoweverOneCameThere) {
    const auto replay_frames = frames_of(turning_game());
    ASSERT_EQ(replay_frames->frames(), 6U);
    std::vector<std::string> forward;
    for (std::size_t frame = 0; frame < replay_frames->frames(); ++frame)
        forward.push_back(replay_frames->state(frame).render());
    for (std::size_t frame = replay_frames->frames(); frame-- > 0;)
        EXPECT_EQ(replay_frames->state(frame).render(), forward[frame]) << frame;
    EXPECT_EQ(replay_frames->state(3).render(), forward[3]);
    EXPECT_NE(forward[0], forward[1]);
}

TEST_F(ReplayFramesTest, TellsWhatLedToAFrame) {
    const auto replay_frames =
        frames_of(turning_game(), {{"bob", "{\"turn\":2,\"debug\":\"hm\"}\n"}});
    EXPECT_TRUE(replay_frames->facts(0).moves.empty());
    EXPECT_EQ(replay_frames->facts(2).turn, 2);
    EXPECT_EQ(replay_frames->facts(2).moves, (std::vector<std::string>{"", "\"R\""}));
    EXPECT_EQ(replay_frames->facts(2).debug, (std::vector<std::string>{"", "hm"}));
    EXPECT_EQ(replay_frames->facts(3).used_us, (std::vector<std::int64_t>{7, 0}));
    EXPECT_EQ(replay_frames->facts(5).forfeit, 1U);
    EXPECT_EQ(replay_frames->facts(5).turn, 5);
    ASSERT_EQ(replay_frames->faults().size(), 1U)
        << "a fault of a seat that the game hasn't is none";
    EXPECT_EQ(replay_frames->faults()[0].find("code").string(), "gone");
    EXPECT_EQ(replay_frames->game_id(), "friday/1.1");
}

TEST_F(ReplayFramesTest, FindsTheFrameAfterATurn) {
    const auto replay_frames = frames_of(turning_game());
    EXPECT_EQ(replay_frames->turns(), 5);
    EXPECT_EQ(replay_frames->frame_after(0), 0U);
    EXPECT_EQ(replay_frames->frame_after(4), 4U);
    EXPECT_EQ(replay_frames->frame_after(5), 5U);
    EXPECT_FALSE(replay_frames->frame_after(6));
    EXPECT_FALSE(replay_frames->frame_after(-1));
}

}  // namespace

}  // namespace referee::showing
