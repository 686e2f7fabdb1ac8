#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <csignal>

#include "referee/connect/bridge/student_program.h"

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
        process::LauncherOptions options{.search_path = "/usr/bin:/bin"};
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
        auto begun = StudentProgram::begin(loop_.get_executor(), **launcher, spec, std::move(news));
        ASSERT_TRUE(begun) << begun.error().message;
        program_ = *std::move(begun);
        program_->channel().send(said);
        program_->channel().end_output();
        loop_.run();
    }

    boost::asio::io_context loop_;
    std::unique_ptr<StudentProgram> program_;
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

// A channel over two pipes, and our ends of them.
class ChannelTest : public testing::Test {
 protected:
    ChannelTest() {
        std::signal(SIGPIPE, SIG_IGN);  // as the program does
        int ends[2] = {};
        EXPECT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
        our_input_.reset(ends[0]);
        files::Descriptor input(ends[1]);
        EXPECT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
        files::Descriptor output(ends[0]);
        our_output_.reset(ends[1]);
        constexpr std::size_t line_bytes_max = 1000;
        channel_ =
            channel_of(loop_.get_executor(), std::move(input), std::move(output), line_bytes_max);
    }
    ~ChannelTest() override { channel_->close(); }

    void start() {
        ChannelNews news;
        news.on_lines = [this](std::span<const std::string_view> lines) {
            lines_.insert(lines_.end(), lines.begin(), lines.end());
            if (at_lines_) at_lines_();
        };
        news.on_too_long = [this] { ++too_long_; };
        news.on_sent = [this] { ++sent_; };
        news.on_end = [this](const std::string&, std::string_view half) {
            ++ends_;
            half_line_ = half;
        };
        channel_->start(std::move(news));
    }
    void say(std::string_view text) const {
        ASSERT_EQ(::write(our_output_.get(), text.data(), text.size()),
                  static_cast<ssize_t>(text.size()));
    }
    // All that is there for us, and whether the end was seen.
    std::pair<std::size_t, bool> hear() const {
        std::string text(1 << 20, '\0');
        std::size_t bytes = 0;
        while (true) {
            const auto got = ::read(our_input_.get(), text.data(), text.size());
            if (got <= 0) return {bytes, got == 0};
            bytes += static_cast<std::size_t>(got);
        }
    }
    void settle() {
        loop_.restart();
        loop_.poll();
    }

    boost::asio::io_context loop_;
    files::Descriptor our_input_;
    files::Descriptor our_output_;
    std::shared_ptr<Channel> channel_;
    std::vector<std::string> lines_;
    std::function<void()> at_lines_;
    int too_long_ = 0;
    int sent_ = 0;
    int ends_ = 0;
    std::string half_line_;
};

TEST_F(ChannelTest, ReadsLinesToTheEnd) {
    start();
    say("one\ntw");
    settle();
    EXPECT_THAT(lines_, ElementsAre("one"));
    say("o\n" + std::string(2000, 'x') + "\nthree\nhalf");
    our_output_.reset();
    settle();
    EXPECT_THAT(lines_, ElementsAre("one", "two", "three"));
    EXPECT_EQ(too_long_, 1);
    EXPECT_EQ(ends_, 1);
    EXPECT_EQ(half_line_, "half");
}

TEST_F(ChannelTest, SendsMoreThanThePipeTakes) {
    start();
    constexpr std::size_t bytes = 1'000'000;
    channel_->send(std::string(bytes, 'x'));
    channel_->end_output();
    channel_->send("too late");
    EXPECT_GT(channel_->unsent(), 0U);
    std::size_t heard = 0;
    bool ended = false;
    for (int i = 0; i < 1000 && !ended; ++i) {
        settle();
        const auto [more, end] = hear();
        heard += more;
        ended = end;
    }
    EXPECT_EQ(heard, bytes);
    EXPECT_TRUE(ended);
    EXPECT_EQ(sent_, 1);
    EXPECT_EQ(channel_->unsent(), 0U);
}

TEST_F(ChannelTest, ReadsNothingWhileReadingIsOff) {
    start();
    at_lines_ = [this] { channel_->set_reading(false); };
    say("one\n");
    settle();
    say("two\n");
    settle();
    EXPECT_THAT(lines_, ElementsAre("one"));
    channel_->set_reading(true);
    settle();
    EXPECT_THAT(lines_, ElementsAre("one", "two"));
}

// A read that is begun twice would put its bytes over those that are looked at.
TEST_F(ChannelTest, SwitchingReadingOnFromACallBeginsNoSecondRead) {
    start();
    std::vector<std::string> seen;
    at_lines_ = [&] {
        say("overwritten\n");
        channel_->set_reading(true);
        seen = lines_;
    };
    say("first one\n");
    loop_.restart();
    loop_.run_one();
    EXPECT_THAT(seen, ElementsAre("first one"));
    EXPECT_THAT(lines_, ElementsAre("first one")) << "the second comes with the next handler";
    at_lines_ = nullptr;
    settle();
    EXPECT_THAT(lines_, ElementsAre("first one", "overwritten"));
}

TEST_F(ChannelTest, MayBeClosedFromACall) {
    start();
    at_lines_ = [this] { channel_->close(); };
    say("one\n" + std::string(2000, 'x') + "\n");
    settle();
    EXPECT_THAT(lines_, ElementsAre("one"));
    EXPECT_EQ(too_long_, 0);
    EXPECT_EQ(ends_, 0);
    channel_->send("x");
    EXPECT_EQ(channel_->unsent(), 0U);
}

TEST_F(ChannelTest, TellsTheEndOnceWhereNobodyReads) {
    start();
    our_input_.reset();
    channel_->send("x\n");
    settle();
    EXPECT_EQ(channel_->unsent(), 0U);
    EXPECT_EQ(ends_, 0) << "it may still print";
    our_output_.reset();
    settle();
    EXPECT_EQ(ends_, 1);
    EXPECT_THAT(lines_, IsEmpty());
}

}  // namespace
}  // namespace referee::bridge
