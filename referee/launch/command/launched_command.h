#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "referee/launch/process/launcher.h"
#include "referee/net/loop/life.h"

namespace referee::command {

struct CommandOrder {
    process::LaunchSpec spec;
    std::string input;               // all of its standard input
    std::chrono::milliseconds time;  // by the clock, less its waits for a core; then it is killed
    // How long it may work, of processor time; nothing: as long as it lives.
    std::optional<std::chrono::microseconds> work{};
    // Are given what it prints, as it comes; they may call LaunchedCommand::kill().
    std::function<void(std::string_view)> on_output;
    std::function<void(std::string_view)> on_error_text;
};

struct CommandEnd {
    std::optional<process::LaunchError> not_launched;
    std::string trouble;                        // of the machine; empty: none that is seen here
    bool took_too_long = false;                 // by the clock
    std::chrono::microseconds used{};           // processor time, also of its children
    std::optional<process::ExitStatus> status;  // of the command itself
    process::LimitsMet met{};
    sandbox::Tier tier = sandbox::Tier::none;
    std::string error_tail{};
};

// A command in the launcher, from its start until nothing is left of it: what it leaves behind is
// killed when it ends. Not thread safe; destroy it before the launcher, which kills the command.
class LaunchedCommand {
 public:
    LaunchedCommand(boost::asio::any_io_executor executor, process::Launcher& launcher);
    ~LaunchedCommand();
    LaunchedCommand(const LaunchedCommand&) = delete;
    LaunchedCommand& operator=(const LaunchedCommand&) = delete;

    // Once. `call` is called once, on the executor, never from inside this call. It may destroy
    // this.
    void begin(CommandOrder order, std::function<void(CommandEnd)> call);
    // Ends it early; `call` comes all the same. Does nothing before the command runs.
    void kill();

 private:
    void launched(process::LaunchResult result);
    void look();
    void feed();
    void read_output();
    void finish_when_over();

    static constexpr std::size_t piece_bytes = 64 * 1024;

    process::Launcher& launcher_;
    CommandOrder order_;
    std::function<void(CommandEnd)> call_;
    process::OwnedProcess process_;
    boost::asio::posix::stream_descriptor input_;
    boost::asio::posix::stream_descriptor output_;
    boost::asio::steady_timer timer_;
    std::chrono::steady_clock::time_point began_;
    std::chrono::steady_clock::time_point end_of_time_;
    std::chrono::nanoseconds waited_{0};  // for cores; also by programs of it that have ended since
    std::array<char, piece_bytes> piece_{};
    CommandEnd end_;
    bool output_is_over_ = false;
    bool gone_ = false;
    loop::Life life_;
};

}  // namespace referee::command
