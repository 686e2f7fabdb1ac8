// Which sandbox this machine gives: it is made once and seen to work, because no file tells.

#include "referee/launch/process/launcher.h"
#include "referee/launch/process/sandbox_means.h"
#include "referee/launch/sandbox/bubblewrap.h"

namespace referee::process {

namespace {

using sandbox::PassedOver;
using sandbox::Tier;

constexpr std::chrono::milliseconds end_wait_max{5000};

// Whether limits hold is not what is tried; a program that was built to find mistakes reserves
// much.
constexpr std::uint64_t no_limit_bytes = std::uint64_t{1} << 50;

PassedOver no_group_limits(Accounting accounting) {
    PassedOver passed{Tier::a, "no control group that limits memory and processes of a whole bot",
                      "run as root, or in a unit with Delegate=yes"};
    passed.found += " (bots are measured by " + std::string(name_of(accounting)) + ")";
    return passed;
}

}  // namespace

// A sandbox with namespaces is tried as tier A where groups hold the limits, and as B elsewhere.
void Launcher::choose_tier() {
    means_ = std::make_unique<SandboxMeans>(shim_.path(), options_.search_path);
    const bool limits_all =
        run_group_ && run_group_->holds_process_limit() && run_group_->holds_memory_limit();
    for (const Tier tier : {Tier::a, Tier::b, Tier::c}) {
        if (tier > options_.tier_most) continue;
        if (tier == Tier::a && !limits_all) {
            offer_.passed_over.push_back(no_group_limits(accounting_));
            continue;
        }
        if (auto tried = try_tier(tier)) {
            offer_.tier = tier;
            return;
        } else {
            tried.error().tier = tier;
            if (tier >= Tier::b) tried.error().found += version_of_bubblewrap();
            offer_.passed_over.push_back(std::move(tried.error()));
        }
    }
}

std::string Launcher::version_of_bubblewrap() const {
    const auto program = means_->bubblewrap();
    if (program.empty() || !options_.version_of) return {};
    const auto version = options_.version_of(program);
    return "; '" + program + " --version' " +
           (version.empty() ? "tells none" : "says '" + version + "'");
}

base::Result<void, PassedOver> Launcher::try_tier(Tier tier) {
    if (auto can = means_->can_make(tier); !can) return can;
    LaunchSpec probe;
    probe.command = {tier == Tier::c ? shim_.path() : sandbox::inside_shim_path, shim_nothing};
    probe.working_directory = "/";
    probe.sandbox.emplace().memory_bytes = no_limit_bytes;
    if (tier == Tier::c) probe.sandbox->reads = {shim_.path()};
    offer_.tier = tier;
    auto launched = launch(probe);
    offer_.tier = Tier::none;
    if (!launched) {
        const LaunchError& error = launched.error();
        return base::failure(error.refused.value_or(
            PassedOver{tier, error.message, "run the referee where programs can be started"}));
    }
    LaunchedBot& bot = **launched;
    const auto deadline = std::chrono::steady_clock::now() + end_wait_max;
    while (!bot.exit_status() && std::chrono::steady_clock::now() < deadline) {
        wait_for_news(std::chrono::milliseconds(2));
    }
    const auto status = bot.exit_status();
    if (status && status->how == ExitStatus::How::exited && status->code == 0) return {};
    return base::failure(
        PassedOver{tier, "a program in it failed: " + (status ? status->text() : "it hung"),
                   "see the log of the kernel (dmesg)"});
}

}  // namespace referee::process
