#include "referee/launch/supply/launched_bots.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/net/transport/transports.h"
#include "referee/tournament/scheduler/waits.h"

namespace referee::supply {
namespace {

// A bot that could not be launched, or died at once, is launched again after this pause, but only
// so many times. Then it counts as away, like a bot that does not dial in.
constexpr Duration launch_pause = std::chrono::seconds(2);
constexpr unsigned launches_failed_max = 3;
// How long a bot's process may stay after its connection has ended, so that its exit can be seen.
constexpr Duration last_words = std::chrono::milliseconds(300);
// Between two looks at how long a start has waited for a core, as who ends takes its waits along.
// A look takes longer the more threads the bot has.
constexpr Duration look_least = std::chrono::milliseconds(100);
constexpr int looks_in_a_start = 50;

// What is repeated is told seldom.
void tell(const LaunchedBots::OnTrouble& on_trouble, RunningBot& running, const std::string& what,
          const std::string& details) {
    const auto words = running.told.once(what, details);
    if (words) on_trouble(running.config.name, *words);
}

}  // namespace

LaunchedBots::LaunchedBots(std::string dial_in_address,
                           const std::map<std::string, std::string>& tokens, lobby::Lobby& lobby,
                           loop::Timers& timers, boost::asio::any_io_executor executor,
                           loop::Background& reading, OnTrouble on_trouble, OnRemark on_remark)
    : dial_in_address_(std::move(dial_in_address)),
      tokens_(tokens),
      lobby_(lobby),
      timers_(timers),
      executor_(std::move(executor)),
      on_trouble_(std::move(on_trouble)),
      on_remark_(std::move(on_remark)),
      programs_(reading, on_trouble_) {}

LaunchedBots::~LaunchedBots() {
    release_all();
}

void LaunchedBots::launch_by(std::unique_ptr<process::Launcher> launcher) {
    REFEREE_ASSERT(launcher_ == nullptr && launcher != nullptr);
    launcher_ = std::move(launcher);
    if (launcher_->accounting() != process::Accounting::proc) return;
    on_remark_(
        "this machine has neither control groups that the referee may use nor lists of a process' "
        "children: what a launched bot waits for a processor counts as thinking, as the referee "
        "can't tell the two apart. Where other programs want the processors too, expected a clock "
        "that measures \"cpu\", or a control group of its own, as `systemd-run --user --scope -p "
        "Delegate=yes referee ...` gives it");
}

void LaunchedBots::know(const config::BotConfig& bot) {
    REFEREE_ASSERT(launcher_ != nullptr);
    auto& known = bots_[bot.name];
    if (known == nullptr) known = std::make_unique<RunningBot>(bot, lobby_.bot(bot.name));
    known->config = bot;
    known->retired = false;
    known->unseen.clear();
    if (known->failed <= launches_failed_max) return;
    known->failed = 0;
    known->started = false;
    known->start_ends.reset();
}

std::vector<LaunchedBots::NeverStarted> LaunchedBots::never_started() const {
    std::vector<NeverStarted> found;
    for (const auto& [name, running] : bots_) {
        if (has_never_started(name))
            found.push_back(
                {name, running->absence.cause, running->command_refused, !running->unseen.empty()});
    }
    return found;
}

bool LaunchedBots::has_never_started(std::string_view bot) const {
    const auto found = bots_.find(bot);
    if (found == bots_.end()) return false;
    const auto& running = *found->second;
    return !running.unseen.empty() || (!running.started && running.failed > 0);
}

RunningBot* LaunchedBots::running(const lobby::Bot& bot) const {
    const auto found = bots_.find(bot.name());
    return found == bots_.end() ? nullptr : found->second.get();
}

bool LaunchedBots::launches(const lobby::Bot& bot) const {
    const auto* found = running(bot);
    return found != nullptr && !found->retired;
}

bool LaunchedBots::is_given_up(const RunningBot& running) {
    return running.failed > launches_failed_max && !running.is_leaving();
}

std::vector<std::string> LaunchedBots::given_up() const {
    // By how many launches failed, and why the last.
    std::map<std::pair<unsigned, std::string>, std::vector<std::string>> alike;
    for (const auto& [name, running] : bots_)
        if (is_given_up(*running)) alike[{running->failed, running->absence.cause}].push_back(name);
    std::vector<std::string> found;
    for (const auto& [why, names] : alike)
        found.push_back(
            fmt::format("{}{} not launched again, for {} launches have failed or ended early{}",
                        scheduler::names_in(names), names.size() == 1 ? " is" : " are", why.first,
                        why.second.empty() ? "" : "; the last: " + why.second));
    return found;
}

std::optional<play::Absence> LaunchedBots::given_up_because(std::string_view bot) const {
    const auto found = bots_.find(bot);
    if (found == bots_.end() || !is_given_up(*found->second)) return std::nullopt;
    return found->second->absence;
}

scheduler::BotSupply::Coming LaunchedBots::coming(const lobby::Bot& bot) const {
    const auto* found = running(bot);
    if (found == nullptr || found->retired) return {};
    Coming coming{found->start_ends, found->absence, "is being launched", found->failed > 0};
    if (found->failed == 0) return coming;
    const bool given_up = is_given_up(*found);
    coming.given_up = given_up;
    if (given_up) coming.until.reset();
    coming.launch = std::string(given_up ? "is not launched again: " : "is launched again: ") +
                    base::counted(found->failed, "launch of it has", "launches of it have") +
                    " failed or ended early";
    return coming;
}

std::optional<Duration> LaunchedBots::login_time_max() const {
    std::optional<Duration> longest;
    for (const auto& [name, running] : bots_) {
        const auto* starting = running->starting();
        if (starting == nullptr || starting->timer == 0) continue;
        if (running->config.speaks != config::Speaks::tcp) continue;
        longest = std::max(running->config.start_within,
                           longest.value_or(protocol::limits::login_time_max));
    }
    return longest;
}

void LaunchedBots::turned_away(lobby::Bot& bot, const protocol::ProtocolError& error) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    const bool is_of_login = refuses_login(error);
    (is_of_login ? found->refused : found->misread) = told_of(error);
    const bool may_mend_it = is_of_login && found->config.speaks == config::Speaks::stdio;
    if (auto* starting = found->starting(); may_mend_it && starting != nullptr)
        starting->refused = timers_.now();
}

