#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/bytes.h"
#include "protocol/base/result.h"
#include "referee/launch/process/launcher.h"
#include "referee/net/loop/life.h"

namespace referee::build {

struct SourceFile {
    std::string path;  // below the folder
    bool executable = false;
    std::uint64_t bytes = 0;
};

// All regular files below it, in the order of their paths; no link is followed. Empty where the
// folder can't be read.
std::vector<SourceFile> files_below(const std::string& folder);

// What all of them hold and how they are named, in hexadecimal digits. An error names the file that
// can't be read.
base::Result<std::string, std::string> digest_of(const std::string& folder,
                                                 const std::vector<SourceFile>& files);

// The folder below `folder` in which a submission really begins: students pack a folder in which
// there is nothing but a folder. Empty: the folder itself.
std::string beginning_in(const std::vector<SourceFile>& files);

// The class that java starts for this source text, where it has a main method: "team.Main".
// Comments and strings are passed over.
std::optional<std::string> main_class_in(std::string_view source, std::string_view file_name);

// How a submission is built and run.
struct Recipe {
    std::string title;  // "a Makefile", "files of C"
    // Below the submission: where the command works and the program runs. Empty: its top.
    std::string within;
    std::string build;  // a command of a shell; empty: nothing is to be built
    // The program's words. Empty: the one program that the build makes.
    std::vector<std::string> run;
    // Programs of the system that the build can't do without, and the packages that have them.
    struct Need {
        std::string program;
        std::string package;
    };
    std::vector<Need> needs;
};

// What the instructor says of all submissions; empty members are found in each one.
struct Handout {
    std::string build;
    std::string within;
    std::vector<std::string> run;
    std::string interpreter{};  // that runs all programs of their kind
};

// The recipe of a submission in this folder: the handout's, or what its files tell: CMakeLists.txt,
// a Makefile, the layout of Maven and Gradle, a jar, or the files of one language. An error says
// what was expected and what was found, for the student.
base::Result<Recipe, std::string> recipe_in(const std::string& folder,
                                            const std::vector<SourceFile>& files,
                                            const Handout& handout);

struct CommandOrder {
    process::LaunchSpec spec;
    std::string input;               // all of its standard input
    std::chrono::milliseconds time;  // by the clock, less its waits for a core; then it is killed
    // How long it may work, of processor time; nothing: as long as it lives.
    std::optional<std::chrono::microseconds> work{};
    // Are given what it prints, as it comes; they may call CommandRun::kill().
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
class CommandRun {
 public:
    CommandRun(boost::asio::any_io_executor executor, process::Launcher& launcher);
    ~CommandRun();
    CommandRun(const CommandRun&) = delete;
    CommandRun& operator=(const CommandRun&) = delete;

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
    process::OwnedBot process_;
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

// What a build may take. Beyond it the build has failed, by its author's doing.
struct BuildLimits {
    // Maven's and CMake's small projects take seconds, on a slow machine half a minute.
    static constexpr std::chrono::seconds time_default{120};
    // A compiler's virtual machine, or one large file of templates.
    static constexpr std::uint64_t memory_mb_default = 2048;

    std::chrono::seconds time = time_default;
    std::uint64_t memory_mb = memory_mb_default;
};

struct BuildOrder {
    std::string source;   // the submission's folder, absolute: read, never written
    std::string within;   // below it, where the command works
    std::string command;  // of a shell
    // A folder of ours that is there and empty: what is built is unpacked there.
    std::string result;
    std::string scratch;  // a folder of ours for what is needed meanwhile
};

struct BuildOutcome {
    enum class How : std::uint8_t {
        built,
        failed,   // the submission's doing
        trouble,  // the machine's: nothing is known of the submission
    };
    How how = How::trouble;
    std::string reason;  // "exit status 1", "took longer than 120 s"; empty where it was built
    std::string output;  // what the command printed: whole printable lines, its first so many bytes
    std::vector<std::string> remarks;
};

// One build: a shell in the launcher's sandbox copies the submission, runs the command in the copy,
// and sends the copy back as an archive, which is unpacked as one that strangers made. So nothing
// of a build reaches our folders but files. Not thread safe; destroy it before the launcher.
class Build {
 public:
    // `sandboxed`: false where the launcher gives none, and somebody wants it so.
    Build(boost::asio::any_io_executor executor, process::Launcher& launcher,
          const BuildLimits& limits, bool sandboxed);
    ~Build();
    Build(const Build&) = delete;
    Build& operator=(const Build&) = delete;

    // `call` is called once, on the executor, never from inside this call. It may destroy the
    // build.
    void begin(const BuildOrder& order, std::function<void(BuildOutcome)> call);

 private:
    process::LaunchSpec spec_of(const BuildOrder& order) const;
    void take(std::string_view bytes);
    void take_output(std::string_view text);
    void kill(std::string why);
    BuildOutcome judge(const CommandEnd& end);
    BuildOutcome unpack_result();
    BuildOutcome outcome(BuildOutcome::How how, std::string reason) const;
    bool spool(std::string_view bytes);

    BuildLimits limits_;
    bool sandboxed_;
    BuildOrder order_;
    std::function<void(BuildOutcome)> call_;
    process::Descriptor spool_;
    std::uint64_t spooled_bytes_ = 0;
    std::string words_;  // what stands before the archive
    std::string output_;
    bool output_cut_ = false;
    std::string killed_because_;
    std::string trouble_;
    CommandRun command_;
};

// Builds submissions, several at once. Not thread safe.
class Builder {
 public:
    // A builder, or why nothing can be built here: no sandbox in which a program may write, or none
    // at all where the referee runs as root.
    static base::Result<std::unique_ptr<Builder>, std::string> open(boost::asio::io_context& loop,
                                                                    const BuildLimits& limits,
                                                                    bool unsandboxed);

    // In which sandbox builds run, in one line.
    const std::string& sandbox() const { return sandbox_; }
    // Where such a program lies for a build; empty: nowhere.
    std::string program_file(const std::string& program) const;

    // Runs all orders, so many at once. `call` is given each outcome with its order's place, as it
    // comes; false from it: no further one begins.
    void run(const std::vector<BuildOrder>& orders, std::size_t at_once,
             const std::function<bool(std::size_t, const BuildOutcome&)>& call);

 private:
    explicit Builder(boost::asio::io_context& loop, const BuildLimits& limits)
        : loop_(loop), limits_(limits) {}

    boost::asio::io_context& loop_;
    BuildLimits limits_;
    bool sandboxed_ = true;
    std::string sandbox_;
    std::unique_ptr<process::Launcher> launcher_;
};

// The words that run what was built in this folder: the recipe's, or the one program among the
// files that were not there before. An error says what was found instead.
base::Result<std::vector<std::string>, std::string> built_program(
    const std::string& folder, const std::vector<SourceFile>& before, const Recipe& recipe);

}  // namespace referee::build
