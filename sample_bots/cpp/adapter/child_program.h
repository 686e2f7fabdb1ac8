#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "sample_bots/cpp/bot/bot.h"

namespace bots::adapter {

using Deadline = std::chrono::steady_clock::time_point;

// Of what a program prints for one answer; whoever prints more writes a log, not moves.
inline constexpr std::size_t output_bytes_max = std::size_t{4} << 20;

// Of what a program writes on its standard error, so much of the end is kept.
inline constexpr std::size_t errors_bytes_max = 4096;

// Why nothing more was read.
enum class Stopped : std::uint8_t {
    line,      // a line came, where one was asked for
    end,       // its output was closed, or it has ended
    deadline,  // there was no time left
    too_much,  // it printed more than output_bytes_max
};

// A student's program while it runs, with a pipe to its standard input and two from its outputs;
// what it writes on its standard error goes on to ours. It leads a process group of its own, and
// whatever it leaves behind ends with this object, or with this process. Blocking; not thread safe.
class ChildProgram {
 public:
    // An error says why it can't be started.
    static base::Result<std::unique_ptr<ChildProgram>, std::string> start(
        std::span<const std::string> words);
    ~ChildProgram();
    ChildProgram(const ChildProgram&) = delete;
    ChildProgram& operator=(const ChildProgram&) = delete;

    // Both take what a thread of it waits for a core meanwhile for no time of its own.
    // Writes all of it and closes its input, and reads until its output ends.
    Stopped feed_to_end(std::string_view input, Deadline deadline);
    // Writes all of it and reads until there is a whole line in output().
    Stopped feed_for_line(std::string_view input, Deadline deadline);
    // Reads what lies there already.
    void drain();

    // All that was read and not taken.
    const std::string& output() const { return output_; }
    // The first line, without its end; nothing where none is whole.
    std::optional<std::string> take_line();

    // The end of what it wrote on its standard error since it was given something to answer.
    const std::string& errors() const { return errors_; }

    // Ends it and its group, after it had so much time to end by itself. How it ended, in words for
    // its author: "ended with status 3", "was ended by signal 11 (Segmentation fault)"; empty where
    // it ended well, or we ended it.
    std::string stop(std::chrono::milliseconds grace = {});
    // By itself, and with status 0. Known once it was stopped.
    bool has_ended_well() const { return status_ == 0; }

 private:
    ChildProgram(pid_t pid, int in, int out, int err) : pid_(pid), in_(in), out_(out), err_(err) {}

    Stopped feed(std::string_view input, bool to_end, Deadline deadline);
    void write_some(std::string_view& input);
    bool read_some();    // whether there may be more
    bool read_errors();  // whether there was something
    bool has_ended();
    void close_input();

    pid_t pid_;
    int in_;
    int out_;
    int err_;  // -1 once nobody writes there any more
    std::optional<int> status_;
    std::string output_;
    std::string errors_;
    std::size_t read_bytes_ = 0;  // since it was given something to answer
};

// Ends every process that descends from this one, those included that left their group. Once this
// was called, orphans among them come to this process instead of the system's first.
void end_all_descendants();

// From now on SIGTERM, SIGINT and SIGHUP end the running program's group before they end this
// process, and orphans come to this process.
void take_care_of_descendants();

// What a program printed, as it may stand in a sentence: quoted, visible and not long.
inline constexpr std::size_t quoted_bytes_max = 60;
std::string quoted(const std::string& printed, std::size_t bytes_max = quoted_bytes_max);

// Why a program gave no answer, or an odd one, from how its output stopped and how it ended.
std::string told_of(Stopped stopped, const std::string& ending);

// Why a program gave no answer, or ended badly, as its last line on standard error has it; empty
// where it wrote nothing there.
std::string last_error_of(const ChildProgram& program);

// ---- players.cpp --------------------------------------------------------------------------------

// A player for each kind of a student's program. `words`: its command. ../../adapters/README.md
// tells what each program is given and what it prints.

MakePlayer snake_challenge(std::vector<std::string> words);
MakePlayer superball_moves(std::vector<std::string> words);
MakePlayer walls_lines(std::vector<std::string> words);

}  // namespace bots::adapter
