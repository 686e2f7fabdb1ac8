#include "referee/run/tournament_run.h"

#include <algorithm>
#include <ostream>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/report/ledger.h"
#include "referee/report/tournament_texts.h"
#include "referee/run/run_screen.h"
#include "referee/server/server.h"
#include "referee/tournament/scheduler/waits.h"

namespace referee::run {
namespace {

using scheduler::Wait;
constexpr const char* out_of_time = "the time for its games is over";
constexpr Duration progress_every = std::chrono::milliseconds(100);

// A server in the foreground: shows progress on the screen, takes signals, ends.
class Run final : public scheduler::Observer {
 public:
    Run(const config::Config& config, RunOptions options, std::ostream& screen)
        : options_(std::move(options)),
          screen_(screen),
          server_(config,
                  {.out = options_.out,
                   .sandbox = {options_.unsandboxed},
                   .beside_others = options_.beside_others},
                  [this](const auto& ending) { ended(ending); }),
          times_(options_.time_limits),
          progress_(server_.loop().get_executor(), screen,
                    {options_.terminal && shows_progress(), !is_discreet()}) {}

    RunEnding play() {
        const auto stop_where_needed = [this] {
            if (!indispensable().empty())
                server_.scheduler().stop("a bot can't be launched", server_.config().grace);
        };
        if (const auto prepared = server_.prepare(stop_where_needed); !prepared)
            return {prepared.error().status, prepared.error().message};
        server_.scheduler().observe(*this);
        tell_beginning();
        server_.stop_by_signals([this](const std::string& signal, bool again) {
            signal_ = signal;
            if (!again) tell_stopping(signal);
        });
        take_up_aborted();
        server_.start();
        if (options_.shown == Shown::everything) tell_standing();
        tick();
        server_.run();
        server_.release();
        return ending_;
    }

    void on_waits(const std::vector<scheduler::Wait>& waiting) override {
        if (is_discreet()) return tell_calm(waiting);
        auto shown = waiting;
        if (options_.shown == Shown::trouble)
            std::erase_if(shown,
                          [](const auto& wait) { return wait.kind != Wait::Kind::for_calm; });
        progress_.waits(shown, server_.timers().now());
    }
    void on_withdrawn(const std::string& tournament, const std::string& bot,
                      const std::string& reason) override {
        if (options_.time_limits.contains(bot)) end_its_test(tournament);
        if (!is_discreet()) progress_.say(bot + " is withdrawn from " + tournament + ": " + reason);
    }
    void on_admitted(const std::string& tournament, const std::string& bot) override {
        if (!is_discreet()) progress_.say(bot + " takes part in " + tournament + " again");
    }
    void on_game_started(const std::string& /*tournament*/, const table::Table& table) override {
        std::vector<std::string> bots;
        for (const auto* bot : table.bots()) bots.push_back(bot->name());
        times_.game_began(bots, server_.timers().now());
    }
    void on_game(const std::shared_ptr<const records::GameRecord>& game,
                 const table::Table* table) override {
        const auto& result = game->result;
        progress_.game_ended(result);
        if (table == nullptr) return;
        times_.game_ended(result, server_.timers().now());
        end_what_is_unanswered(result);
        if (result.status != GameStatus::annulled) return;
        ++annulled_;
        last_annulled_ = "game " + game_id(result.key) + ": " + result.reason;
        if (options_.shown != Shown::trouble && !is_discreet())
            progress_.say("game " + game_id(result.key) + " is annulled: " + result.reason);
    }
    void on_state(const std::string& tournament, records::TournamentState state,
                  const std::string& /*reason*/) override {
        if (records::ended(state) && options_.on_over)
            server_.publisher().when_written([this, tournament] { options_.on_over(tournament); });
    }
    void on_store_trouble(const std::string& trouble) override {
        progress_.say(trouble.empty() ? "there is room again: games go on" : trouble);
        if (trouble.empty() || options_.time_limits.empty()) return;
        // Who has little time doesn't wait for somebody who makes room. Not from inside this call.
        no_room_ = trouble + then(". When there is room, go on with:");
        server_.timers().schedule(server_.timers().now(), [this, trouble] {
            server_.scheduler().stop(trouble, Duration::zero());
        });
    }

 private:
    // Whether what is shown may name nobody.
    bool is_discreet() const {
        return options_.shown == Shown::numbers || options_.shown == Shown::nothing;
    }
    bool shows_progress() const {
        return options_.shown != Shown::trouble && options_.shown != Shown::nothing;
    }

    void tell_calm(const std::vector<scheduler::Wait>& waiting) {
        const auto is_it = [](const auto& wait) { return wait.kind == Wait::Kind::for_calm; };
        const bool waits = std::ranges::any_of(waiting, is_it);
        if (waits && !std::exchange(waits_for_calm_, waits))
            progress_.say("games wait until this machine is calm: other programs keep it busy");
        waits_for_calm_ = waits;
    }

