#include "referee/grading/run/tool_call.h"

#include <algorithm>
#include <utility>

#include "referee/grading/verdict/words.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/bot_limits.h"
#include "referee/launch/supply/foresee_launch.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/limits.h"

namespace referee::grading {
namespace {

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
            return "there is no such program";
        case Kind::not_executable:
            return "it is no file that may be executed; `chmod +x` helps where it is one";
        case Kind::interpreter_missing:
            return "the interpreter that its first line names isn't there";
        default:
            return error.message;
    }
}

std::string end_of_text(std::string text) {
    if (text.size() > limits::run_error_bytes_max)
        text.erase(0, text.size() - limits::run_error_bytes_max);
    return text;
}

}  // namespace

ToolCall::ToolCall(const boost::asio::any_io_executor& executor, process::Launcher& launcher)
    : launcher_(launcher), run_(executor, launcher) {}

void ToolCall::begin(const config::BotConfig& bot, std::string input, Duration time,
                     std::function<void(ToolAnswer)> call) {
    bot_ = bot;
    time_ = time;
    call_ = std::move(call);
    const supply::LaunchPlace place{
        {}, {}, process::program_search_path(), launcher_.sandbox().tier};
    build::CommandOrder order{supply::launch_spec_of(bot_, place),
                              std::move(input),
                              std::chrono::ceil<std::chrono::milliseconds>(wall_times * time),
                              std::chrono::ceil<std::chrono::microseconds>(time),
                              {},
                              {}};
    order.on_output = [this](std::string_view bytes) { take(bytes); };
    order.on_error_text = [](std::string_view) {};  // its end is kept by the launcher
    run_.begin(std::move(order), [this](const build::CommandEnd& end) {
        std::exchange(call_, nullptr)(answer_of(end));
    });
}

void ToolCall::take(std::string_view bytes) {
    const auto count = std::min(limits::run_output_bytes_max - output_.size(), bytes.size());
    output_.append(bytes.substr(0, count));
    if (count == bytes.size()) return;
    too_much_ = true;
    run_.kill();
}

ToolAnswer ToolCall::answer_of(const build::CommandEnd& end) const {
    ToolAnswer answer;
    if (end.not_launched) {
        const bool is_its_own = process::is_of_the_command(end.not_launched->kind);
        (is_its_own ? answer.failure : answer.trouble) =
            "it can't be started: " + why_not_started(*end.not_launched);
        return answer;
    }
    answer.error_tail = end_of_text(end.error_tail);
    answer.sandbox = std::string(sandbox::name_of(end.tier));
    if (!end.trouble.empty()) {
        answer.trouble = end.trouble;
    } else if (end.met.machine_memory && !end.met.memory) {
        answer.trouble = "the machine had no memory left";
    } else if (too_much_) {
        answer.failure = "it printed more than " +
                         std::to_string(limits::run_output_bytes_max / supply::bytes_a_mb) + " MB";
    } else if (end.used > time_) {
        answer.failure = "it needed more than " + seconds(time_) + " of processor time";
    } else if (end.took_too_long && end.used * little_work > time_) {
        answer.trouble = "the machine was too busy: it got " + seconds(end.used) +
                         " of processor time in " + seconds(wall_times * time_);
    } else if (end.took_too_long) {
        answer.failure = "it did not end within " + seconds(wall_times * time_);
    } else if (end.met.memory) {
        answer.failure =
            "it needed more memory than " + std::to_string(supply::memory_mb_of(bot_)) + " MB";
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
