#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/find.h"
#include "referee/config/config.h"
#include "referee/exit_code.h"
#include "referee/game/result/game_result.h"
#include "referee/grading/submission/submission.h"
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

// ---- tool_group.cpp -----------------------------------------------------------------------------

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

// ---- tool_runs.cpp ------------------------------------------------------------------------------

// What is known of the runs of one submission: a line of JSON a run in a file, added when the run
// has ended. A line that was cut off by a crash counts for nothing, and is written anew.
class ToolRecords {
 public:
    explicit ToolRecords(std::string file) : file_(std::move(file)) {}

    // What is wrong with the file, or nothing. A missing one is empty.
    std::string read();
    // `key`: a hash of all that decides the run. Null where it isn't known.
    const ToolOutcome* find(const std::string& key) const { return base::find_in(known_, key); }
    // Why it can't be kept, or nothing. Requires: it has no trouble.
    std::string add(const std::string& key, ToolOutcome record);

 private:
    std::string file_;
    std::map<std::string, ToolOutcome> known_;
    bool cut_off_ = false;  // the file's last line has no end
};

struct ToolTerms {
    std::string out;  // absolute; the folder of the grades
    bool single = false;
    std::size_t at_once = 1;
    bool unsandboxed = false;
};

// The runs that a rubric asks for, of all submissions. What is known already isn't run again; each
// run is kept when it has ended, so that whoever is stopped goes on.
class ToolRuns {
 public:
    ToolRuns(ToolPlan plan, std::vector<GradedSubmission> submissions, ToolTerms terms);

    // Finds out which programs they are, and reads what is known; what is wrong, or nothing.
    std::string prepare();
    // Runs what is missing. SIGINT and SIGTERM stop it.
    Ending run();
    // Where runs are missing, or can't be judged, it has trouble.
    verdict::PlayedSeries played(const GradedSubmission& submission,
                                 const std::string& series) const;
    // The names of its program and of the sandbox in which it ran; of the last series.
    LaunchedProgram program_of(const std::string& submission) const;
    const ToolPlan& plan() const { return plan_; }

 private:
    using Pair = std::pair<std::size_t, std::size_t>;  // a submission and a series
    struct Group {
        std::size_t series = 0;
        std::size_t input = 0;
        std::vector<std::size_t> submissions;
    };
    std::size_t place_of(const std::string& submission) const;  // as many as there are: it is none
    std::string key_of(const Pair& pair, std::size_t input) const;
    std::deque<Group> missing() const;
    void take(const Pair& pair, std::size_t input, ToolOutcome outcome);
    std::string folder_of(const GradedSubmission& submission) const;
    class Lanes;

    ToolPlan plan_;
    std::vector<GradedSubmission> submissions_;
    ToolTerms terms_;
    std::vector<ToolRecords> records_;        // by submission
    std::map<Pair, std::string> decided_by_;  // all that decides the runs but the input
    std::map<Pair, std::string> programs_;    // names
    std::map<Pair, std::string> troubles_;
    std::string unkept_;  // why what was run can't be kept
};

}  // namespace referee::grading
