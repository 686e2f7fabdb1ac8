#pragma once

// One process of the student's program: its messages, what else it prints, and how it ended.
// Nothing of it stays behind: the launcher holds its children together, also where the bridge is
// killed.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/connect/bridge/kept_connection.h"
#include "referee/connect/relay/lines.h"
#include "referee/launch/process/launcher.h"

namespace referee::bridge {

// How it is started: with the environment, the folder and the rights of the person who called, and
// with what PROTOCOL.md ("Launched bots") gives a program that speaks on standard output.
process::LaunchSpec launch_spec_of(const std::vector<std::string>& command,
                                   const relay::BotIdentity& identity);

struct ProgramEnd {
    process::ExitStatus status;
    bool closed_output = false;   // while it still ran; then it was ended
    bool left_processes = false;  // that it had started; they are ended too
    std::string error_tail;       // the end of its standard error
};

// What its channel has to tell but for the end, and what else comes of it.
struct ProgramNews : ChannelNews {
    std::function<void(std::string_view text)> on_error_text;
    // It printed text without a line feed at its end.
    std::function<void(std::string_view half_line)> on_half_line;
    // Once, the last of all.
    std::function<void(const ProgramEnd&)> on_ended;
};

class StudentProgram {
 public:
    static base::Result<std::unique_ptr<StudentProgram>, process::LaunchError> begin(
        const boost::asio::any_io_executor& executor, process::Launcher& launcher,
        const process::LaunchSpec& spec, ProgramNews news);
    ~StudentProgram();
    StudentProgram(const StudentProgram&) = delete;
    StudentProgram& operator=(const StudentProgram&) = delete;

    Channel& channel() { return *channel_; }

 private:
    enum class Phase : std::uint8_t { runs, closed_output, exited, ended };

    StudentProgram(const boost::asio::any_io_executor& executor, process::OwnedProcess bot,
                   ProgramNews news);
    void watch();
    void output_ended(std::string_view half_line);
    void exited(const process::ExitStatus& status);
    void finish();

    boost::asio::steady_timer timer_;
    process::OwnedProcess bot_;
    std::shared_ptr<Channel> channel_;
    ProgramNews news_;
    ProgramEnd end_;
    Phase phase_ = Phase::runs;
    bool output_is_over_ = false;
    loop::Life life_;
};

}  // namespace referee::bridge
