#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <string>

#include "referee/config/config.h"
#include "referee/game/clock/time.h"
#include "referee/submit/build/command_run.h"

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

// One call of a program in the launcher's sandbox, as a bot is launched: with its folder and
// limits, and no token. Not thread safe; destroy it before the launcher.
class ToolCall {
 public:
    ToolCall(const boost::asio::any_io_executor& executor, process::Launcher& launcher);

    // Once. `call` is called once, never from inside this call; it may destroy this.
    void begin(const config::BotConfig& bot, std::string input, Duration time,
               std::function<void(ToolAnswer)> call);

 private:
    void take(std::string_view bytes);
    ToolAnswer answer_of(const build::CommandEnd& end) const;

    process::Launcher& launcher_;
    config::BotConfig bot_;
    Duration time_ = Duration::zero();
    std::string output_;
    bool too_much_ = false;
    std::function<void(ToolAnswer)> call_;
    build::CommandRun run_;
};

}  // namespace referee::grading
