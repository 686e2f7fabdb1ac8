#include "referee/connect/bridge/student_program.h"

#include <unistd.h>

#include <utility>

namespace referee::bridge {
namespace {

using boost::system::error_code;

// Of a line that is read at all; what the referee takes is less.
constexpr std::size_t line_bytes_read_max = 1024 * 1024;
// A program that ends closes its output a moment before its exit status is known.
constexpr std::chrono::milliseconds exit_awaited{1000};
// So long may children of a program that has ended take to end with it.
constexpr std::chrono::milliseconds children_awaited{1000};

// Whose value the bridge says itself, or that would send the program elsewhere.
bool is_own(std::string_view name) {
    return name == "REFEREE_NAME" || name == "REFEREE_TOKEN" || name == "REFEREE_PASSWORD" ||
           name == "REFEREE_ADDRESS" || name == "REFEREE_VERSION";
}

}  // namespace

process::LaunchSpec launch_spec_of(const std::vector<std::string>& command,
                                   const relay::BotIdentity& identity) {
    process::LaunchSpec spec;
    spec.command = command;
    for (char** at = environ; *at != nullptr; ++at) {
        const std::string_view entry = *at;
        const auto name = entry.substr(0, entry.find('='));
        if (name.empty() || name.size() == entry.size() || is_own(name)) continue;
        if (name == "PATH") {
            spec.path = entry.substr(name.size() + 1);  // it is looked for beside the referee, too
            continue;
        }
        spec.environment.emplace_back(name, entry.substr(name.size() + 1));
    }
    spec.environment.emplace_back("REFEREE_NAME", identity.name);
    spec.environment.emplace_back("REFEREE_TOKEN", identity.token);
    // It is the student's own program on the student's own machine.
    spec.limits.open_files.reset();
    spec.limits.file_size_bytes.reset();
    spec.limits.processes.reset();
    spec.output = process::StandardOutput::pipe;
    return spec;
}

base::Result<std::unique_ptr<StudentProgram>, process::LaunchError> StudentProgram::begin(
    const boost::asio::any_io_executor& executor, process::Launcher& launcher,
    const process::LaunchSpec& spec, ProgramNews news) {
    auto launched = launcher.launch(spec);
    if (!launched) return base::failure(std::move(launched.error()));
    std::unique_ptr<StudentProgram> program(
        new StudentProgram(executor, *std::move(launched), std::move(news)));
    program->watch();
    return program;
}

StudentProgram::StudentProgram(const boost::asio::any_io_executor& executor,
                               process::OwnedProcess bot, ProgramNews news)
    : timer_(executor),
      bot_(std::move(bot)),
      channel_(channel_of(executor, bot_->take_input(), bot_->take_output(), line_bytes_read_max)),
      news_(std::move(news)) {}

StudentProgram::~StudentProgram() {
    channel_->close();
}

void StudentProgram::watch() {
    news_.on_end = [this](const std::string&, std::string_view half) { output_ended(half); };
    channel_->start(news_);
    bot_->on_error_text(news_.on_error_text);
    bot_->on_exit([this](const process::ExitStatus& status) { exited(status); });
}

void StudentProgram::output_ended(std::string_view half_line) {
    output_is_over_ = true;
    if (!half_line.empty()) news_.on_half_line(half_line);
    if (phase_ == Phase::exited) return finish();
    timer_.expires_after(exit_awaited);
    timer_.async_wait(life_.while_it_lasts([this](error_code error) {
        if (error || phase_ != Phase::runs) return;
        phase_ = Phase::closed_output;
        end_.closed_output = true;
        bot_->kill();
    }));
}

void StudentProgram::exited(const process::ExitStatus& status) {
    phase_ = Phase::exited;
    end_.status = status;
    channel_->set_reading(true);  // to its end
    bot_->on_gone([this] {
        timer_.cancel();
        if (output_is_over_) finish();
    });
    timer_.expires_after(children_awaited);
    timer_.async_wait(life_.while_it_lasts([this](error_code error) {
        if (error || phase_ != Phase::exited) return;
        end_.left_processes = !bot_->gone();
        bot_->kill();
    }));
}

void StudentProgram::finish() {
    if (phase_ != Phase::exited || !bot_->gone()) return;
    phase_ = Phase::ended;
    end_.error_tail = bot_->error_tail();
    const auto end = end_;  // the call may destroy this object
    if (const auto call = std::exchange(news_.on_ended, nullptr)) call(end);
}

}  // namespace referee::bridge