void LaunchedBots::want(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr || found->retired) return;
    auto& running = *found;
    if (auto* its = running.launched(); its != nullptr && its->leaving) its->leaving->wanted = true;
    const bool given_up = running.failed > launches_failed_max;
    if (given_up || !std::holds_alternative<RunningBot::Away>(running.phase)) return;
    if (timers_.now() >= running.not_before) {
        launch(running);
        return;
    }
    const auto timer = timers_.schedule(running.not_before, [this, &running] {
        running.phase = RunningBot::Away{};
        want(running.place);
    });
    running.phase = RunningBot::Pausing{timer};
}

void LaunchedBots::launch(RunningBot& running) {
    running.phase = RunningBot::Launching{dial_in_address_};
    running.outdated = false;
    running.refused.clear();
    running.misread.clear();
    running.met_told.clear();
    const auto now = timers_.now();
    running.not_before = now + launch_pause;
    // Added is a time in which a bot that fails can still say why.
    if (!running.start_ends) running.start_ends = now + running.config.start_within + last_words;
    const auto spec =
        launch_spec_of(running.config, {tokens_.at(running.config.name), dial_in_address_,
                                        process::program_search_path(), launcher_->sandbox().tier});
    programs_.launch(*launcher_, running.config, spec, [this, &running](auto result, auto program) {
        running.its_program = std::move(program);
        launched(running, std::move(result));
    });
}

