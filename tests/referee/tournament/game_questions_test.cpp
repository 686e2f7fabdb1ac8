// What bots ask about their games, over simulated links; the test tells the stories.

#include "referee/tournament/game_questions.h"

#include <gtest/gtest.h>

#include "tests/sim/lobby_room.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::tournament::GameQuestions;
using referee::tournament::OnStory;
using referee::tournament::Story;

class EnquiryRoom : public ::testing::Test {
 protected:
    EnquiryRoom() {
        room.on_asked = [this](const auto& bot, auto& session, const auto& question) {
            queries.ask(bot, session, question);
        };
    }
    // What the bot hears to a question.
    std::string told(ScriptedBot& bot, const Json& question) {
        bot.say(question);
        room.pass(100ms);
        return bot.messages.back().value("code", bot.messages.back().value("type", ""));
    }
    // A game of ada and bob that ends now with these scores.
    referee::GameResult ended(std::uint64_t match, std::int64_t ada, std::int64_t bob) {
        referee::GameResult result;
        result.key = {"t", match, 1, 1};
        result.game = "walls";
        result.bots = {"ada", "bob"};
        result.reason = (ada > bob ? "ada" : "bob") + std::string(" laid more bricks");
        result.outcome.scores = {engines::Score::whole(ada), engines::Score::whole(bob)};
        result.outcome.placing = engines::placing_by_score(result.outcome.scores);
        return result;
    }
    Json listed(const std::string& bot, std::size_t line) const {
        return Json::parse(queries.listed(bot, 9)).at("games").at(line);
    }
    void answer(Story story) {
        const auto on_story = std::move(waiting.front());
        waiting.erase(waiting.begin());
        on_story(std::move(story));
    }

    const Json story_of_a_game = {{"type", "game"}, {"game_id", "t/1.1"}};
    LobbyRoom room;
    std::vector<std::string> asked;  // stories
    std::vector<OnStory> waiting;
    std::map<referee::GameKey, std::string> rulings;
    GameQuestions queries{
        room.world.referee(),
        [this](const auto& key, const auto& bot, const auto& /*names*/, auto on_story) {
            asked.push_back(bot + " " + game_id(key));
            waiting.push_back(std::move(on_story));
        },
        [this](const auto& key) {
            const auto found = rulings.find(key);
            return found == rulings.end() ? std::string() : found->second;
        }};
};

TEST_F(EnquiryRoom, draws_up_one_story_at_a_time_whoever_asks) {
    auto& ada = room.log_in("ada");
    auto& bob = room.log_in("bob");
    ada.say(story_of_a_game);
    bob.say(story_of_a_game);
    room.pass(100ms);
    EXPECT_EQ(asked, std::vector<std::string>{"ada t/1.1"});
    EXPECT_EQ(told(ada, story_of_a_game), "too_many_questions") << "her first is under way";
    answer(std::string("{\"type\":\"game_story\"}\n"));
    room.pass(100ms);
    EXPECT_EQ(ada.messages.back().value("type", ""), "game_story");
    ASSERT_EQ(asked.size(), 2U);
    EXPECT_EQ(asked.back(), "bob t/1.1");
    answer(base::failure(protocol::ErrorCode::nothing_kept));
    room.pass(100ms);
    EXPECT_EQ(bob.error(), "nothing_kept");
}

TEST_F(EnquiryRoom, forgets_who_left_meanwhile) {
    auto& ada = room.log_in("ada");
    auto& bob = room.log_in("bob");
    ada.say(story_of_a_game);
    bob.say(story_of_a_game);
    room.pass(100ms);
    bob.say({{"type", "bye"}});
    ada.say({{"type", "bye"}});
    room.pass(100ms);
    answer(std::string("{\"type\":\"game_story\"}\n"));
    EXPECT_EQ(asked.size(), 1U) << "nobody waits for the second";
    auto& again = room.log_in("bob");
    EXPECT_EQ(told(again, {{"type", "games"}}), "game_list");
}

