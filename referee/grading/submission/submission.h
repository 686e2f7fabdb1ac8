#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/config/config.h"
#include "referee/exit_code.h"
#include "referee/game/clock/time.h"
#include "referee/grading/rubric/rubric.h"

namespace referee::grading {

// A program that is handed in, as it is graded.
struct GradedSubmission {
    std::string name;                   // of its grade, and of that grade's folder
    std::vector<std::string> students;  // keys of the roster; empty: not known
    // How it is launched, as a config's bot says it: "launch" or "program", "directory", "reads";
    // an object as JSON text.
    std::string bot = "{}";
    Duration late_by = Duration::zero();
    // Why it can't play, by its own doing: its build failed, there is no such file. Empty: it can.
    std::string unplayable;
    // Of these the failed build alone: its other programs aren't there either. Empty: it was built.
    std::string unbuilt{};
    // A bot of the rubric, graded as if it were handed in: its tools are the references.
    bool is_of_rubric = false;
    bool is_built = false;      // a build made its program of what was handed in
    bool is_collected = false;  // `referee collect` found a program in it, built or as it came
    // How what was built of it is not as it was, and what this machine lacks to play it, which is
    // nobody's zero. Empty: not at all, and nothing.
    std::string change{};
    std::string lack{};
    // Where what was built of it lies, and its hash then; empty: nobody knows.
    std::string built_in{};
    std::string built_hash{};
    std::string build_output{};  // what a build that failed printed
    std::string player{};        // the bot that plays it; see name_players() (grading_plan.h)

    bool is_played() const { return unplayable.empty() && lack.empty(); }
};

// A single one, as a command line gives it.
struct Handed {
    std::string command;  // words as a shell has them, or KIND:FILE
    std::string name;
    // Its own folder, absolute; empty: it sees only the files that the command names.
    std::string directory;
    std::vector<std::string> reads;  // absolute; what else it may read
};
base::Result<GradedSubmission, std::string> submission_of(const Handed& handed);

// What is wrong with the kind of programs that a rubric builds; empty where nothing is.
std::string mistake_in_kind(const rubric::RubricBuild& build);
// One as it was handed in: an archive, a file or a folder, which is only read. It is built in the
// sandbox as a rubric says, in `folder`, which is ours and empty. A build that fails is the
// submission's doing, and stands in what is returned.
base::Result<GradedSubmission, Ending> build_handed_in(const std::string& source,
                                                       const std::string& name,
                                                       const rubric::RubricBuild& build,
                                                       const std::string& folder, bool unsandboxed);

// The one in a folder, by its submission.json, as `referee collect` writes it.
base::Result<GradedSubmission, std::string> submission_in(const std::string& folder);
// All in the folders of a folder, in the order of their names; all mistakes at once.
base::Result<std::vector<GradedSubmission>, std::vector<std::string>> submissions_in(
    const std::string& folder);

// The rubric's bots, each program once, or the reference bots of its game where it has none, as if
// each were handed in; one alone where the rubric has no games, whose tools are the references.
// `rubric_folder`: absolute.
std::vector<GradedSubmission> reference_submissions(const rubric::Rubric& rubric,
                                                    const std::string& rubric_folder);
// Before the name of a submission, or of the bot that plays it, which would have that of a bot of
// the rubric.
inline constexpr std::string_view graded_prefix = "graded ";

// A bot of the rubric as a config has it, but for some members. It is launched in the folder that
// it names, or in the rubric's where it is a student's program or its command names a file there;
// what it reads goes from there, too.
void write_own_bot(protocol::json::Writer& writer, protocol::json::View bot,
                   std::initializer_list<std::string_view> without,
                   const std::string& rubric_folder);
// Whether a word of the command is a file in the folder.
bool names_file_in(const std::string& folder, const std::vector<std::string>& command);

// What `referee collect` left of a submission and isn't there any more. Looks at files.
std::string lack_of_collected(const config::BotConfig& bot);
// What it left and is another now, which is nobody's zero either. Reads all of it.
std::string change_of_collected(const GradedSubmission& submission);

}  // namespace referee::grading
