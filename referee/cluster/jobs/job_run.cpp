#include "referee/cluster/jobs/job_run.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>

#include "referee/exit_code.h"
#include "referee/launch/sandbox/tier.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/net/loop/descriptor_limit.h"
#include "referee/net/loop/priority.h"
#include "referee/net/loop/usable_cores.h"
#include "referee/report/log/log.h"
#include "referee/tournament/config_limits.h"
#include "referee/version.h"

namespace referee::jobs {
namespace {

// Between the signals to the processes of one job, on a machine that has much to do.
constexpr Duration signal_time_max = std::chrono::seconds(1);

// The config as the machine has to carry it out: only bots that play, on the cores that there are.
config::Config config_for(const Job& job) {
    auto config = job.read->config;
    std::erase_if(config.bots, [&](const auto& bot) { return !job.programs.contains(bot.name); });
    for (auto& tournament : config.tournaments) tournament.bots.clear();
    const auto cores = loop::usable_cores();
    config.cores = config.cores == 0 ? cores : std::min(config.cores, cores);
    if (config.games_at_once == 0) config.games_at_once = cores;
    config.registration = {};
    return config;
}

}  // namespace

JobRun::JobRun(const Job& job, const ResultPlace& place, tournament::Tokens& tokens)
    : job_(job),
      place_(place),
      machine_(loop::this_machine([](const auto& trouble) { log::warn("{}", trouble); })),
      signals_(loop_, SIGINT, SIGTERM),
      referee_(config_for(job), {version, true, loop::descriptors_max()},
               {loop_.get_executor(), timers_, journal_, watch_, background_, tokens}, *this,
               [](const auto& /*ending*/) {}) {
    for (const auto& match : job_.matches) matches_.emplace_back(job_, match);
}

JobEnding JobRun::play(JobResult& result) {
    signals_.async_wait([this](const boost::system::error_code& error, int signal) {
        if (error) return;
        stop({signal == SIGINT ? exit_interrupt : exit_terminate,
              "stopped before the end: nothing is written, and the job is to be played again"});
    });
    if (auto trouble = prepare(); !trouble.empty()) {
        release();
        return {exit_trouble, std::move(trouble)};
    }
    auto host = host_facts();
    host.sandbox = sandbox::name_of(supply_->launcher()->sandbox().tier);
    if (referee_.config().high_priority) loop::raise_priority();
    watch_.wake();
    const auto begun = timers_.now();
    show_life();
    over_ = false;
    look();
    timers_.run(loop_);
    result.took = std::chrono::duration_cast<std::chrono::milliseconds>(timers_.now() - begun);
    if (ending_.status == exit_done) {
        result.games = take_games();
        for (auto& played : result.games) played.game.result.host = host;
        const auto lost = [](const auto& one) {
            return one.game.result.status == GameStatus::forfeited;
        };
        if (std::any_of(result.games.begin(), result.games.end(), lost)) await_signal();
    }
    release();
    return ending_;
}

std::string JobRun::prepare() {
    loop::allow_descriptors(tournament::descriptors_needed(referee_.config()));
    // For bots that dial in where they were launched.
    auto listening = transport::Listener::open(loop_.get_executor(), "127.0.0.1", 0);
    if (!listening) return listening.error().message;
    listener_ = *std::move(listening);
    supply_ = std::make_unique<supply::LaunchedBots>(
        listener_->endpoint(), referee_.roster().launch_tokens(), referee_.lobby(), timers_,
        loop_.get_executor(), background_of_programs_,
        [](const std::string& bot, const std::string& message) {
            log::warn("{}: {}", bot, message);
        },
        [](const std::string& message) { log::warn("{}", message); });
    supply_->on_given_up([this](const std::string& bot) { on_given_up(bot); });
    const auto terms = supply::terms_of(referee_.config(), job_.unsandboxed, job_.tier_min);
    if (!terms) return terms.error();
    auto opened = supply::open_launcher(loop_.get_executor(), *terms);
    if (!opened) return opened.error();
    log::info("{}", supply::describe(*terms, (*opened)->sandbox()));
    supply_->launch_by(*std::move(opened));
    referee_.bring_bots_by(*supply_);
    listener_->start(
        [this](auto transport) {
            const auto login_time_max =
                transport->from_this_machine() ? supply_->login_time_max() : std::nullopt;
            referee_.lobby().admit(std::move(transport), {login_time_max, {}});
        },
        [](const std::string& reason) { log::warn("accepting pauses: {}", reason); });
    return {};
}

// What can't even be started says something about this machine and nothing about the bot: it
// forfeits no game for that.
void JobRun::on_given_up(const std::string& bot) {
    if (!supply_->has_never_started(bot)) return look();
    std::string why;
    for (const auto& never : supply_->never_started())
        if (never.bot == bot) why = never.why;
    stop({exit_trouble, bot + " can't be launched on this machine: " + why +
                            "; nothing is written, and the job is to be played again"});
}

void JobRun::stop(JobEnding ending) {
    ending_ = std::move(ending);
    loop_.stop();
}

// From now on, beside the loop.
void JobRun::show_life() {
    background_.run(
        [this] { place_.show_life(); },
        [this] { timers_.schedule(timers_.now() + show_life_every, [this] { show_life(); }); });
}

// Who ends a job may end its bots too (`scancel`), and reach them first: what they lost by that is
// no result.
void JobRun::await_signal() {
    loop_.restart();
    timers_.schedule(timers_.now() + signal_time_max, [this] { loop_.stop(); });
    timers_.run(loop_);
}

void JobRun::release() {
    signals_.cancel();
    if (look_) timers_.cancel(*look_);
    over_ = true;
    playing_.clear();
    referee_.lobby().close_all(protocol::ByeReason::finished, "the job is over");
    if (listener_) listener_->close();
    supply_.reset();
    referee_.end();
    loop_.restart();
    loop_.poll();
}

}  // namespace referee::jobs
