// The kit over standard input and output, in a process of its own.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "sample_bots/cpp/bot/bot.h"
#include "tests/protocol/fake_referee.h"

namespace bots {
namespace {

constexpr int no_status = -1;

// Prints where the messages go, as beginners do.
class Talkative : public Player {
 public:
    std::string move(const Turn& turn) override {
        std::printf("thinking about turn %d\n", static_cast<int>(turn.number));
        std::fflush(stdout);
        return "\"F\"";
    }
};

int play() {
    std::string name = "bot";
    std::array<char*, 1> argv = {name.data()};
    return run(1, argv.data(), {"talkative", {"walls"}},
               [](const GameStart&) { return std::make_unique<Talkative>(); });
}

[[noreturn]] void be_the_bot(int in, int out) {
    ::unsetenv("REFEREE_ADDRESS");
    ::dup2(in, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::_exit(play());
}

TEST(Kit, plays_over_standard_streams_and_keeps_them_clean) {
    std::array<int, 2> to_bot{};
    std::array<int, 2> from_bot{};
    ASSERT_EQ(::pipe(to_bot.data()), 0);
    ASSERT_EQ(::pipe(from_bot.data()), 0);
    const auto child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        ::close(to_bot[1]);
        ::close(from_bot[0]);
        be_the_bot(to_bot[0], from_bot[1]);
    }
    ::close(to_bot[0]);
    ::close(from_bot[1]);
    protocol::testing::RefereeEnd end(from_bot[0], to_bot[1]);
    end.let_in();
    end.say_message(protocol::testing::start_of("g1", "{}"));
    end.hear_message<protocol::Ready>();
    for (std::int64_t turn = 1; turn <= 3; ++turn) {
        end.say_message(protocol::testing::turn_of("g1", turn, "{}"));
        EXPECT_EQ(end.hear_message<protocol::Move>().turn, turn);
    }
    end.say_message(protocol::Bye{"released", ""});
    EXPECT_EQ(end.hear(), "");
    int status = no_status;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace bots
