#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/launch/command/launched_command.h"
#include "referee/launch/process/launcher.h"
#include "referee/submit/build/recipe.h"

namespace referee::build {

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
    Build(const Build&) = delete;
    Build& operator=(const Build&) = delete;

    // `call` is called once, on the executor, never from inside this call. It may destroy the
    // build.
    void begin(const BuildOrder& order, std::function<void(BuildOutcome)> call);

 private:
    process::LaunchSpec spec_of(const BuildOrder& order) const;
    void take(std::string_view bytes);
    void take_output(std::string_view text);
    BuildOutcome judge(const command::CommandEnd& end);
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
    command::LaunchedCommand command_;
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

// The class of a class file's bytes, where it has a main method that java starts: "team.Main".
std::optional<std::string> class_with_main(std::string_view class_file);

// The words that run what was built in this folder, which has these files: the recipe's, with the
// one class that has a main method where it names none, or the one program among the files that
// were not there before. An error says what was found instead.
base::Result<std::vector<std::string>, std::string> built_program(
    const std::string& folder, const std::vector<SourceFile>& built,
    const std::vector<SourceFile>& before, const Recipe& recipe);

}  // namespace referee::build
