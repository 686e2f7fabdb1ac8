#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "referee/grading/run/tool_call.h"
#include "referee/grading/run/tool_plan.h"
#include "referee/grading/verdict/played.h"

namespace referee::grading {

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
// the other. Not thread safe; destroy it before the launcher, which ends what runs.
class ToolGroup {
 public:
    // What `task` refers to outlives this.
    ToolGroup(boost::asio::any_io_executor executor, process::Launcher& launcher, ToolTask task);
    ~ToolGroup();
    ToolGroup(const ToolGroup&) = delete;
    ToolGroup& operator=(const ToolGroup&) = delete;
    ToolGroup(ToolGroup&&) = delete;
    ToolGroup& operator=(ToolGroup&&) = delete;

    // Once. `outcome` is called for each tool, by its place; `over` at the end, and it may destroy
    // this. Neither from inside this call, unless the input can't be read.
    void begin(std::function<void(std::size_t, ToolOutcome)> outcome, std::function<void()> over);

 private:
    void call(const config::BotConfig& bot, std::function<void(ToolAnswer)> then);
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
    std::unique_ptr<ToolCall> call_;
    std::string input_;
    std::string expected_;
    std::size_t next_ = 0;
    ToolOutcome now_;
};

}  // namespace referee::grading