void LaunchedBots::launched(RunningBot& running, process::LaunchResult result) {
    const auto& launching = std::get<RunningBot::Launching>(running.phase);
    const auto dial_in_address = launching.dial_in_address;
    running.phase = RunningBot::Away{};
    if (!result) {
        ++running.failed;
        running.absence = {result.error().message, {}};
        running.command_refused = process::is_of_the_command(result.error().kind);
        tell(on_trouble_, running, "its launch has failed", ": " + result.error().message);
        tell_given_up(running);
        want(running.place);  // after a pause, until it is given up
        return;
    }
    running.started = true;
    auto process = *std::move(result);
    const bool dials_in = running.config.speaks == config::Speaks::tcp;
    const bool misdirected = dials_in && dial_in_address != dial_in_address_;
    if (running.outdated || running.retired || misdirected) {
        process.reset();
        start_again(running);
        return;
    }
    process->on_exit(
        [this, &running](const process::ExitStatus& status) { ended(running, status); });
    process->on_error_text([this, &running](std::string_view text) {
        if (on_printed_) on_printed_(running.config.name, text);
    });
    if (!dials_in) {
        tell_no_socket(*process);
        auto to_bot = process->take_input();
        auto from_bot = process->take_output();
        lobby_.admit(std::make_unique<transport::PipeTransport>(
                         executor_, from_bot.release(), to_bot.release(),
                         "process " + std::to_string(process->pid())),
                     {running.config.start_within, running.config.name});
    }
    auto door =
        BotListener::open(process->take_door(), lobby_, executor_,
                          {running.config.name, [this] { return login_time_max(); }, on_remark_,
                           [&running](const std::string& why) { running.refused = why; }});
    running.phase = RunningBot::Launched{
        std::move(process), std::move(door), RunningBot::Starting{0, timers_.now(), {}}, {}};
    running.place.set_process(&running);
    await_login(running);
}

// What it waits for a core is no time of its own: that others keep the machine busy costs no bot
// its games.
void LaunchedBots::await_login(RunningBot& running) {
    auto& starting = *running.starting();
    const auto now = timers_.now();
    starting.waited = std::max(starting.waited, running.core_wait_max(now - starting.began));
    const auto ends = starting.ends(running.config.start_within);
    if (ends <= now) {
        too_slow(running);
        return;
    }
    if (running.failed == 0) running.start_ends = ends + last_words;
    const auto look = now + std::max(look_least, running.config.start_within / looks_in_a_start);
    starting.timer =
        timers_.schedule(std::min(ends, look), [this, &running] { await_login(running); });
}

void LaunchedBots::tell_no_socket(const process::LaunchedBot& process) {
    if (process.no_socket().empty() || std::exchange(no_socket_told_, true)) return;
    on_remark_(
        "the standard output of launched bots is a pipe and no socket, so the referee stamps their "
        "answers when it reads them, and not the kernel when they are written: " +
        process.no_socket());
}

void LaunchedBots::arrived(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    if (const auto* starting = found->starting()) timers_.cancel(starting->timer);
    if (auto* its = found->launched()) its->login = RunningBot::Here{};
    found->came = true;
    found->unseen.clear();
    found->start_ends.reset();
    found->absence = {};
    found->command_refused = false;
}

// The bot gets a moment before it is released: it may still print something when its connection is
// closed.
void LaunchedBots::too_slow(RunningBot& running) {
    auto& launched = *running.launched();
    const auto tail = launched.process->error_tail();
    const auto cause = running.starting()->refused
                           ? "its login was refused, and it brought no other one"
                           : "it did not log in within " + text_of(running.config.start_within) +
                                 " of its launch (\"start_within\")";
    launched.login = RunningBot::TooSlow{};
    running.absence = {with_hint(cause, running.hint()), evidence_of(running.exited(), tail)};
    const std::string expected = running.config.speaks == config::Speaks::tcp
                                     ? "; expected a login over TCP, at REFEREE_ADDRESS"
                                     : "; expected a login on its standard output";
    tell(on_trouble_, running, cause, with_hint(expected + printed(tail), running.hint()));
    leave(running);
}

