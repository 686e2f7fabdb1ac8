#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/cluster/jobs/job.h"
#include "referee/cluster/jobs/job_folder.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/program/program.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/launch/supply/program_launches.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/launch/supply/unrecorded_referee.h"
#include "referee/net/transport/listener.h"
#include "referee/tournament/config_limits.h"
#include "referee/tournament/scheduler/scheduled_contest.h"
#include "referee/tournament/table/table.h"

namespace referee::jobs {
namespace {

using scheduler::Seating;

// Between the signals to the processes of one job, on a machine that has much to do.
constexpr Duration signal_time_max = std::chrono::seconds(1);

// The config as the machine has to carry it out: only bots that play, on the cores that there are.
config::Config config_for(const Job& job, config::Config config) {
    std::erase_if(config.bots, [&](const auto& bot) { return !job.programs.contains(bot.name); });
    for (auto& tournament : config.tournaments) tournament.bots.clear();
    const auto cores = loop::usable_cores();
    config.cores = config.cores == 0 ? cores : std::min(config.cores, cores);
    if (config.games_at_once == 0) config.games_at_once = cores;
    config.registration = {};
    return config;
}

// A referee without tournaments of its own: lets a job's bots in, launches them, and plays the
// matches at tables as a scheduler would. The same game, with the same bots in the same state,
// comes to the same record.
class JobRun final : supply::UnrecordedReferee {
 public:
    // All of it outlives this.
    JobRun(const Job& job, const JobConfig& config, const ResultPlace& place);
    ~JobRun() override;
    JobRun(const JobRun&) = delete;
    JobRun& operator=(const JobRun&) = delete;

    // Once.
    base::Result<JobResult, Ending> play();

    void on_arrived(const lobby::Bot& /*bot*/) override { look(); }
    void on_left(const lobby::Bot& /*bot*/, session::CloseCause /*cause*/) override { look(); }

 private:
    // A game that bots sit at.
    struct Playing {
        MatchProgress* match = nullptr;
        std::unique_ptr<table::Table> table;
    };

    // Says what is missing; empty: nothing.
    std::string prepare();
    void given_up(const std::string& bot);
    void stop(Ending ending);
    void show_life();
    void await_signal();

    // Looks soon for games that can begin.
    void look() { looks_.wake_by(timers_.now()); }
    void begin_games();
    std::optional<Seating> seating_for(const MatchProgress& match, const MatchTask::Game& game);
    // Until when the game waits for a bot that is away, or doesn't play it.
    Instant awaited_until(const lobby::Bot& bot, const config::TournamentConfig& tournament);
    void seat(MatchProgress& match, const MatchTask::Game& game, Seating seating);
    void finished(const table::Table& table);
    void close(const GameKey& key);

    const Job& job_;
    const ResultPlace& place_;
    loop::EarliestLook looks_{timers_, [this] { begin_games(); }};
    std::unique_ptr<transport::Listener> listener_;
    Ending ending_;

