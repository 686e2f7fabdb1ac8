#include "referee/connect/bridge/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <csignal>

namespace referee::bridge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A command of the shell as a program, until it has ended.
class ProgramRunTest : public testing::Test {
 protected:
    ProgramRunTest() { std::signal(SIGPIPE, SIG_IGN); }

    void run(const std::string& script, std::string_view said = "") {
        process::LauncherOptions options;
        options.search_path = "/usr/bin:/bin";
        auto launcher = process::Launcher::create(loop_.get_executor(), options);
        ASSERT_TRUE(launcher) << launcher.error().message;
        ProgramNews news;
        news.on_lines = [this](auto lines) {
            lines_.insert(lines_.end(), lines.begin(), lines.end());
        };
        news.on_too_long = [] {};
        news.on_sent = [] {};
        news.on_error_text = [this](std::string_view text) { errors_ += text; };
        news.on_half_line = [this](std::string_view text) { half_line_ = text; };
        news.on_ended = [this](const ProgramEnd& end) {
            end_ = end;
            program_.reset();  // as the bridge does
            loop_.stop();
        };
        const auto spec = launch_spec_of({"sh", "-c", script}, {"Ada", "secret", ""});
        auto begun = StudentProcess::begin(loop_.get_executor(), **launcher, spec, std::move(news));
        ASSERT_TRUE(begun) << begun.error().message;
        program_ = *std::move(begun);
        program_->channel().send(said);
        program_->channel().end_output();
        loop_.run();
    }

    boost::asio::io_context loop_;
    std::unique_ptr<StudentProcess> program_;
    std::vector<std::string> lines_;
    std::string errors_;
    std::string half_line_;
    ProgramEnd end_;
};

TEST_F(ProgramRunTest, TellsAllThatWasPrintedBeforeTheEnd) {
    run("cat; echo \"$REFEREE_NAME $REFEREE_TOKEN\"; echo trouble >&2; printf half; exit 3",
        "one\ntwo\n");
    EXPECT_THAT(lines_, ElementsAre("one", "two", "Ada secret"));
    EXPECT_EQ(half_line_, "half");
    EXPECT_EQ(errors_, "trouble\n");
    EXPECT_EQ(end_.error_tail, "trouble\n");
    EXPECT_EQ(end_.status.text(), "exit status 3");
    EXPECT_FALSE(end_.closed_output);
}

TEST_F(ProgramRunTest, EndsOneThatClosesItsOutput) {
    // time: it stays until it is ended
    run("exec >&-; sleep 1000");
    EXPECT_TRUE(end_.closed_output);
    EXPECT_THAT(end_.status.text(), HasSubstr("killed by signal 9"));
}

TEST_F(ProgramRunTest, EndsWhatIsLeftBehind) {
    // time: it stays until it is ended
    run("sleep 1000 & echo begun");
    EXPECT_THAT(lines_, ElementsAre("begun"));
    EXPECT_TRUE(end_.left_processes);
    EXPECT_EQ(end_.status.text(), "exit status 0");
}

TEST_F(ProgramRunTest, ReadsNoOtherBotsEnvironment) {
    ::setenv("REFEREE_ADDRESS", "elsewhere:1", 1);
    ::setenv("REFEREE_PASSWORD", "the class", 1);
    ::setenv("OF_THE_STUDENT", "kept", 1);
    run("echo \"$REFEREE_ADDRESS/$REFEREE_PASSWORD/$OF_THE_STUDENT\"");
    EXPECT_THAT(lines_, ElementsAre("//kept"));
    EXPECT_THAT(errors_, IsEmpty());
}

}  // namespace
}  // namespace referee::bridge
