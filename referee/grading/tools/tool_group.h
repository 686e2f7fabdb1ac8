#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/config/config.h"
#include "referee/grading/tools/tool_plan.h"
#include "referee/grading/verdict/played.h"
#include "referee/launch/command/launched_command.h"

namespace referee::grading {

// How a call of a program ended.
struct ToolAnswer {
    std::string trouble;  // of the machine: nothing is known of the program; empty: none
    std::string failure;  // of the program: it can't be started, was killed, took too long
    int code = 0;         // its exit status, where there is neither
    std::string output;   // what it printed, to its standard output
    std::string error_tail;
    std::string sandbox;  // its tier
};

struct ToolTask {
    const ToolSeries& series;
    const ToolInput& input;
    std::vector<config::BotConfig> tools;
    // A folder of ours for what a checker reads; is made, and removed.
    std::string scratch;
};

struct ToolOutcome {
    verdict::PlayedRun run;
    std::string trouble;  // then nothing is known of the run; empty: none
    std::string sandbox;  // in which tier it ran
};

// All runs with one input: the reference's, then each tool's, which is checked at once. One after
// the other, each in the launcher's sandbox as a bot is launched: with its folder and limits, and
// no token. Not thread safe; destroy it before the launcher, which ends what runs.
class ToolGroup {
 public:
    // What `task` refers to outlives this.
    ToolGroup(boost::asio::any_io_executor executor, process::Launcher& launcher, ToolTask task);
    ~ToolGroup();
    ToolGroup(const ToolGroup&) = delete;
    ToolGroup& operator=(const ToolGroup&) = delete;

    // Once. `outcome` is called for each tool, by its place; `over` at the end, and it may destroy
    // this. Neither from inside this call, unless the input can't be read.
    void begin(std::function<void(std::size_t, ToolOutcome)> outcome, std::function<void()> over);

 private:
    void call(config::BotConfig bot, std::string input, std::function<void(ToolAnswer)> then);
    void take(std::string_view bytes);
    ToolAnswer answer_of(const command::CommandEnd& end) const;
    void take_reference(ToolAnswer answer);
    void run_next();
    void judge(ToolAnswer answer);
    void check(const std::string& printed);
    void take_checked(const ToolAnswer& answer);
    void tell(bool right, const std::string& reason);
    void tell_trouble(const std::string& reason);
    void trouble_for_all(const std::string& reason);

    boost::asio::any_io_executor executor_;
    process::Launcher& launcher_;
    ToolTask task_;
    std::function<void(std::size_t, ToolOutcome)> outcome_;
    std::function<void()> over_;
    // Of the program that runs.
    std::optional<command::LaunchedCommand> run_;
    config::BotConfig bot_;
    std::string output_;
    bool too_much_ = false;

    std::string input_;
    std::string expected_;
    std::size_t next_ = 0;
    ToolOutcome now_;
};

}  // namespace referee::grading
