#pragma once

// Starts bots as child processes and answers for them. A bot that is released leaves nothing
// running; and when the referee itself dies, in whatever way, its bots die too.
//
// As a rule a program has one launcher. Its construction finds out by which means a bot's time is
// measured and its processes are held together (launch_spec.h), and removes what dead referees left
// behind.

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/launch/process/bot_process.h"
#include "referee/launch/process/launch_parts.h"
#include "referee/launch/process/launch_spec.h"
#include "referee/launch/process/run_group.h"
#include "referee/launch/process/sandbox_means.h"
#include "referee/launch/sandbox/tier.h"
#include "referee/net/loop/life.h"

namespace referee::process {

struct LauncherOptions {
    // Only this one; where not given, the best that the machine offers.
    std::optional<Accounting> accounting{};
    // Where the exec shim lies; empty: beside the running program or in its libexec.
    std::string shim_path{};
    // The bots' PATH; empty: the referee's own.
    std::string search_path{};
    // Whether specs will ask for a sandbox: then construction tries which tier the machine gives,
    // which takes some 20 ms a tier. `tier_most`: none above it is tried.
    bool sandbox = false;
    sandbox::Tier tier_most = sandbox::Tier::a;
    // The version that a program tells of itself, or empty: asked of a bubblewrap that made no
    // sandbox. May block for seconds. Where not given, none is told.
    std::function<std::string(const std::string& program)> version_of{};
};

using LaunchResult = base::Result<OwnedProcess, LaunchError>;

// Not thread safe: use it from the one thread that runs the executor. Other threads may do what
// they like, except wait for children that they didn't start. Destroy it before the executor's
// context.
class Launcher {
 public:
    // A launcher, or why there can be none: no exec shim, or the forced means isn't there.
    static base::Result<std::unique_ptr<Launcher>, LaunchError> create(
        boost::asio::any_io_executor executor, LauncherOptions options = {});

    // Kills all that is left of what it launched, and waits until it is gone, but only a few
    // seconds: a process that hangs in the kernel is left to its supervisor.
    ~Launcher();
    Launcher(const Launcher&) = delete;
    Launcher& operator=(const Launcher&) = delete;

    // Starts the bot and waits until its command runs or has failed to: 1 or 2 ms as a rule.
    LaunchResult launch(const LaunchSpec& spec);

    // The same without waiting. `call` is called once, on the executor, never from inside this
    // call, and not at all once the launcher is gone.
    void async_launch(const LaunchSpec& spec, std::function<void(LaunchResult)> call);

    // Waits until everything that was released or killed is gone. False where the time ran out
    // first.
    bool wait_until_released(std::chrono::milliseconds wait_max);

    Accounting accounting() const { return accounting_; }

    // The sandbox that specs that ask for one get.
    const sandbox::Offer& sandbox() const { return offer_; }

    // Whether control groups limit the number of a bot's processes.
    bool holds_process_limit() const { return run_group_ && run_group_->holds_process_limit(); }

    // How many bots still have processes.
    std::size_t living();

 private:
    Launcher(boost::asio::any_io_executor executor, LauncherOptions options, ShimProgram shim);

    base::Result<void, LaunchError> choose_accounting();
    base::Result<void, std::string> try_accounting(Accounting accounting);
    base::Result<void, std::string> try_group(const GroupPlace& home);
    void choose_tier();
    // In words that follow what was found; empty where there is no bubblewrap.
    std::string version_of_bubblewrap() const;
    base::Result<void, sandbox::SkippedTier> try_tier(sandbox::Tier tier);
    base::Result<std::shared_ptr<BotProcess>, LaunchError> begin(const LaunchSpec& spec);
    base::Result<std::shared_ptr<BotProcess>, LaunchError> start(const LaunchSpec& spec,
                                                                 UserSlots::Slot user);
    ShimSpec shim_spec(const LaunchSpec& spec, uid_t user);
    sandbox::Tier tier_of(const LaunchSpec& spec) const;
    std::string search_path_of(const LaunchSpec& spec) const;
    LaunchResult result_of(const LaunchSpec& spec, const std::shared_ptr<BotProcess>& bot) const;
    void wait_for_news(std::chrono::milliseconds pause);
    void drop_gone();

    boost::asio::any_io_executor executor_;
    LauncherOptions options_;
    ShimProgram shim_;
    Accounting accounting_ = Accounting::proc;
    std::unique_ptr<RunGroup> run_group_;
    std::vector<std::shared_ptr<BotProcess>> bots_;
    sandbox::Offer offer_;
    std::unique_ptr<SandboxMeans> means_;  // where a sandbox may be asked for
    bool never_connects_ = false;  // no connection came about on this machine, in vain waited for
    loop::Life life_;
};

}  // namespace referee::process
