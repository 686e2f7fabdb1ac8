#include "referee/cluster/jobs/play_job.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "referee/cluster/jobs/job.h"
#include "referee/cluster/jobs/job_folder.h"
#include "referee/cluster/jobs/job_player.h"
#include "referee/cluster/jobs/result_text.h"
#include "referee/exit_code.h"
#include "referee/files/named_file.h"
#include "referee/files/own_files.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/program/program.h"
#include "referee/launch/sandbox/tier.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/launch/supply/launched_bots.h"
#include "referee/launch/supply/program_launches.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/net/loop/background_thread.h"
#include "referee/net/loop/descriptors.h"
#include "referee/net/loop/loop_watch.h"
#include "referee/net/loop/priority.h"
#include "referee/net/loop/system_timers.h"
#include "referee/net/loop/usable_cores.h"
#include "referee/net/loop/wall_clock.h"
#include "referee/net/transport/listener.h"
#include "referee/report/log/log.h"
#include "referee/tournament/config_limits.h"
#include "referee/tournament/referee.h"
#include "referee/version.h"

namespace referee::jobs {
namespace {

// Between the signals to the processes of one job, on a machine that has much to do.
constexpr Duration signal_time_max = std::chrono::seconds(1);

// Nothing is recorded but in the result.
class JournalOfJob final : public records::Journal {
 public:
    explicit JournalOfJob(boost::asio::any_io_executor loop) : loop_(std::move(loop)) {}
    void append(std::vector<records::Record> /*records*/, OnCommitted on_committed) override {
        boost::asio::post(loop_, [tell = std::move(on_committed)] { tell({}); });
    }

 private:
    boost::asio::any_io_executor loop_;
};

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

// A referee without tournaments of its own: lets the job's bots in, and launches them.
class JobRun final : public tournament::RefereeObserver {
 public:
    JobRun(const Job& job, const ResultPlace& place, tournament::Tokens& tokens)
        : job_(job),
          place_(place),
          signals_(loop_, SIGINT, SIGTERM),
          referee_(config_for(job), {version, true, loop::descriptors_max()},
                   {loop_.get_executor(), timers_, journal_, watch_, background_, tokens}, *this,
                   [](const auto& /*ending*/) {}) {}

    // The result, unless the ending says why there is none.
    JobEnding play(JobResult& result) {
        signals_.async_wait([this](const boost::system::error_code& error, int signal) {
            if (error) return;
            stop({signal == SIGINT ? exit_interrupt : exit_terminate,
                  "stopped before the end: nothing is written, and the job is to be played again"});
        });
        if (auto trouble = prepare(); !trouble.empty()) {
            release();
            return {exit_trouble, std::move(trouble)};
        }
        result.host = host_facts();
        result.host.sandbox = sandbox::name_of(supply_->launcher()->sandbox().tier);
        if (referee_.config().high_priority) loop::raise_priority();
        watch_.wake();
        const auto begun = timers_.now();
        show_life();
        player_->look();
        timers_.run(loop_);
        result.took = std::chrono::duration_cast<std::chrono::milliseconds>(timers_.now() - begun);
        if (ending_.status == exit_done) {
            result.games = player_->take_games();
            const auto lost = [](const auto& one) {
                return one.game.result.status == GameStatus::forfeited;
            };
            if (std::any_of(result.games.begin(), result.games.end(), lost)) await_signal();
        }
        release();
        return ending_;
    }

    void on_arrived(const lobby::Bot& /*bot*/) override { player_->look(); }
    void on_left(const lobby::Bot& /*bot*/, session::CloseCause /*cause*/) override {
        if (player_) player_->look();
    }

 private:
    // Says what is missing; empty: nothing.
    std::string prepare();
    void on_given_up(const std::string& bot);
    void stop(JobEnding ending);
    void show_life();
    void await_signal();
    void release();

