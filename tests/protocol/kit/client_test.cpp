// The programs of bots, against a referee that the test plays. What their kit does with what can go
// wrong is tested by tests/kits.

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <vector>

#include "sample_bots/cpp/bot/bot.h"
#include "tests/protocol/fake_referee.h"

namespace bots {
namespace {

using protocol::testing::end_of;
using protocol::testing::FakeReferee;
using protocol::testing::start_of;
using protocol::testing::turn_of;

struct Seen {
    std::atomic<int> players{0};
    std::atomic<int> living{0};
};

// Answers with the state that it sees, and how many turns it has had.
class Echo : public Player {
 public:
    explicit Echo(Seen& seen) : seen_(seen) {
        ++seen_.players;
        ++seen_.living;
    }
    ~Echo() override { --seen_.living; }
    Echo(const Echo&) = delete;
    Echo& operator=(const Echo&) = delete;
    std::string move(const Turn& turn) override {
        return "[" + std::to_string(++turns_) + ",\n" + turn.state.json_text() + "]";
    }

 private:
    Seen& seen_;
    int turns_ = 0;
};

// The kit's run() in a thread of its own.
class SuppliedBot {
 public:
    SuppliedBot(std::string address, std::vector<std::string> options)
        : arguments_{"bot", "--connect", std::move(address)} {
        arguments_.insert(arguments_.end(), options.begin(), options.end());
        for (auto& argument : arguments_) argv_.push_back(argument.data());
        status_ = std::async(std::launch::async, [this] {
            return run(static_cast<int>(argv_.size()), argv_.data(), {"echo", {"walls"}},
                       [this](const GameStart&) { return std::make_unique<Echo>(seen); });
        });
    }
    int status() { return status_.get(); }

    Seen seen;

 private:
    std::vector<std::string> arguments_;
    std::vector<char*> argv_;
    std::future<int> status_;
};

TEST(Kit, plays_a_game_and_says_goodbye) {
    FakeReferee referee;
    SuppliedBot bot(referee.address(), {"--name", "Ada", "--token=secret", "--password",
                                        "the class", "--parallel", "3"});
    auto end = referee.accept();
    end.say_message(protocol::Hello{});
    const auto login = end.hear_message<protocol::Login>();
    EXPECT_EQ(login.name, "Ada");
    EXPECT_EQ(login.token, "secret");
    EXPECT_EQ(login.password, "the class");
    EXPECT_EQ(login.games, std::vector<std::string_view>{"walls"});
    EXPECT_EQ(login.parallel, 3);
    EXPECT_EQ(login.state, protocol::StateForm::full);
    end.say_message(protocol::Welcome{"Ada", "s1", 1, 3, protocol::StateForm::full, {"walls"}});
    end.say_message(start_of("g1", "{}"));
    EXPECT_EQ(end.hear_message<protocol::Ready>().game_id, "g1");
    end.say(R"({"type":"weather","rain":true})");
    end.say_message(turn_of("g1", 1, R"({"n":1})"));
    auto move = end.hear_message<protocol::Move>();
    EXPECT_EQ(move.game_id, "g1");
    EXPECT_EQ(move.turn, 1);
    EXPECT_EQ(move.move.json_text(), R"([1,{"n":1}])");
    end.say_message(protocol::Ping{9});
    EXPECT_EQ(end.hear_message<protocol::Pong>().id, 9U);
    end.say_message(turn_of("g1", 3, R"({"n":2})"));
    EXPECT_EQ(end.hear_message<protocol::Move>().move.json_text(), R"([2,{"n":2}])");
    end.say_message(end_of("g1"));
    end.say_message(protocol::Ping{10});
    end.hear_message<protocol::Pong>();
    EXPECT_EQ(bot.seen.living, 0) << "a game's player goes with its game";
    end.say_message(protocol::Bye{"finished", ""});
    EXPECT_EQ(bot.status(), 0);
    EXPECT_EQ(bot.seen.players, 1);
}

TEST(Kit, plays_several_games_at_once) {
    FakeReferee referee;
    SuppliedBot bot(referee.address(), {});
    auto end = referee.accept();
    end.let_in();
    end.say_message(start_of("g1", "{}"));
    end.say_message(start_of("g2", "{}"));
    EXPECT_EQ(end.hear_message<protocol::Ready>().game_id, "g1");
    EXPECT_EQ(end.hear_message<protocol::Ready>().game_id, "g2");
    end.say_message(turn_of("g2", 1, "2"));
    end.say_message(turn_of("g1", 1, "1"));
    EXPECT_EQ(end.hear_message<protocol::Move>().move.json_text(), "[1,2]");
    EXPECT_EQ(end.hear_message<protocol::Move>().move.json_text(), "[1,1]");
    end.say_message(end_of("g2"));
    end.say_message(turn_of("g2", 2, "2"));  // is over: nothing to say
    end.say_message(turn_of("g1", 2, "1"));
    const auto move = end.hear_message<protocol::Move>();
    EXPECT_EQ(move.game_id, "g1");
    EXPECT_EQ(move.move.json_text(), "[2,1]");
    end.say_message(protocol::Bye{"finished", ""});
    EXPECT_EQ(bot.status(), 0);
    EXPECT_EQ(bot.seen.players, 2);
}

TEST(Kit, ends_where_another_connection_took_its_place) {
    FakeReferee referee;
    SuppliedBot bot(referee.address(), {});
    auto end = referee.accept();
    end.let_in();
    end.say_message(protocol::Bye{"replaced", ""});
    EXPECT_EQ(bot.status(), 2);
}

}  // namespace
}  // namespace bots
