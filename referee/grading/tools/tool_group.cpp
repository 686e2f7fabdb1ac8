#include "referee/grading/tools/tool_group.h"

#include <algorithm>
#include <filesystem>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/files/file.h"
#include "referee/grading/verdict/phrases.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/launch_spec_of.h"

namespace referee::grading {

namespace {

// Of what one run may print: sixteen times what the largest input could say back in full.
constexpr std::size_t run_output_bytes_max = 16 * run_input_bytes_max;
// Of the end of what a run wrote to its standard error: a traceback.
constexpr std::size_t run_error_bytes_max = 4096;

namespace fs = std::filesystem;
using Check = rubric::Runs::Check;

constexpr int checker_says_wrong = 1;

std::string last_line(std::string_view text) {
    return base::visible_line(base::last_line(text).substr(0, verdict::shown_line_bytes_max));
}

std::string first_line(const std::string& text) {
    return base::visible_line(
        text.substr(0, std::min(text.find('\n'), verdict::shown_line_bytes_max)));
}

// Why the instructor's own program gave no answer; empty where it did.
std::string why_no_answer(const ToolAnswer& answer) {
    return answer.trouble.empty() ? answer.failure : answer.trouble;
}

std::string exit_status_of(const ToolAnswer& answer) {
    auto text = "it ended with exit status " + std::to_string(answer.code);
    const auto said = last_line(answer.error_tail);
    return said.empty() ? text : text + ": " + said;
}

// A busy machine gives a program a part of a core. One that still isn't done in so many times its
// own time has waited or slept, if it worked little; else it was the machine.
constexpr int wall_times = 5;
constexpr int little_work = 2;  // less than one part of so many of its time

std::string seconds(Duration time) {
    return verdict::number(std::chrono::duration<double>(time).count()) + " s";
}

// For the student too: without the paths of the machine.
std::string why_not_started(const process::LaunchError& error) {
    using Kind = process::LaunchError::Kind;
    switch (error.kind) {
        case Kind::not_found:
            return "there is no such file";
        case Kind::not_executable:
            return "it is no program that may be executed; expected one after `chmod +x`, and of a "
                   "script a first line such as #!/usr/bin/env python3";
        case Kind::interpreter_missing:
            return "the interpreter that its first line names isn't there";
        default:
            return error.message;
    }
}

// Whether nobody may execute its file, as many an archive and many a copy leaves it.
bool has_lost_right(const config::BotConfig& bot) {
    constexpr auto anybody = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
    std::error_code ignored;
    const auto found = fs::status(files::absolute_path(bot.directory, bot.launch.front()), ignored);
    return fs::is_regular_file(found) && (found.permissions() & anybody) == fs::perms::none;
}

}  // namespace

ToolGroup::ToolGroup(boost::asio::any_io_executor executor, process::Launcher& launcher,
                     ToolTask task)
    : executor_(std::move(executor)), launcher_(launcher), task_(std::move(task)) {}

ToolGroup::~ToolGroup() {
    std::error_code ignored;
    fs::remove_all(task_.scratch, ignored);
}

void ToolGroup::begin(std::function<void(std::size_t, ToolOutcome)> outcome,
                      std::function<void()> over) {
    outcome_ = std::move(outcome);
    over_ = std::move(over);
    auto input = files::read_named_file(task_.input.file, run_input_bytes_max);
    if (!input) return trouble_for_all("the input " + task_.input.file + " " + input.error());
    input_ = *std::move(input);
    call(task_.series.reference, input_,
         [this](ToolAnswer answer) { take_reference(std::move(answer)); });
}

void ToolGroup::take_reference(ToolAnswer answer) {
    auto why = why_no_answer(answer);
    if (why.empty() && answer.code != 0) why = exit_status_of(answer);
    if (!why.empty())
        return trouble_for_all("the reference " + task_.series.runs.reference.front() +
                               ", with the input " + task_.input.name + ": " + why);
    expected_ = std::move(answer.output);
    run_next();
}

void ToolGroup::run_next() {
    if (next_ == task_.tools.size()) return std::exchange(over_, nullptr)();
    now_ = {};
    now_.run.input = task_.input.name;
    call(task_.tools[next_], input_, [this](ToolAnswer answer) { judge(std::move(answer)); });
}

void ToolGroup::judge(ToolAnswer answer) {
    now_.sandbox = answer.sandbox;
    now_.run.printed = base::visible_lines(answer.error_tail, "");
    if (!answer.trouble.empty()) return tell_trouble(answer.trouble);
    if (!answer.failure.empty()) return tell(false, answer.failure);
    if (answer.code != 0) return tell(false, exit_status_of(answer));
    if (task_.series.runs.check == Check::program) return check(answer.output);
    const auto difference = task_.series.runs.check == Check::any_order
                                ? verdict::difference_in_any_order(expected_, answer.output)
                                : verdict::difference_of_lines(expected_, answer.output);
    tell(difference.empty(), difference);
}

void ToolGroup::check(const std::string& printed) {
    if (const auto made = files::make_folder(task_.scratch); !made)
        return tell_trouble(made.error());
    auto checker = task_.series.checker;
    checker.launch.push_back(task_.input.file);
    checker.reads.push_back(task_.input.file);
    for (const bool of_expected : {true, false}) {
        const auto file = task_.scratch + (of_expected ? "/expected" : "/printed");
        const auto written = files::write_file(file, of_expected ? expected_ : printed);
        if (!written) return tell_trouble(written.error());
        checker.launch.push_back(file);
        checker.reads.push_back(file);
    }
    call(std::move(checker), {}, [this](const ToolAnswer& answer) { take_checked(answer); });
}

void ToolGroup::take_checked(const ToolAnswer& answer) {
    auto why = why_no_answer(answer);
    if (why.empty() && answer.code == 0) return tell(true, {});
    if (why.empty() && answer.code == checker_says_wrong) {
        // An interpreter that meets a mistake of the checker's own ends with 1 too.
        const auto said = first_line(answer.output);
        if (!said.empty()) return tell(false, said);
        why = exit_status_of(answer) + ", and printed no line that says what is wrong";
    }
    if (why.empty()) why = exit_status_of(answer);
    tell_trouble("the checker " + task_.series.runs.checker.front() + ", with the input " +
                 task_.input.name + ": " + why);
}

void ToolGroup::tell(bool right, const std::string& reason) {
    now_.run.right = right;
    now_.run.reason = base::visible_line(reason);
    outcome_(next_++, std::move(now_));
    run_next();
}

void ToolGroup::tell_trouble(const std::string& reason) {
    now_.trouble = base::visible_line(reason);
    outcome_(next_++, std::move(now_));
    run_next();
}

void ToolGroup::trouble_for_all(const std::string& reason) {
    ToolOutcome outcome;
    outcome.run.input = task_.input.name;
    outcome.trouble = base::visible_line(reason);
    while (next_ < task_.tools.size()) outcome_(next_++, outcome);
    std::exchange(over_, nullptr)();
}

void ToolGroup::call(config::BotConfig bot, std::string input,
                     std::function<void(ToolAnswer)> then) {
    bot_ = std::move(bot);
    output_.clear();
    too_much_ = false;
    const auto time = task_.series.runs.time;
    const supply::LaunchPlace place{
        {}, {}, process::program_search_path(), launcher_.sandbox().tier};
    command::CommandOrder order{supply::launch_spec_of(bot_, place),
                                std::move(input),
                                std::chrono::ceil<std::chrono::milliseconds>(wall_times * time),
                                std::chrono::ceil<std::chrono::microseconds>(time),
                                [this](std::string_view bytes) { take(bytes); },
                                [](std::string_view) {}};  // its end is kept by the launcher
    run_.emplace(executor_, launcher_);
    run_->begin(std::move(order), [this, then = std::move(then)](const command::CommandEnd& end) {
        then(answer_of(end));
    });
}

void ToolGroup::take(std::string_view bytes) {
    const auto count = std::min(run_output_bytes_max - output_.size(), bytes.size());
    output_.append(bytes.substr(0, count));
    if (count == bytes.size()) return;
    too_much_ = true;
    run_->kill();
}

ToolAnswer ToolGroup::answer_of(const command::CommandEnd& end) const {
    const auto time = task_.series.runs.time;
    ToolAnswer answer;
    if (end.not_launched) {
        const bool is_its_own = end.not_launched->is_of_the_command() && !has_lost_right(bot_);
        (is_its_own ? answer.failure : answer.trouble) =
            bot_.launch.front() + " can't be started: " + why_not_started(*end.not_launched);
        return answer;
    }
    const auto& said = end.error_tail;
    answer.error_tail = said.substr(said.size() - std::min(said.size(), run_error_bytes_max));
    answer.sandbox = std::string(config::name_of(end.tier));
    if (!end.trouble.empty()) {
        answer.trouble = end.trouble;
    } else if (end.met.machine_memory) {
        answer.trouble = "the machine had no memory left";
    } else if (too_much_) {
        answer.failure =
            fmt::format("it printed more than {} MB", run_output_bytes_max / supply::bytes_a_mb);
    } else if (end.used > time) {
        answer.failure = "it needed more than " + seconds(time) + " of processor time";
    } else if (end.took_too_long && end.used * little_work > time) {
        answer.trouble = "the machine was too busy: it got " + seconds(end.used) +
                         " of processor time in " + seconds(wall_times * time);
    } else if (end.took_too_long) {
        answer.failure = "it did not end within " + seconds(wall_times * time);
    } else if (end.met.memory) {
        answer.failure =
            fmt::format("it needed more memory than {} MB", supply::memory_mb_of(bot_));
    } else if (!end.status || end.status->how == process::ExitStatus::How::lost) {
        answer.trouble = "its supervisor was killed";
    } else if (end.status->how == process::ExitStatus::How::signalled) {
        answer.failure = "it was " + end.status->text();
    } else if (const auto unseen =
                   end.status->code == 0 || end.tier == sandbox::Tier::none
                       ? std::string()
                       : supply::unseen_in_sandbox(bot_, process::program_search_path());
               !unseen.empty()) {
        answer.trouble = "it can't start: " + unseen;
    } else {
        answer.code = end.status->code;
        answer.output = output_;
    }
    return answer;
}

}  // namespace referee::grading