    // A tournament of an earlier run that was ended for its time goes on while there is some.
    void take_up_aborted() {
        for (const auto& contest : server_.scheduler().statuses()) {
            using State = records::TournamentState;
            const bool was_ended =
                contest.state == State::aborted || contest.state == State::paused;
            if (!was_ended || contest.state_reason == unanswered_reason ||
                contest.state_reason == withdrawn_reason || !limited_bot(contest, false))
                continue;
            server_.scheduler().orders().resume({contest.config->id, "there is time for it"});
        }
    }

    // The first of its bots that has a limit, and whose time is over or not, as asked.
    std::optional<std::string> limited_bot(const contests::ContestStatus& contest, bool over) {
        const auto now = server_.timers().now();
        for (const auto& [bot, limit] : options_.time_limits) {
            if (contest.entrant_named(bot) && times_.is_over(bot, now) == over) return bot;
        }
        return std::nullopt;
    }

    // No game of such a bot begins any more, and the one that runs is played to its end: so each
    // run comes further, and what the bot thought in it is known.
    void end_what_is_out_of_time() {
        using State = records::TournamentState;
        if (server_.scheduler().stopping() || times_.over(server_.timers().now()).empty()) return;
        for (const auto& contest : server_.scheduler().statuses()) {
            if (contest.state != State::running && contest.state != State::paused) continue;
            const auto bot = limited_bot(contest, true);
            if (!bot) continue;
            out_of_time_.insert(*bot);
            const auto& id = contest.config->id;
            if (server_.scheduler().games_running(id) == 0) {
                server_.scheduler().orders().abort({id, out_of_time});
            } else if (contest.state == State::running) {
                server_.scheduler().orders().pause({id, out_of_time});
            }
        }
    }

    void end_its_test(const std::string& tournament) {
        const auto contest = server_.scheduler().status_of(tournament);
        if (!contest || contest->over || !formats::sequential_test(contest->config->format)) return;
        server_.scheduler().orders().abort({tournament, withdrawn_reason});
    }

    // No other game begins: the scheduler looks for one only when it has told of this game.
    void end_what_is_unanswered(const GameResult& game) {
        if (!counts(game.status)) return;
        const auto& id = game.key.tournament;
        for (const auto& bot : game.bots) {
            if (!options_.time_limits.contains(bot)) continue;
            auto& in_a_row = options_.unanswered[id];
            in_a_row = ended_unanswered(game, bot) ? in_a_row + 1 : 0;
            const auto contest = server_.scheduler().status_of(id);
            if (in_a_row < unanswered_max || !contest || contest->over) continue;
            const bool is_last = !formats::sequential_test(contest->config->format) &&
                                 game.key.number == contest->config->match.games;
            if (is_last) continue;  // there is no rest
            server_.scheduler().orders().abort({id, unanswered_reason});
        }
    }

    // The bots that can't be launched and that the run doesn't go on without.
    std::vector<supply::LaunchedBots::NeverStarted> indispensable() const {
        auto found = server_.launches().bots().never_started();
        std::erase_if(found, [this](const auto& never) {
            return (never.by_its_command || never.by_the_sandbox) &&
                   options_.dispensable.contains(never.bot);
        });
        return found;
    }

    void tell_beginning() {
        if (options_.shown != Shown::everything) return;
        progress_.say("listening on " + server_.ports().endpoint() + ", writing to " +
                      options_.out);
        if (const auto address = server_.ports().tls_address(); !address.empty())
            progress_.say("bots dial in by TLS at " + address);
        for (const auto& note : server_.recovery().notes) progress_.say("note: " + note);
        if (!server_.recovery().went_on) return;
        for (const auto& contest : server_.scheduler().statuses()) {
            progress_.say(fmt::format("tournament {} goes on: {} matches are played already",
                                      contest.config->id, contest.matches_played));
        }
    }

    // How the kernel prefers the referee, and in which sandbox its bots run.
    void tell_standing() {
        progress_.say(server_.priority().text());
        if (const auto sandbox = server_.launches().sandbox(); sandbox && !sandbox->warned)
            progress_.say(sandbox->text);
    }

    void tell_stopping(const std::string& signal) {
        const auto running = server_.scheduler().games_running();
        const auto grace =
            std::chrono::duration_cast<std::chrono::seconds>(server_.config().grace).count();
        progress_.say("stopping because of " + signal +
                      (running > 0 ? fmt::format(": games that run may end within {} s; once more "
                                                 "to stop at once",
                                                 grace)
                                   : std::string()));
    }

    void tick() {
        const auto now = server_.timers().now();
        end_what_is_out_of_time();
        if (shows_progress()) progress_.tick(server_.scheduler(), now);
        tick_ =
            server_.timers().schedule(server_.timers().now() + progress_every, [this] { tick(); });
    }

