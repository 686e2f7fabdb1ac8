#pragma once

#include <csignal>
#include <string>

namespace referee {

// What the program's exit status means, for every command.
enum ExitCode : int {
    exit_done = 0,
    exit_no = 1,  // the answer is no: a check failed, a replay differs, a named bot forfeited
    exit_bad_input = 2,    // a file or the command line is wrong
    exit_trouble = 3,      // the referee's or the machine's own trouble: port in use, disk full
    exit_interrupt = 130,  // stopped by SIGINT
    exit_terminate = 143,  // stopped by SIGTERM
};

// Of a command that this signal stopped. A terminal that is gone counts as SIGTERM.
constexpr int exit_of_signal(int signal) {
    return signal == SIGINT ? exit_interrupt : exit_terminate;
}

// How something that a command does ended.
struct Ending {
    int status = exit_done;
    std::string message{};  // a sentence; empty where there is nothing to add
};

}  // namespace referee
