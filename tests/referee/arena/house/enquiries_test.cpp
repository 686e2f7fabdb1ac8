// What bots ask about their games, over simulated links, of a shelf that the test answers.

#include "referee/arena/house/enquiries.h"

#include <gtest/gtest.h>

#include "referee/limits.h"
#include "tests/sim/lobby_room.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::house::Enquiries;
using referee::house::GameShelf;
namespace limits = referee::limits;

class TestShelf final : public GameShelf {
 public:
    void story(const referee::GameKey& key, const std::string& bot, OnStory on_story) override {
        asked.push_back(bot + " " + game_id(key));
        waiting.push_back(std::move(on_story));
    }
    void answer(Story story) {
        const auto on_story = std::move(waiting.front());
        waiting.erase(waiting.begin());
        on_story(std::move(story));
    }

    std::vector<std::string> asked;
    std::vector<OnStory> waiting;
};

class EnquiryRoom : public ::testing::Test {
 protected:
    EnquiryRoom() {
        room.on_asked = [this](const auto& bot, auto& session, const auto& question) {
            enquiries.ask(bot, session, question);
        };
    }
    // What the bot hears to a question.
    std::string told(ScriptedBot& bot, const Json& question) {
        bot.say(question);
        room.pass(100ms);
        return bot.messages.back().value("code", bot.messages.back().value("type", ""));
    }

    const Json story_of_a_game = {{"type", "game"}, {"game_id", "t/1.1"}};
    LobbyRoom room;
    TestShelf shelf;
    Enquiries enquiries{room.world.referee(), &shelf};
};

TEST_F(EnquiryRoom, draws_up_one_story_at_a_time_whoever_asks) {
    auto& ada = room.log_in("ada");
    auto& bob = room.log_in("bob");
    ada.say(story_of_a_game);
    bob.say(story_of_a_game);
    room.pass(100ms);
    EXPECT_EQ(shelf.asked, std::vector<std::string>{"ada t/1.1"});
    EXPECT_EQ(told(ada, story_of_a_game), "too_many_questions") << "her first is under way";
    shelf.answer(std::string("{\"type\":\"game_story\"}\n"));
    room.pass(100ms);
    EXPECT_EQ(ada.messages.back().value("type", ""), "game_story");
    ASSERT_EQ(shelf.asked.size(), 2U);
    EXPECT_EQ(shelf.asked.back(), "bob t/1.1");
    shelf.answer(base::failure(protocol::ErrorCode::nothing_kept));
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
    shelf.answer(std::string("{\"type\":\"game_story\"}\n"));
    EXPECT_EQ(shelf.asked.size(), 1U) << "nobody waits for the second";
    auto& again = room.log_in("bob");
    EXPECT_EQ(told(again, {{"type", "games"}}), "game_list");
}

TEST_F(EnquiryRoom, answers_so_many_at_once_and_then_one_now_and_then) {
    auto& ada = room.log_in("ada");
    const Json games = {{"type", "games"}};
    for (std::int64_t i = 0; i < limits::questions_at_once_max; ++i) {
        ada.say(games);
    }
    room.pass(1ms);
    ada.say(games);
    room.pass(50ms);
    EXPECT_EQ(ada.error(), "too_many_questions");
    room.pass(limits::question_every);
    EXPECT_EQ(told(ada, games), "game_list");
    EXPECT_EQ(told(room.log_in("bob"), games), "game_list") << "another bot has its own";
    room.pass(1h);
    EXPECT_EQ(told(ada, games), "game_list");
}

TEST_F(EnquiryRoom, tells_that_nothing_is_kept_where_there_is_no_shelf) {
    Enquiries none(room.world.referee(), nullptr);
    room.on_asked = [&none](const auto& bot, auto& session, const auto& question) {
        none.ask(bot, session, question);
    };
    EXPECT_EQ(told(room.log_in("ada"), {{"type", "games"}}), "nothing_kept");
    room.on_asked = nullptr;
    EXPECT_EQ(told(room.log_in("bob"), story_of_a_game), "nothing_kept");
}

}  // namespace
}  // namespace tests::sim