    void ended(const scheduler::SchedulerEnding& ending) {
        using Kind = scheduler::SchedulerEnding::Kind;
        const bool finished = ending.kind == Kind::finished;
        switch (ending.kind) {
            case Kind::finished:
                if (!indispensable().empty()) ending_ = {exit_trouble, describe_never_started()};
                break;
            case Kind::stopped:
                if (signal_.empty()) {
                    ending_ = {exit_trouble,
                               no_room_.empty() ? describe_never_started() : no_room_};
                    break;
                }
                ending_ = {signal_ == "SIGINT" ? exit_interrupt : exit_terminate,
                           "stopped before the end" +
                               then("; nothing that was played is lost. To go on:")};
                break;
            case Kind::set_aside:
                ending_ = {exit_trouble,
                           ending.message + then("\nWhen the machine is calm, go on with:")};
                break;
            case Kind::not_recorded:
                ending_ = {exit_trouble, ending.message};
                break;
        }
        over_at_ = server_.timers().now();
        for (const auto& never : server_.launches().bots().never_started())
            ending_.never_started.emplace(never.bot, never);
        ending_.spans = times_.spans();
        ending_.out_of_time = out_of_time_;
        server_.timers().cancel(tick_);
        server_.close(finished ? protocol::ByeReason::finished : protocol::ByeReason::shutdown,
                      finished ? "the tournament is over" : "the referee stops",
                      [this] { closed(); });
    }

    // What goes on, behind these words; nothing where nothing is kept.
    std::string then(const std::string& words) const {
        return options_.resume.empty() ? std::string() : words + "\n  " + options_.resume;
    }

    std::string describe_never_started() const {
        std::map<std::string, std::vector<std::string>> alike;  // names by what is told of them
        for (const auto& never : indispensable()) alike[never.why].push_back(never.bot);
        std::string text;
        for (const auto& [why, names] : alike)
            text +=
                (text.empty() ? "" : "\n") + base::names_in(names) + " can't be launched: " + why;
        return text + then("\nWhen that is mended, go on with:");
    }

    // Such a game is played again by itself, so there is nothing to be done while the run goes on.
    void tell_annulled() {
        if (options_.shown != Shown::trouble || annulled_ == 0) return;
        progress_.say(base::counted(annulled_, "game was", "games were") +
                      " annulled, to be played again; the last: " + last_annulled_);
    }

    void closed() {
        progress_.finish();
        if (shows_progress()) progress_.tell_end(server_.scheduler(), over_at_);
        tell_standings();
        tell_annulled();
        if (server_.publisher().lacks_files() && ending_.status == exit_done) {
            ending_.status = exit_trouble;
            ending_.message = "files are missing: the log says which, and why" +
                              then(". When that is mended, this writes them:");
        }
        server_.timers().cancel(tick_);
        server_.loop().stop();
    }

    void tell_standings() {
        if (options_.shown != Shown::everything) return;
        for (const auto& contest : server_.scheduler().statuses()) {
            const auto folder = server_.folder().folder_of(contest.config->id);
            const auto told = report::standings_of(
                report::ledger_of(server_.scheduler().contest(contest.config->id).snapshot()));
            screen_ << '\n'
                    << (options_.statistics ? told.statistics : told.text)
                    << "\nstandings: " << folder << "/standings.json, .csv, .txt\n"
                    << "replays:   " << folder << "/games/*.ndjson\n";
        }
        screen_ << std::flush;
    }

    RunOptions options_;
    std::ostream& screen_;
    server::Server server_;
    BotTimes times_;
    std::set<std::string> out_of_time_;
    RunScreen progress_;
    bool waits_for_calm_ = false;
    loop::Timers::Id tick_ = 0;
    Instant over_at_{};
    std::string signal_;          // that stopped it; empty: none did
    std::uint64_t annulled_ = 0;  // games
    std::string last_annulled_;
    std::string no_room_;  // where that ended it
    RunEnding ending_;
};

// Names that no bot has, as a sentence with the names that there are; empty where there are none.
std::string unknown_among(const config::Config& config, const std::vector<std::string>& names) {
    for (const auto& name : names) {
        if (!base::contains(config.bots, name, &config::BotConfig::name))
            return "--fail-on-forfeits: no bot of the config has the name \"" + name +
                   "\"; expected one of " +
                   base::joined(config.bots, ", ", &config::BotConfig::name);
    }
    return {};
}

}  // namespace

RunEnding run_tournaments(const config::Config& config, const RunOptions& options,
                          std::ostream& screen) {
    if (auto unknown = unknown_among(config, options.fail_on_forfeits); !unknown.empty())
        return {exit_bad_input, std::move(unknown)};
    for (const auto& tournament : config.tournaments) {
        const bool ladder = !formats::traits_of(tournament.format).ends;
        if (!ladder && !tournament.starts_by_order) continue;
        return {exit_bad_input, "tournament " + tournament.id +
                                    (ladder ? " is a ladder, which has no end"
                                            : " begins by an order or at a time") +
                                    ": it is for `referee serve`"};
    }
    auto ending = Run(config, options, screen).play();
    if (ending.status != exit_done) return ending;
    auto verdict = judged_by_forfeits(options.out + "/" + std::string(store::name_in_output_folder),
                                      options.fail_on_forfeits);
    if (verdict.status == exit_trouble) return {exit_trouble, std::move(verdict.message)};
    ending.status = verdict.status;
    ending.message = std::move(verdict.message);
    return ending;
}

}  // namespace referee::run
