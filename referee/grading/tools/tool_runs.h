#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "protocol/base/find.h"
#include "referee/exit_code.h"
#include "referee/game/result/game_result.h"
#include "referee/grading/submission/submission.h"
#include "referee/grading/tools/tool_group.h"
#include "referee/grading/tools/tool_plan.h"
#include "referee/grading/verdict/played.h"

namespace referee::grading {

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
    // The submissions outlive it.
    ToolRuns(ToolPlan plan, std::span<const GradedSubmission> submissions, ToolTerms terms);

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
    std::span<const GradedSubmission> submissions_;
    ToolTerms terms_;
    std::vector<ToolRecords> records_;        // by submission
    std::map<Pair, std::string> decided_by_;  // all that decides the runs but the input
    std::map<Pair, std::string> programs_;    // names
    std::map<Pair, std::string> troubles_;
    std::string unkept_;  // why what was run can't be kept
};

}  // namespace referee::grading