    const Job& job_;
    const ResultPlace& place_;
    std::unique_ptr<loop::Machine> machine_ =  // before all that has threads or descriptors
        loop::this_machine([](const auto& trouble) { log::warn("{}", trouble); });
    boost::asio::io_context loop_{1};
    loop::SystemTimers timers_{loop_.get_executor()};
    loop::SystemTimers ticks_{loop_.get_executor()};
    loop::LoopWatch watch_{ticks_, *machine_};
    loop::BackgroundThread background_{loop_.get_executor()};
    loop::BackgroundThread background_of_programs_{loop_.get_executor()};
    boost::asio::signal_set signals_;
    JournalOfJob journal_{loop_.get_executor()};
    tournament::Referee referee_;
    std::unique_ptr<transport::Listener> listener_;
    std::unique_ptr<supply::LaunchedBots> supply_;
    std::unique_ptr<JobPlayer> player_;
    JobEnding ending_;
};

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
    player_ = std::make_unique<JobPlayer>(
        job_, tournament::games_at_once(referee_.config()),
        JobPlayer::Dependencies{timers_, referee_.lobby(), *supply_, watch_, referee_.cores(),
                                loop::wall_clock_ms},
        [this] { stop({}); });
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
    if (!supply_->has_never_started(bot)) return player_->look();
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
    player_.reset();
    referee_.lobby().close_all(protocol::ByeReason::finished, "the job is over");
    if (listener_) listener_->close();
    supply_.reset();
    referee_.end();
    loop_.restart();
    loop_.poll();
}

base::Result<Job, JobEnding> job_in(const std::string& folder) {
    const auto file = folder + "/" + job_file;
    const auto text = files::read_named_file(file, job_bytes_max);
    if (!text)
        return base::failure(JobEnding{
            exit_bad_input, file + " " + text.error() +
                                "; expected a job's folder, as the coordinator makes one for each "
                                "job on a file system that all machines share"});
    // It says what is to be launched here, with this user's rights.
    if (const auto danger = files::others_who_may_write(file); !danger.empty())
        return base::failure(JobEnding{
            exit_trouble, "a job that others could have written isn't played: " + danger});
    auto job = read_job(*text, file, version);
    if (!job) return base::failure(JobEnding{exit_bad_input, job.error()});
    return *std::move(job);
}

// An error says which bot's program isn't the one that the job names on this machine, and what to
// do. Reads the programs' files, and may wait for interpreters to tell their versions.
base::Result<void, std::string> check_programs(const Job& job) {
    program::Programs programs;
    const auto search_path = process::program_search_path();
    for (const auto& [name, expected] : job.programs) {
        const auto& bot = bot_of(job, name);
        // A command that isn't there has a name too, so it is looked for first.
        const auto foreseen = supply::foresee_launch(bot, search_path, sandbox::Tier::none);
        if (!foreseen)
            return base::failure("the program of " + name +
                                 " can't be launched on this machine: " + foreseen.error().message +
                                 "; expected the same files on every machine, as a shared folder "
                                 "has them");
        const auto launch = supply::program_launch_of(bot);
        const auto found = programs.identify(launch);
        if (!found) return base::failure("the program of " + name + ": " + found.error().message);
        if (*found == expected) continue;
        return base::failure(
            "the program of " + name + " is not the one that the job was written for: expected " +
            expected + (job.written_by.empty() ? "" : ", as " + job.written_by + " saw it") +
            ", found " + *found + " (" +
            process::program_file(
                launch.interpreter.empty() ? launch.command.front() : launch.interpreter,
                launch.working_directory, search_path) +
            "). Its files have changed since, or this machine has another interpreter for it; let "
            "the coordinator write the job anew, or give all machines the same interpreter");
    }
    return {};
}

JobEnding play_in(const std::string& folder, tournament::Tokens& tokens) {
    if (has_result(folder))
        return {exit_done, result_path(folder) + " is there already: nothing is played"};
    if (std::filesystem::exists(folder + "/" + job_file)) note_host(folder);
    const auto job = job_in(folder);
    if (!job) return job.error();
    auto place = ResultPlace::open(folder);
    if (!place) return place.error();
    if (const auto clocks = place->check_clocks(loop::wall_clock_ms(), job->written_ms); !clocks)
        return clocks.error();
    if (const auto programs = check_programs(*job); !programs)
        return {exit_trouble, programs.error()};
    JobResult result;
    if (auto ending = JobRun(*job, *place, tokens).play(result); ending.status != exit_done)
        return ending;
    const auto text = result_text(*job, result);
    // As the coordinator will read it: what it would refuse is not written.
    if (const auto fits = read_result(text, folder + "'s result", *job); !fits)
        return {exit_trouble, fits.error()};
    if (text.size() > result_bytes_max)
        return {exit_trouble, folder + "'s result has more than " +
                                  std::to_string(result_bytes_max) +
                                  " bytes; let the coordinator put fewer matches into a job"};
    if (const auto published = place->publish(text); !published) return published.error();
    return {exit_done, {}};
}

}  // namespace

JobEnding play_job(const std::string& folder, tournament::Tokens& tokens) {
    auto ending = play_in(std::filesystem::path(folder).lexically_normal().string(), tokens);
    // Where it is read, nobody knows where that was.
    if (ending.status != exit_done) ending.message = this_referee() + ": " + ending.message;
    return ending;
}

}  // namespace referee::jobs
