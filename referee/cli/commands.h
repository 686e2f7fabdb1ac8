#pragma once

#include <CLI/App.hpp>
#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/exit_code.h"
#include "referee/game/clock/time.h"

// Each function, in the source of its name or the one named, gives its command a description and
// options. When the command is called, it leaves its exit status in `status`.

namespace referee::cli {

void add_build_command(CLI::App& command, int& status);      // roster_and_build_commands.cpp
void add_check_bot_command(CLI::App& command, int& status);  // bot_commands.cpp
void add_check_command(CLI::App& command, int& status);
void add_collect_command(CLI::App& command, int& status);  // roster_and_build_commands.cpp
void add_connect_command(CLI::App& command, int& status);  // remote_commands.cpp
void add_ctl_command(CLI::App& command, int& status);
void add_explain_command(CLI::App& command, int& status);    // explain_and_review_commands.cpp
void add_fork_command(CLI::App& command, int& status);       // play_commands.cpp
void add_grade_command(CLI::App& command, int& status);      // grade_commands.cpp
void add_gradebook_command(CLI::App& command, int& status);  // gradebook_and_hall_commands.cpp
void add_hall_command(CLI::App& command, int& status);       // gradebook_and_hall_commands.cpp
void add_job_command(CLI::App& command, int& status);        // run_commands.cpp
void add_maps_command(CLI::App& command, int& status);
void add_new_bot_command(CLI::App& command, int& status);  // bot_commands.cpp
void add_play_command(CLI::App& command, int& status);     // play_commands.cpp
void add_review_command(CLI::App& command, int& status);   // explain_and_review_commands.cpp
void add_roster_command(CLI::App& command, int& status);   // roster_and_build_commands.cpp
void add_rubric_command(CLI::App& command, int& status);   // grade_commands.cpp
void add_run_command(CLI::App& command, int& status);      // run_commands.cpp
void add_serve_command(CLI::App& command, int& status);    // run_commands.cpp
void add_store_command(CLI::App& command, int& status);    // store_commands.cpp
void add_submit_command(CLI::App& command, int& status);   // remote_commands.cpp
void add_trace_command(CLI::App& command, int& status);    // view_commands.cpp
void add_trf_command(CLI::App& command, int& status);      // trf_commands.cpp
void add_view_command(CLI::App& command, int& status);     // view_commands.cpp

// ---- program.cpp: what commands have in common --------------------------------------------------

// A command's options, which live as long as it does. When it is called, they are given to `run`,
// which returns the exit status.
template <typename Options, typename Run>
Options& options_of(CLI::App& command, int& status, Run run) {
    const auto options = std::make_shared<Options>();
    command.callback([options, run, &status] { status = run(*options); });
    return *options;
}

// What a shell is given to call the command again, with all options that it was called with.
std::string command_line(const CLI::App& command);

// Adds --unsandboxed, which every command that launches bots understands alike.
void add_unsandboxed(CLI::App& command, bool& unsandboxed);

// What --reads names, absolute as seen from the folder. An error says what is too much.
base::Result<std::vector<std::string>, std::string> absolute_reads(
    const std::vector<std::string>& paths, const std::string& folder);

// Adds an option that may be given several times, with one value each time.
void add_repeated_option(CLI::App& command, const std::string& option,
                         std::vector<std::string>& values, const std::string& description);

// Says on standard error what is wrong, mostly with a file or the command line. Returns the exit
// status.
int refuse(const std::string& message, int status = exit_bad_input);
// The same of an ending, which may have nothing to say.
int ended(const Ending& ending);

// The time that is given to an option. Throws CLI::ValidationError where it is none, or less than
// `least`; `such_as` are examples, "30s or 10m".
Duration time_given(const std::string& option, const std::string& text, const std::string& such_as,
                    Duration least);

// Adds an option that sets a time, a Duration or an optional one, of more than nothing.
template <typename Time>
void add_time_option(CLI::App& command, const std::string& option, Time& time,
                     const std::string& such_as, const std::string& description,
                     Duration least = Duration(1)) {
    command.add_option_function<std::string>(
        option,
        [&time, option, such_as, least](const std::string& text) {
            time = time_given(option, text, such_as, least);
        },
        description);
}

// Of a file that is read whole: the longest games that anybody played had some megabytes.
inline constexpr std::size_t input_bytes_max = 256 * 1024 * 1024;
// What a regular file holds, so much at most; "-" is the standard input. An error is for a person:
// the file, why not, and what was expected.
base::Result<std::string, std::string> read_input(
    const std::string& file, const std::string& expected = "a file, or - for the standard input");

// Why an option may not name that file to write to: it is the replay that is read. Empty where it
// isn't.
std::string mistake_of_output(const std::string& option, const std::string& file,
                              const std::string& replay);

// Writes a whole file, or leaves what was there; "-" is the standard output. Returns the exit
// status, and says on standard error why it can't be written.
int write_output(const std::string& file, const std::string& text);

// Reads the config and prints its warnings on standard error. Nothing where it has mistakes; these
// are printed there too.
std::optional<config::Config> read_config(const std::string& file);

// "0 alice, 1 bob"
std::string seats_told(const std::vector<std::string>& bots);

// A seat of a recorded game that --seat names, by its number or its bot. An error says which there
// are. Requires: something is given.
base::Result<std::size_t, std::string> seat_named(const std::string& given,
                                                  const std::vector<std::string>& bots);

// The program, from its arguments to its exit status.
int run_program(int argc, char** argv);

}  // namespace referee::cli