TEST_F(EnquiryRoom, answers_so_many_at_once_and_then_one_now_and_then) {
    auto& ada = room.log_in("ada");
    const Json games = {{"type", "games"}};
    for (std::int64_t i = 0; i < referee::tournament::questions_at_once_max; ++i) ada.say(games);
    room.pass(1ms);
    ada.say(games);
    room.pass(50ms);
    EXPECT_EQ(ada.error(), "too_many_questions");
    room.pass(referee::tournament::question_every);
    EXPECT_EQ(told(ada, games), "game_list");
    EXPECT_EQ(told(room.log_in("bob"), games), "game_list") << "another bot has its own";
    room.pass(1h);
    EXPECT_EQ(told(ada, games), "game_list");
}

TEST_F(EnquiryRoom, tells_of_games_that_an_order_took_back_and_why) {
    const auto result = ended(1, 1, 0);
    queries.know(result, room.world.now());
    queries.know(ended(2, 1, 0), room.world.now());
    const auto line = [this](const std::string& bot) { return listed(bot, 1); };
    EXPECT_EQ(line("bob").at("status"), "played");
    queries.annul(result.key, "the network was down", false);
    for (const auto* bot : {"ada", "bob"}) {
        EXPECT_EQ(line(bot).at("status"), "annulled");
        EXPECT_EQ(line(bot).at("reason"), "annulled by order: the network was down");
        EXPECT_FALSE(line(bot).contains("score"));
    }
    queries.annul(result.key, "it was not", true);
    EXPECT_EQ(line("ada").at("status"), "played");
    EXPECT_EQ(line("ada").at("score"), 1);
    queries.annul(result.key, "once more", true);
    EXPECT_EQ(line("ada").at("reason"), "won 1 : 0: ada laid more bricks");
    EXPECT_FALSE(line("ada").contains("ruling"));
    rulings[result.key] = "the arbiter set the result of match t/1: ada 2, bob 1; a wrong start";
    EXPECT_EQ(line("bob").at("ruling"), rulings[result.key]);
    EXPECT_EQ(line("bob").at("reason"), "lost 0 : 1: ada laid more bricks");
}

TEST_F(EnquiryRoom, lists_the_first_cause_beside_the_verdict) {
    auto result = ended(1, 0, 2);
    result.faults = {{.code = referee::FaultCode::disconnected, .turn = 5},
                     {.code = referee::FaultCode::late, .turn = 6}};
    queries.know(result, room.world.now());
    EXPECT_EQ(listed("ada", 0).at("reason"),
              "lost 0 : 2 (first fault: disconnected, turn 5): bob laid more bricks");
}

TEST_F(EnquiryRoom, hides_names_in_what_an_arbiter_set) {
    auto& ada = room.log_in("ada");
    const auto result = ended(1, 0, 1);
    queries.know(result, room.world.now());
    rulings[result.key] = "the arbiter set the result of match t/1: ada 2, bob 1; bob was away";
    queries.hide_names("secret", {"ada", "bob"});
    ASSERT_EQ(told(ada, {{"type", "games"}}), "game_list");
    const auto ruling = ada.messages.back().at("games").at(0).value("ruling", "");
    EXPECT_NE(ruling.find("ada 2"), std::string::npos) << ruling;
    EXPECT_EQ(ruling.find("bob"), std::string::npos) << ruling;
}

TEST_F(EnquiryRoom, tells_that_nothing_is_kept_where_there_are_no_finished_games) {
    GameQuestions none(room.world.referee(), nullptr, {});
    room.on_asked = [&none](const auto& bot, auto& session, const auto& question) {
        none.ask(bot, session, question);
    };
    EXPECT_EQ(told(room.log_in("ada"), {{"type", "games"}}), "nothing_kept");
}

}  // namespace
}  // namespace tests::sim
