#include "referee/launch/supply/bot_trouble.h"

#include <gtest/gtest.h>

#include <csignal>

namespace referee::supply {
namespace {

TEST(TroubleText, KnowsWhoDiedOfAClosedPipe) {
    using How = process::ExitStatus::How;
    struct Row {
        process::ExitStatus status;
        std::string_view tail;
        bool of_closed_pipe;
    };
    constexpr Row rows[] = {
        {{How::signalled, SIGPIPE}, "", true},
        {{How::signalled, SIGSEGV}, "Broken pipe", false},
        {{How::exited, 1}, "bot: write: Broken pipe\n", true},
        {{How::exited, 120}, "BrokenPipeError: [Errno 32]", true},
        {{How::exited, 1}, "Error: write EPIPE", true},
        {{How::exited, 1}, "IndexError: list index out of range", false},
        {{How::exited, 0}, "Broken pipe", false},
        {{How::lost, 0}, "Broken pipe", false},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(died_of_closed_pipe(row.status, row.tail), row.of_closed_pipe)
            << row.status.text() << ": " << row.tail;
    }
}

}  // namespace
}  // namespace referee::supply
