// The bot in PROTOCOL.md plays, as it is printed there.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "protocol/base/text.h"
#include "tests/folder_of_test.h"
#include "tests/protocol/fake_referee.h"
#include "tests/protocol/protocol_page.h"

namespace protocol {
namespace {

constexpr const char* python = "/usr/bin/python3";

pid_t launch(const std::string& program, const std::string& address) {
    const auto child = ::fork();
    if (child != 0) return child;
    ::setenv("REFEREE_ADDRESS", address.c_str(), 1);
    ::setenv("REFEREE_NAME", "pagebot", 1);
    ::unsetenv("REFEREE_TOKEN");
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    ::execl(python, python, program.c_str(), nullptr);
    ::_exit(EXIT_FAILURE);
}

TEST(ProtocolPage, has_a_bot_that_plays) {
    if (::access(python, X_OK) != 0) GTEST_SKIP() << python << " is not installed";
    const auto lines = testing::page_lines("python");
    ASSERT_GT(lines.size(), 15U);
    const tests::FolderOfTest folder;
    const auto program = folder.write("page_bot.py", base::joined(lines, "\n") + '\n');
    const testing::FakeReferee referee;
    const auto child = launch(program, referee.address());
    ASSERT_GT(child, 0);
    {
        auto end = referee.accept();
        EXPECT_EQ(end.let_in().name, "pagebot");
        end.say_message(testing::start_of("g1", R"({"board":["..."]})"));
        EXPECT_EQ(end.hear_message<Ready>().game_id, "g1");
        for (std::int64_t turn = 1; turn <= 5; ++turn) {
            end.say_message(testing::turn_of("g1", turn, R"({"board":["..."]})"));
            const auto move = end.hear_message<Move>();
            EXPECT_EQ(move.turn, turn);
            const auto letter = move.move.view().text();
            EXPECT_TRUE(letter == "F" || letter == "L" || letter == "R") << letter;
        }
        end.say_message(testing::end_of("g1"));
        end.say_message(Bye{"finished", ""});
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace protocol