void LaunchedBots::ended(RunningBot& running, const process::ExitStatus& status) {
    auto& launched = *running.launched();
    const auto tail = launched.process->error_tail();
    const std::string when =
        launched.came() ? "its process has ended: " : "its process ended before it logged in: ";
    const auto cause = when + status.text();
    if (auto* starting = running.starting()) timers_.cancel(std::exchange(starting->timer, 0));
    if (!launched.came() && launched.process->tier() > sandbox::Tier::none)
        running.unseen = unseen_in_sandbox(running.config, process::program_search_path());
    // Its last word found nobody: with no game and no connection left, that is no news.
    const bool was_dismissed = launched.came() && !running.place.connected() &&
                               running.place.places().empty() && died_of_closed_pipe(status, tail);
    if (!std::holds_alternative<RunningBot::TooSlow>(launched.login) && !was_dismissed) {
        running.absence = {with_hint(cause, running.hint()), evidence_of(running.exited(), tail)};
        tell(on_trouble_, running, cause, with_hint(printed(tail), running.hint()));
    }
    if (!running.place.connected()) leave(running);
}

void LaunchedBots::game_over(lobby::Bot& bot, bool match_over) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    auto& running = *found;
    const auto* launched = running.launched();
    // A bot may get by without what it was refused: then no fault has told of it.
    const auto met = launched == nullptr ? std::string() : running.met();
    if (std::exchange(running.met_told, met) != met && !met.empty())
        on_trouble_(running.config.name, "in its last game it met a limit: " + met);
    // A game is also over when the bot forfeits it because it never came: then its launches still
    // count.
    const bool here = launched != nullptr && launched->came();
    if (std::exchange(running.came, here)) running.failed = 0;
    running.mid_match = !match_over;
    const auto life = running.config.lifetime;
    const bool over = life == config::Lifetime::game ||
                      ((life == config::Lifetime::match || running.outdated) && match_over);
    if (!over || !bot.places().empty() || running.is_awaited()) return;
    running.not_before = {};  // nothing went wrong, so its next game need not wait
    release(running);
}

void LaunchedBots::left(lobby::Bot& bot) {
    if (auto* const found = running(bot); found != nullptr) leave(*found);
}

void LaunchedBots::leave(RunningBot& running) {
    auto* const launched = running.launched();
    if (launched == nullptr || launched->leaving) return;
    ++running.failed;
    const auto timer = timers_.schedule(timers_.now() + last_words, [this, &running] {
        const bool wanted = std::exchange(running.launched()->leaving, std::nullopt)->wanted;
        if (running.place.connected()) return;
        release(running);
        tell_given_up(running);
        if (wanted) want(running.place);
    });
    // A bot that never came is still waited for, so it is wanted.
    launched->leaving = {timer, !launched->came()};
}

// Called after each failure; once it is the last one.
void LaunchedBots::tell_given_up(const RunningBot& running) {
    if (running.failed != launches_failed_max + 1) return;
    on_trouble_(
        running.config.name,
        fmt::format("GIVEN UP: it is not launched again, because {} launches of it have failed or "
                    "ended early{}. Where its tournament goes on, it forfeits the games that it is "
                    "drawn for. Expected a program that starts and stays; mend it, and with a "
                    "daemon say 'referee ctl reload', which launches it anew",
                    running.failed,
                    running.absence.cause.empty() ? std::string()
                                                  : ", the last: " + running.absence.cause));
    if (on_given_up_) on_given_up_(running.config.name);
}

void LaunchedBots::release(RunningBot& running) {
    if (const auto* pausing = std::get_if<RunningBot::Pausing>(&running.phase))
        timers_.cancel(pausing->timer);
    if (const auto* starting = running.starting()) timers_.cancel(starting->timer);
    if (const auto* its = running.launched(); its != nullptr && its->leaving)
        timers_.cancel(its->leaving->timer);
    running.place.set_process(nullptr);
    // A bot that is just being launched stays in that phase: the result of its launch will still
    // come.
    if (!std::holds_alternative<RunningBot::Launching>(running.phase))
        running.phase = RunningBot::Away{};
    if (auto* session = running.place.session(); session != nullptr)
        session->close(session::CloseCause::released);
}

void LaunchedBots::release_all() {
    for (auto& [name, running] : bots_) release(*running);
}

}  // namespace referee::supply
