// The C++ kit against a referee that the test plays.

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
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
        if (turn.state.find("throw")) throw std::runtime_error("as it was told");
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

TEST(Kit, applies_changes_to_the_state) {
    FakeReferee referee;
    SuppliedBot bot(referee.address(), {"--delta"});
    auto end = referee.accept();
    EXPECT_EQ(end.let_in().state, protocol::StateForm::delta);
    end.say_message(start_of("g1", R"({"a":[1,2],"b":{"x/y":0}})"));
    end.hear_message<protocol::Ready>();
    const struct {
        std::string_view delta, state;
    } turns[] = {
        {"[]", R"([1,{"a":[1,2],"b":{"x/y":0}}])"},
        {R"([{"op":"add","path":"/a/-","value":3},{"op":"replace","path":"/b/x~1y","value":0.5}])",
         R"([2,{"a":[1,2,3],"b":{"x/y":0.5}}])"},
        {R"([{"op":"remove","path":"/a/0"},{"op":"add","path":"/a/0","value":null}])",
         R"([3,{"a":[null,2,3],"b":{"x/y":0.5}}])"},
        {R"([{"op":"remove","path":"/nowhere"}])", "null"},
        {"[]", R"([4,{"a":[null,2,3],"b":{"x/y":0.5}}])"},
        {R"([{"op":"replace","path":"","value":{"n":18446744073709551615}}])",
         R"([5,{"n":18446744073709551615}])"},
    };
    std::int64_t number = 0;
    for (const auto& [delta, state] : turns) {
        auto turn = turn_of("g1", ++number, "");
        turn.delta = delta;
        end.say_message(turn);
        EXPECT_EQ(end.hear_message<protocol::Move>().move.json_text(), state) << delta;
    }
    end.say_message(turn_of("g1", ++number, "7"));  // whole again
    EXPECT_EQ(end.hear_message<protocol::Move>().move.json_text(), "[6,7]");
    end.say_message(protocol::Bye{"finished", ""});
    EXPECT_EQ(bot.status(), 0);
}

TEST(Kit, comes_back_to_its_game_after_a_lost_connection) {
    FakeReferee referee;
    SuppliedBot bot(referee.address(), {});
    {
        auto end = referee.accept();
        end.let_in();
        end.say_message(start_of("g1", "{}"));
        end.say_message(start_of("g2", "{}"));
        end.hear();
        end.hear();
        end.say_message(turn_of("g1", 1, "1"));
        end.hear();
    }
    auto end = referee.accept();
    end.let_in();
    auto start = start_of("g1", "2");
    start.resumed = true;
    start.turn = 1;
    end.say_message(start);
    end.say_message(protocol::History{"g1", 1, R"([{"moves":[1,null],"used_us":[1,0]}])", true});
    EXPECT_EQ(end.hear_message<protocol::Ready>().game_id, "g1");
    end.say_message(turn_of("g1", 2, "2"));
    EXPECT_EQ(end.hear_message<protocol::Move>().move.json_text(), "[2,2]");  // the same player
    end.say_message(start_of("g3", "{}"));
    EXPECT_EQ(end.hear_message<protocol::Ready>().game_id, "g3");
    end.say_message(turn_of("g2", 2, "2"));  // was not resumed: over
    end.say_message(protocol::Ping{1});
    end.hear_message<protocol::Pong>();
    end.say_message(protocol::Bye{"shutdown", ""});
    EXPECT_EQ(bot.status(), 0);
    EXPECT_EQ(bot.seen.players, 3);
}

TEST(Kit, comes_back_between_games) {
    FakeReferee referee;
    SuppliedBot bot(referee.address(), {"--wait", "0"});
    referee.accept().let_in();  // and is lost before any game
    {
        auto end = referee.accept();
        end.let_in();
        end.say_message(start_of("g1", "{}"));
        end.hear();
        end.say_message(end_of("g1"));
    }
    referee.accept().close();  // it isn't up yet
    auto end = referee.accept();
    end.let_in();
    end.say_message(start_of("g2", "{}"));
    EXPECT_EQ(end.hear_message<protocol::Ready>().game_id, "g2");
    end.say_message(protocol::Bye{"finished", ""});
    EXPECT_EQ(bot.status(), 0);
}

TEST(Kit, ends_with_the_status_that_fits) {
    struct Case {
        std::string_view name;
        void (*referee)(protocol::testing::RefereeEnd& end);
        int status;
    };
    const Case cases[] = {
        {"refused",
         [](auto& end) {
             end.say_message(protocol::Hello{});
             end.hear();
             end.say_message(
                 protocol::ProtocolError{protocol::ErrorCode::wrong_token, "no", "", "", ""});
             end.say_message(protocol::Bye{"refused", "no"});
         },
         2},
        {"replaced",
         [](auto& end) {
             end.let_in();
             end.say_message(protocol::Bye{"replaced", ""});
         },
         2},
        {"gone at once", [](auto&) {}, 3},
        {"the player throws",
         [](auto& end) {
             end.let_in();
             end.say_message(start_of("g1", "{}"));
             end.hear();
             end.say_message(turn_of("g1", 1, R"({"throw":1})"));
             EXPECT_EQ(end.template hear_message<protocol::Move>().move.json_text(), "null");
             end.say_message(protocol::Bye{"finished", ""});
         },
         0},
        {"what answers is no referee", [](auto& end) { end.say("SSH-2.0-OpenSSH_9.2"); }, 3},
    };
    for (const auto& [name, lead, status] : cases) {
        FakeReferee referee;
        SuppliedBot bot(referee.address(), {"--wait", "0"});
        {
            auto end = referee.accept();
            lead(end);
        }
        EXPECT_EQ(bot.status(), status) << name;
    }
}

TEST(Kit, says_where_nobody_listens) {
    std::string address;
    {
        const FakeReferee gone;
        address = gone.address();
    }
    EXPECT_EQ(SuppliedBot(address, {"--wait", "0"}).status(), 3);
    EXPECT_EQ(SuppliedBot("nonsense", {"--wait", "0"}).status(), 2);
}

}  // namespace
}  // namespace bots
