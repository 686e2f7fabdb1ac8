#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "protocol/base/result.h"

namespace referee::command {

// Of the end of what a command says of its troubles so much is kept.
inline constexpr std::size_t errors_bytes_max = 4096;

// A program that is run once, without a shell in between.
struct Command {
    // When a command that ends well is over: at its own end, or when nobody holds its streams any
    // more, as what it left in the background may do.
    enum class Over : std::uint8_t { with_its_process, with_its_streams };

    // The program and its arguments. A name without a slash is looked for in $PATH.
    std::vector<std::string> words;
    // "NAME=value" each. It has this process' environment otherwise, or none with `bare`.
    std::vector<std::string> environment;
    bool bare = false;
    std::string input;              // what it can read
    std::string folder = "/";       // where it stands
    bool errors_in_output = false;  // what it says of its troubles stands in its output, in order
    Over over = Over::with_its_process;
    // Whether what it started is killed also where it ended well; else that lives on, and nobody
    // reads what it writes from then on.
    bool leaves_nothing = false;
    std::chrono::milliseconds time_max{0};
    std::size_t output_bytes_max = 0;
};

// How it ended, and what it wrote.
struct CommandOutput {
    int status = 0;  // its exit status; status_of_signals + N where signal N ended it
    std::string output;
    std::string errors;  // the last errors_bytes_max of what it said of its troubles
};

// As shells have it.
inline constexpr int status_of_signals = 128;

// Why there is no such end.
struct CommandTrouble {
    enum class Kind : std::uint8_t { not_started, too_slow, too_long };
    Kind kind = Kind::not_started;
    std::string what;      // to stand behind the command's name: "can't be started in /: ..."
    std::string errors{};  // as of one that ended
};

// Runs it and waits for its end, so never on the loop's thread. A command that takes too long, or
// writes too much, is killed with all that it started, in whatever session, and so is one beside
// which this process ends.
base::Result<CommandOutput, CommandTrouble> run(const Command& command);

}  // namespace referee::command