    std::deque<MatchProgress> matches_;
    std::map<GameKey, Playing> playing_;
    // Games that have ended, and whose bots aren't told yet: nothing begins before they are.
    std::size_t closing_ = 0;
    scheduler::Absences absences_;
    std::map<GameKey, JobGameResult> played_;
    bool over_ = true;  // nothing begins: not yet, or no more
};

JobRun::JobRun(const Job& job, const JobConfig& config, const ResultPlace& place)
    : UnrecordedReferee(config_for(job, config.config),
                        {[](const std::string& bot, const std::string& message) {
                             log::warn("{}: {}", bot, message);
                         },
                         [](const std::string& message) { log::warn("{}", message); },
                         [this](const std::string& bot) { given_up(bot); }}),
      job_(job),
      place_(place) {
    for (const auto& match : job_.matches) matches_.emplace_back(config, match);
}

JobRun::~JobRun() {
    looks_.cancel();
    over_ = true;
    playing_.clear();
    referee_.lobby().close_all(protocol::ByeReason::finished, "the job is over");
    if (listener_) listener_->close();
    end();
}

base::Result<JobResult, Ending> JobRun::play() {
    take_signal([this](int signal) {
        stop({exit_of_signal(signal),
              "stopped before the end: nothing is written, and the job is to be played again"});
    });
    if (auto trouble = prepare(); !trouble.empty())
        return base::failure(Ending{exit_trouble, std::move(trouble)});
    auto machine = machine_facts();
    machine.sandbox = config::name_of(bots_->launcher()->sandbox().tier);
    if (referee_.config().high_priority) loop::raise_priority();
    watch_.wake();
    const auto begun = timers_.now();
    show_life();
    over_ = false;
    look();
    timers_.run(loop_);
    JobResult result;
    result.took = std::chrono::duration_cast<std::chrono::milliseconds>(timers_.now() - begun);
    for (auto& [key, played] : played_) {
        played.game.result.machine = machine;
        result.games.push_back(std::move(played));
    }
    const bool any_lost =
        base::contains(result.games, GameStatus::forfeited,
                       [](const auto& played) { return played.game.result.status; });
    if (ending_.status == exit_done && any_lost) await_signal();
    if (ending_.status != exit_done) return base::failure(ending_);
    return result;
}

std::string JobRun::prepare() {
    loop::allow_descriptors(tournament::descriptors_needed(referee_.config()));
    // For bots that dial in where they were launched.
    auto listening = transport::Listener::open(loop_.get_executor(), "127.0.0.1", 0);
    if (!listening) return listening.error();
    listener_ = *std::move(listening);
    bots_->set_dial_in_address(listener_->endpoint());
    const auto terms = supply::terms_of(referee_.config(), job_.sandbox);
    if (!terms) return terms.error();
    auto opened = supply::open_launcher(loop_.get_executor(), *terms);
    if (!opened) return opened.error();
    log::info("{}", supply::describe(*terms, (*opened)->sandbox()));
    bots_->launch_by(*std::move(opened));
    referee_.bring_bots_by(*bots_);
    listener_->start(
        [this](auto transport) {
            const auto login_time_max =
                transport->from_this_machine() ? bots_->login_time_max() : std::nullopt;
            referee_.lobby().admit(std::move(transport), {login_time_max, {}});
        },
        [](const std::string& reason) { log::warn("accepting pauses: {}", reason); });
    return {};
}

// What can't even be started says something about this machine and nothing about the bot: it
// forfeits no game for that.
void JobRun::given_up(const std::string& bot) {
    if (!bots_->has_never_started(bot)) return look();
    stop({exit_trouble,
          bot + " can't be launched on this machine: " + bots_->given_up_because(bot)->cause +
              "; nothing is written, and the job is to be played again"});
}

void JobRun::stop(Ending ending) {
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

void JobRun::begin_games() {
    if (over_ || closing_ > 0) return;
    const auto at_once = tournament::games_at_once(referee_.config());
    absences_.forget_present(referee_.lobby());
    for (auto& match : matches_) {
        while (playing_.size() < at_once) {
            const auto* game = match.next();
            if (game == nullptr) break;
            auto seating = seating_for(match, *game);
            if (!seating) break;
            match.begin();
            seat(match, *game, *std::move(seating));
        }
    }
    over_ = std::ranges::all_of(matches_, &MatchProgress::over);
    if (over_) stop({});
}

std::optional<Seating> JobRun::seating_for(const MatchProgress& match,
                                           const MatchTask::Game& game) {
    Seating seating;
    bool busy = false;
    for (engines::Seat seat = 0; seat < game.bots.size(); ++seat) {
        auto& bot = referee_.lobby().bot(game.bots[seat]);
        seating.bots.push_back(&bot);
        const bool plays = bot.plays(match.tournament().game);
        if (bot.free_seats() > 0 && plays) continue;
        if ((bot.connected() && plays) || !bot.places().empty()) {
            busy = true;
            continue;
        }
        bots_->want(bot);
        const auto until = awaited_until(bot, match.tournament());
        if (timers_.now() >= until) {
            seating.absent.push_back(seat);
        } else {
            busy = true;
            looks_.wake_by(until);
        }
    }
    if (busy) return std::nullopt;
    return seating;
}

// A bot that is being started has all its time to log in.
Instant JobRun::awaited_until(const lobby::Bot& bot, const config::TournamentConfig& tournament) {
    const auto since = absences_.begin(bot, tournament.game, timers_.now());
    const auto coming = bots_->coming(bot);
    if (coming.given_up) return since;
    const auto until = since + tournament.no_show_after;
    return std::max(until, coming.until.value_or(until));
}

void JobRun::seat(MatchProgress& match, const MatchTask::Game& game, Seating seating) {
    auto setup = scheduler::setup_of(match.tournament(), match.rules(), game, seating, *bots_);
    const table::MatchFacts facts{match_id(game.key.tournament, game.key.match),
                                  match.match().games_max};
    auto& playing = playing_[game.key];
    playing.match = &match;
    playing.table = std::make_unique<table::Table>(
        std::move(setup), facts, std::move(seating.bots), timers_, watch_, referee_.cores(),
        [this](const table::Table& table) { finished(table); });
    // A game may end while it begins, so its place isn't looked at behind this call.
    playing.table->start(seating.absent);
}

// Not from inside the table's own call, which it would not outlive.
void JobRun::finished(const table::Table& table) {
    const auto& play = table.play();
    const auto key = play.result().key;
    played_.emplace(key, JobGameResult{loop::wall_clock_ms(), {play.result(), play.replay()}});
    ++closing_;
    timers_.schedule(timers_.now(), [this, key] { close(key); });
}

void JobRun::close(const GameKey& key) {
    if (over_) return;  // the run was stopped
    --closing_;
    auto node = playing_.extract(key);
    REFEREE_ASSERT(!node.empty());
    auto& playing = node.mapped();
    playing.table->announce();
    playing.match->end(playing.table->play().result());
    const bool match_over = playing.match->over();
    const auto bots = playing.table->bots();
    playing.table.reset();
    for (auto* bot : bots) bots_->game_over(*bot, match_over);
    look();
}

base::Result<Job, Ending> job_in(const std::string& folder) {
    const auto file = folder + "/" + job_file;
    const auto text = files::read_named_file(file, job_bytes_max);
    if (!text)
        return base::failure(Ending{
            exit_bad_input, file + " " + text.error() +
                                "; expected a job's folder, as the coordinator makes one for each "
                                "job on a file system that all machines share"});
    // It says what is to be launched here, with this user's rights.
    if (const auto danger = files::others_who_may_write(file); !danger.empty())
        return base::failure(
            Ending{exit_trouble, "a job that others could have written isn't played: " + danger});
    return read_job(*text, file, version).map_error([](const std::string& mistake) {
        return Ending{exit_bad_input, mistake};
    });
}

// An error says which bot's program isn't the one that the job names on this machine, and what to
// do. Reads the programs' files, and may wait for interpreters to tell their versions.
base::Result<void, std::string> check_programs(const Job& job, const config::Config& config) {
    program::Programs programs;
    const auto search_path = process::program_search_path();
    for (const auto& [name, expected] : job.programs) {
        const auto bot = std::ranges::find(config.bots, name, &config::BotConfig::name);
        REFEREE_ASSERT(bot != config.bots.end());
        // A command that isn't there has a name too, so it is looked for first.
        const auto foreseen = supply::foresee_launch_of(*bot, search_path, sandbox::Tier::none);
        if (!foreseen)
            return base::failure("the program of " + name +
                                 " can't be launched on this machine: " + foreseen.error().message +
                                 "; expected the same files on every machine, as a shared folder "
                                 "has them");
        const auto launch = supply::program_launch_of(*bot);
        const auto found = programs.identify(launch);
        if (!found) return base::failure("the program of " + name + ": " + found.error());
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

Ending play_in(const std::string& folder) {
    if (has_result(folder))
        return {exit_done, result_path(folder) + " is there already: nothing is played"};
    if (std::filesystem::exists(folder + "/" + job_file)) note_machine(folder);
    const auto read = job_in(folder);
    if (!read) return read.error();
    const auto& job = *read;
    const auto config = read_config_of(job, folder + "/" + job_file);
    if (!config) return {exit_bad_input, config.error()};
    const auto opened = ResultPlace::open(folder);
    if (!opened) return opened.error();
    auto& place = **opened;
    if (const auto clocks = place.check_clocks(loop::wall_clock_ms(), job.written_ms); !clocks)
        return clocks.error();
    if (const auto programs = check_programs(job, config->config); !programs)
        return {exit_trouble, programs.error()};
    const auto result = JobRun(job, *config, place).play();
    if (!result) return result.error();
    const auto text = result_text(job, *result);
    // As the coordinator will read it: what it would refuse is not written.
    if (const auto fits = read_result(text, folder + "'s result", job); !fits)
        return {exit_trouble, fits.error()};
    if (text.size() > result_bytes_max)
        return {exit_trouble, fmt::format("{}'s result has more than {} bytes; let the coordinator "
                                          "put fewer matches into a job",
                                          folder, result_bytes_max)};
    if (const auto published = place.publish(text); !published) return published.error();
    return {exit_done, {}};
}

}  // namespace

Ending play_job(const std::string& folder) {
    auto ending = play_in(std::filesystem::path(folder).lexically_normal().string());
    // Where it is read, nobody knows where that was.
    if (ending.status != exit_done) ending.message = this_referee() + ": " + ending.message;
    return ending;
}

}  // namespace referee::jobs
