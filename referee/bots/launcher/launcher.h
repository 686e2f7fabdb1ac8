#pragma once

// Starts bots as child processes and answers for them: nothing that it launched outlives its
// release, and after the death of the referee itself, however it came, its bots die too.
//
// One per process as a rule. On construction it finds out, once, by which means a bot's time is
// counted and its processes are held together (accounting.h), and clears away what dead
// referees left behind.

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "referee/bots/launcher/accounting.h"
#include "referee/bots/launcher/launch_spec.h"
#include "referee/bots/launcher/process.h"
#include "referee/bots/launcher/run_group.h"
#include "referee/bots/launcher/shim_program.h"

namespace referee::launcher {

struct ShimSpec;

struct LauncherOptions {
    // Only this one; the best that the machine offers where not given.
    std::optional<Accounting> accounting;
    // Where the exec shim lies; empty: beside the running program or in its libexec.
    std::string shim_path;
    // The bots' PATH and HOME; empty: the referee's own. A bot with an identity of its own gets
    // its working directory as HOME.
    std::string search_path;
    std::string home;
    // How much of the end of a bot's output is kept: enough for a traceback.
    std::size_t tail_bytes_max = 8 * 1024;
    // How long a command may take to begin (its file may lie on a slow network drive).
    std::chrono::milliseconds start_max{10'000};
};

using LaunchResult = std::variant<std::unique_ptr<Process>, LaunchError>;

// Not thread safe: one thread, the one that runs the executor; other threads may do whatever
// they like, except waiting for children that they didn't start. It must be destroyed before
// the executor's context.
class Launcher {
 public:
    // A launcher, or why there can be none: no exec shim, or the forced means isn't there.
    static std::variant<std::unique_ptr<Launcher>, LaunchError> create(
        boost::asio::any_io_executor executor, LauncherOptions options = {});

    // Kills all that is left of what it launched and waits until it is gone, at most a few
    // seconds: what hangs in the kernel is left to its supervisor.
    ~Launcher();
    Launcher(const Launcher&) = delete;
    Launcher& operator=(const Launcher&) = delete;

    // Starts the bot and waits until its command runs or has failed to: 1 or 2 ms as a rule.
    LaunchResult launch(const LaunchSpec& spec);

    // The same without waiting; `call` comes once, on the executor, never from inside, and not at
    // all once the launcher is gone.
    void async_launch(const LaunchSpec& spec, std::function<void(LaunchResult)> call);

    // Waits until all that was released or killed is gone. False where the time ran out.
    bool wait_until_released(std::chrono::milliseconds wait_max);

    Accounting accounting() const { return accounting_; }

    // Better means that are not there, and why, for the log.
    const std::vector<std::pair<Accounting, std::string>>& passed_over() const {
        return passed_over_;
    }

    // Whether the number of a bot's processes is held by its control group.
    bool holds_process_limit() const;

    // How many bots have processes left.
    std::size_t living();

 private:
    Launcher(boost::asio::any_io_executor executor, LauncherOptions options, ShimProgram shim);

    std::optional<LaunchError> choose_accounting();
    std::optional<std::string> try_accounting(Accounting accounting);
    std::optional<std::string> try_group(const GroupPlace& home);
    std::variant<std::shared_ptr<BotProcess>, LaunchError> begin(const LaunchSpec& spec);
    ShimSpec shim_spec(const LaunchSpec& spec);
    std::vector<std::string> environment_of(const LaunchSpec& spec) const;
    std::string search_path_of(const LaunchSpec& spec) const;
    LaunchResult result_of(const LaunchSpec& spec, const std::shared_ptr<BotProcess>& bot) const;
    void wait_for_news(std::chrono::milliseconds pause);
    void drop_gone();

    boost::asio::any_io_executor executor_;
    LauncherOptions options_;
    ShimProgram shim_;
    Accounting accounting_ = Accounting::proc;
    std::unique_ptr<RunGroup> run_group_;
    std::vector<std::pair<Accounting, std::string>> passed_over_;
    std::vector<std::shared_ptr<BotProcess>> bots_;
    std::shared_ptr<const bool> life_ = std::make_shared<const bool>(true);
};

}  // namespace referee::launcher
