#include "referee/launch/process/launcher.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <cstdlib>

#include "protocol/base/text.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/sandbox/bubblewrap.h"

namespace referee::process {
namespace {

using sandbox::SkippedTier;
using sandbox::Tier;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds release_wait_max{5000};
constexpr milliseconds news_pause{2};
// How long a command may take to begin (its file may lie on a slow network drive).
constexpr milliseconds start_max{10'000};
constexpr milliseconds tried_max{5000};  // for the end of a program in a sandbox that is tried
// Whether limits hold is not what is tried; a program that was built to find mistakes reserves
// much.
constexpr std::uint64_t no_limit_bytes = std::uint64_t{1} << 50;

std::string variable_or(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : otherwise;
}

}  // namespace

Launcher::Launcher(boost::asio::any_io_executor executor, LauncherOptions options, ShimProgram shim)
    : executor_(std::move(executor)), options_(std::move(options)), shim_(std::move(shim)) {
    if (options_.search_path.empty()) options_.search_path = variable_or("PATH", plain_search_path);
}

Launcher::~Launcher() {
    for (const auto& bot : bots_) bot->release();
    wait_until_released(release_wait_max);
}

base::Result<std::unique_ptr<Launcher>, LaunchError> Launcher::create(
    boost::asio::any_io_executor executor, LauncherOptions options) {
    auto shim = ShimProgram::open(options.shim_path);
    if (!shim)
        return base::failure(LaunchError{LaunchError::Kind::other,
                                         std::string("can't start bots: ") + shim_is_missing});
    // The executor makes what it needs to watch descriptors when the first one is watched. That
    // happens here, so that a machine without free descriptors is noticed now.
    try {
        const boost::asio::posix::stream_descriptor watched(executor);
    } catch (const boost::system::system_error& error) {
        return base::failure(LaunchError{LaunchError::Kind::other,
                                         std::string("can't start bots: ") + error.what()});
    }
    std::unique_ptr<Launcher> launcher(
        new Launcher(std::move(executor), std::move(options), std::move(*shim)));
    if (auto chosen = launcher->choose_accounting(); !chosen)
        return base::failure(std::move(chosen.error()));
    if (launcher->options_.sandbox) launcher->choose_tier();
    return launcher;
}

base::Result<void, LaunchError> Launcher::choose_accounting() {
    std::string message = "can't start bots: no means to watch them";
    for (const Accounting accounting : all_accountings) {
        if (options_.accounting && *options_.accounting != accounting) continue;
        const auto tried = try_accounting(accounting);
        if (tried) {
            accounting_ = accounting;
            return {};
        }
        message += "; " + std::string(name_of(accounting)) + ": " + tried.error();
    }
    return base::failure(LaunchError{LaunchError::Kind::other, message});
}

base::Result<void, std::string> Launcher::try_accounting(Accounting accounting) {
    if (accounting == Accounting::proc) {
        if (::access("/proc/self/stat", R_OK) == 0) return {};
        return base::failure(std::string("/proc is not mounted"));
    }
    if (accounting == Accounting::subreaper) {
        if (has_children_files()) return {};
        return base::failure(std::string("the kernel has no /proc/PID/task/TID/children"));
    }
    const auto home = find_home(accounting == Accounting::control_group_v2);
    if (!home) return base::failure(home.error());
    GroupPlace place = *home;
    remove_leftovers(place);
    if (options_.sandbox) hand_on_controllers(place);
    auto tried = try_group(place);
    if (tried || (place.pids.empty() && place.memory.empty())) return tried;
    // Where only the limits aren't possible, all else still may be.
    place.pids.clear();
    place.memory.clear();
    return try_group(place);
}

// Lets the shim write itself into a group: only that shows whether it may.
base::Result<void, std::string> Launcher::try_group(const GroupPlace& home) {
    auto made = RunGroup::make(home);
    if (!made) return base::failure(std::move(made.error()));
    auto run_group = *std::move(made);
    const GroupPlace probe = run_group->next_bot();
    if (const int error = make_group(probe); error != 0)
        return base::failure("no group below a group: " + error_text(error));
    base::Result<void, std::string> joined;
    for (const std::string& directory : probe.directories()) {
        const Descriptor group = open_file(directory + "/cgroup.procs", O_WRONLY);
        const Descriptor nothing = open_file("/dev/null", O_RDWR);
        const std::array descriptors = {nothing.get(), nothing.get(), nothing.get(), group.get()};
        const auto spawned = shim_.spawn(descriptors, shim_join_probe);
        int status = 0;
        if (!spawned || ::waitpid(*spawned, &status, 0) != *spawned || !WIFEXITED(status) ||
            WEXITSTATUS(status) != 0) {
            joined = base::failure("a process could not be moved into " + directory);
            break;
        }
    }
    remove_group(probe);
    if (joined) run_group_ = std::move(run_group);
    return joined;
}

// Which sandbox this machine gives is made once and seen to work, because no file tells. One with
// namespaces is tried as tier A where groups hold the limits, and as B elsewhere.
void Launcher::choose_tier() {
    means_ = std::make_unique<SandboxMeans>(shim_.path(), options_.search_path);
    const bool limits_all =
        run_group_ && run_group_->holds_process_limit() && run_group_->holds_memory_limit();
    for (const Tier tier : {Tier::a, Tier::b, Tier::c}) {
        if (tier > options_.tier_most) continue;
        if (tier == Tier::a && !limits_all) {
            offer_.passed_over.push_back(
                {Tier::a,
                 fmt::format("no control group that limits memory and processes of a whole bot "
                             "(bots are measured by {})",
                             name_of(accounting_)),
                 "run as root, or in a unit with Delegate=yes"});
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

base::Result<void, SkippedTier> Launcher::try_tier(Tier tier) {
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
            SkippedTier{tier, error.message, "run the referee where programs can be started"}));
    }
    BotProcess& bot = **launched;
    const auto deadline = steady_clock::now() + tried_max;
    while (!bot.exit_status() && steady_clock::now() < deadline) wait_for_news(news_pause);
    const auto status = bot.exit_status();
    if (status && status->how == ExitStatus::How::exited && status->code == 0) return {};
    return base::failure(
        SkippedTier{tier, "a program in it failed: " + (status ? status->text() : "it hung"),
                    "see the log of the kernel (dmesg)"});
}

ShimSpec Launcher::shim_spec(const LaunchSpec& spec, uid_t user) {
    ShimSpec shim;
    shim.referee = ::getpid();
    shim.command = spec.command;
    shim.environment =
        bot_environment(spec, options_.search_path,
                        spec.sandbox ? sandbox::inside_work_folder : variable_or("HOME", "/"));
    shim.search_folders = folders_of(search_path_of(spec));
    shim.working_directory = spec.working_directory;
    shim.limits = resource_limits(spec, tier_of(spec), user, holds_process_limit());
    if (accounting_ == Accounting::proc || !has_children_files()) shim.walk = Walk::stat_scan;
    shim.user = user;
    if (run_group_) {
        shim.has_group = true;
        shim.group = run_group_->next_bot();
        shim.run_group = run_group_->place();
    }
    return shim;
}

Tier Launcher::tier_of(const LaunchSpec& spec) const {
    return spec.sandbox ? offer_.tier : Tier::none;
}

std::string Launcher::search_path_of(const LaunchSpec& spec) const {
    return path_in(spec.environment).value_or(options_.search_path);
}

base::Result<std::shared_ptr<BotProcess>, LaunchError> Launcher::begin(const LaunchSpec& spec) {
    if (auto checked = check_spec(spec); !checked) return base::failure(std::move(checked.error()));
    drop_gone();
    if (!spec.sandbox) return start(spec, nullptr);
    if (offer_.tier == Tier::none) return base::failure(no_sandbox(spec, offer_));
    if (auto held = means_->can_hold(spec, offer_.tier); !held)
        return base::failure(sandbox_refused(spec, held.error()));
    auto user = means_->take_user();
    if (!user) return base::failure(sandbox_refused(spec, user.error()));
    return start(spec, *std::move(user));
}

// Makes the group and starts the shim; whether the command runs is reported later.
base::Result<std::shared_ptr<BotProcess>, LaunchError> Launcher::start(const LaunchSpec& spec,
                                                                       UserSlots::Slot user) {
    // With a network of its own the bot's socket is made inside.
    const bool is_inside = tier_of(spec) >= Tier::b;
    const bool as_pipe = never_connects_ || is_inside;
    auto parts = LaunchParts::make(spec.speaks, as_pipe ? StandardOutput::pipe : spec.output);
    if (!parts) return base::failure(system_error(spec, "no pipe could be made", errno));
    const uid_t uid = user ? *user : 0;
    if (user) parts->give_to(uid);
    ShimSpec shim = shim_spec(spec, uid);
    if (spec.sandbox) means_->plan(spec, tier_of(spec), shim);
    ShimPageMapping page(shim);
    if (!page) return base::failure(system_error(spec, "no shared memory could be made", errno));
    std::vector<int> given = parts->given_to_shim();
    given.push_back(page.descriptor());
    const std::optional<GroupPlace> place =
        shim.has_group ? std::optional(shim.group) : std::nullopt;
    GroupEntry entry;
    if (place) {
        if (const int error = entry.make(*place, shim.has_inner_group(), spec))
            return base::failure(system_error(spec, "no control group could be made", error));
        for (const Descriptor& join : entry.joins()) given.push_back(join.get());
    }
    auto bot = std::make_shared<BotProcess>(executor_, accounting_, tier_of(spec), std::move(user),
                                            std::move(shim), std::move(page));
    if (parts->no_socket) {
        // To wait for each launch anew would hold up the games that are played.
        never_connects_ = parts->no_socket->error == ETIMEDOUT;
        bot->no_socket_ = std::move(parts->no_socket->why);
    }
    if (const int error =
            bot->connect(std::move(parts->control), std::move(parts->bot), spec.speaks)) {
        return base::failure(system_error(spec, "its pipes could not be watched", error));
    }
    const auto spawned = shim_.spawn(given);
    if (!spawned)
        return base::failure(
            system_error(spec, "the exec shim could not be started", spawned.error().error));
    entry.keep();
    bot->attach(*spawned);
    bots_.push_back(bot);
    return bot;
}

LaunchResult Launcher::result_of(const LaunchSpec& spec,
                                 const std::shared_ptr<BotProcess>& bot) const {
    if (const auto& failure = bot->failure_) {
        const std::string printed = bot->error_tail();
        bot->release();
        const bool shows =
            failure->stage == LaunchStage::stage || failure->stage == LaunchStage::sandbox;
        if (auto shown = can_show(spec); shows && !shown)
            return base::failure(std::move(shown.error()));
        auto error = launch_error(spec, search_path_of(spec), failure->stage, failure->error);
        if (failure->stage == LaunchStage::sandbox && !printed.empty())
            error = sandbox_refused(
                spec, sandbox::refused_by_machine(printed.substr(0, printed.find('\n'))));
        return base::failure(std::move(error));
    }
    return OwnedProcess(bot.get(), ProcessRelease{bot});
}

LaunchResult Launcher::launch(const LaunchSpec& spec) {
    auto begun = begin(spec);
    if (!begun) return base::failure(std::move(begun.error()));
    const auto& bot = *begun;
    const auto deadline = steady_clock::now() + start_max;
    while (bot->phase_ == BotProcess::Phase::starting && steady_clock::now() < deadline) {
        pollfd control = {bot->control_descriptor(), POLLIN, 0};
        const auto left =
            std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now()) + news_pause;
        // Without a socket the supervisor has ended, and can be reaped in a moment.
        ::poll(&control, 1, static_cast<int>((control.fd < 0 ? news_pause : left).count()));
        bot->advance();
    }
    bot->start_timed_out();
    LaunchResult result = result_of(spec, bot);
    bot->watch();
    return result;
}

void Launcher::async_launch(const LaunchSpec& spec, std::function<void(LaunchResult)> call) {
    auto begun = begin(spec);
    if (!begun) {
        boost::asio::post(executor_, life_.while_it_lasts([call = std::move(call),
                                                           error = std::move(begun.error())] {
            call(base::failure(error));
        }));
        return;
    }
    const auto bot = *begun;
    const auto timer = std::make_shared<boost::asio::steady_timer>(executor_, start_max);
    auto finish = life_.while_it_lasts(
        [this, spec, bot, call = std::move(call)] { call(result_of(spec, bot)); });
    bot->on_start([timer, finish = std::move(finish)]() mutable {
        timer->cancel();
        finish();
    });
    timer->async_wait([bot](boost::system::error_code error) {
        if (!error) bot->start_timed_out();
    });
    bot->watch();
}

std::size_t Launcher::living() {
    drop_gone();
    return bots_.size();
}

void Launcher::drop_gone() {
    std::erase_if(bots_, [](const auto& bot) { return bot->gone(); });
}

void Launcher::wait_for_news(milliseconds pause) {
    std::vector<pollfd> controls;
    for (const auto& bot : bots_) {
        bot->advance();
        if (bot->control_descriptor() >= 0)
            controls.push_back({bot->control_descriptor(), POLLIN, 0});
    }
    ::poll(controls.data(), controls.size(), static_cast<int>(pause.count()));
}

bool Launcher::wait_until_released(milliseconds wait_max) {
    const auto deadline = steady_clock::now() + wait_max;
    const auto any_dying = [this] {
        drop_gone();
        return std::ranges::any_of(bots_,
                                   [](const auto& bot) { return bot->killed_ && !bot->gone(); });
    };
    while (any_dying()) {
        if (steady_clock::now() >= deadline) return false;
        wait_for_news(news_pause);
    }
    return true;
}

}  // namespace referee::process
