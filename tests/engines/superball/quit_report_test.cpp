#include "sample_bots/cpp/superball/tools/player_command.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdio>

namespace bots::superball::tools {
namespace {

// The standard output of this process as a pipe, so that what is printed can be waited for.
class Output {
 public:
    Output() {
        std::fflush(stdout);
        saved_ = ::dup(STDOUT_FILENO);
        if (::pipe(ends_.data()) != 0) ADD_FAILURE() << "no pipe";
        ::dup2(ends_[1], STDOUT_FILENO);
    }
    ~Output() {
        ::dup2(saved_, STDOUT_FILENO);
        for (const int each : {saved_, ends_[0], ends_[1]}) ::close(each);
    }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    std::string line() const {
        std::string line;
        char next = 0;
        while (::read(ends_[0], &next, 1) == 1 && next != '\n') line += next;
        return line;
    }

 private:
    std::array<int, 2> ends_{};
    int saved_ = -1;
};

TEST(QuitReport, PrintsTheScoreThatIsSetBesideItAndEndsQuietly) {
    const Output output;
    for (int i = 0; i < 20; ++i) QuitReport ended;
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    EXPECT_EQ(sigismember(&blocked, SIGQUIT), 1) << "it stays so";
    QuitReport report;
    ::kill(::getpid(), SIGQUIT);
    EXPECT_EQ(output.line(), "Score so far: 0") << "those that ended printed nothing";
    report.set_score(12);
    ::kill(::getpid(), SIGQUIT);
    EXPECT_EQ(output.line(), "Score so far: 12");
    // While scores change without end, what is printed is one of them.
    constexpr int scores = 1000;
    for (int score = 0; score < scores; ++score) {
        report.set_score(1'000'000 + score);
        if (score == scores / 2) ::kill(::getpid(), SIGQUIT);
    }
    EXPECT_EQ(output.line().substr(0, 17), "Score so far: 100");
}

}  // namespace
}  // namespace bots::superball::tools
