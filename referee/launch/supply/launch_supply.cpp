#include "referee/launch/supply/launch_supply.h"

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

// Between two looks at how long a start has waited for a core, as who ends takes its waits along.
// A look takes longer the more threads the bot has.
constexpr Duration look_least = std::chrono::milliseconds(100);
constexpr int looks_in_a_start = 50;

// What is repeated is told seldom.
void tell(const LaunchSupply::OnTrouble& on_trouble, SuppliedBot& running, const std::string& what,
          const std::string& details) {
    if (const auto words = running.told.once(what, details))
        on_trouble(running.config.name, *words);
}

}  // namespace

LaunchSupply::LaunchSupply(std::string dial_in_address,
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

LaunchSupply::~LaunchSupply() {
    release_all();
}

void LaunchSupply::launch_by(std::unique_ptr<process::Launcher> launcher) {
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

void LaunchSupply::know(const config::BotConfig& bot) {
    REFEREE_ASSERT(launcher_ != nullptr);
    auto& known = bots_[bot.name];
    if (known == nullptr) known = std::make_unique<SuppliedBot>(bot, lobby_.bot(bot.name));
    known->know(bot);
}

std::vector<LaunchSupply::NeverStarted> LaunchSupply::never_started() const {
    std::vector<NeverStarted> found;
    for (const auto& [name, running] : bots_) {
        if (running->has_never_started())
            found.push_back(
                {name, running->absence.cause, running->command_refused, !running->unseen.empty()});
    }
    return found;
}

bool LaunchSupply::has_never_started(std::string_view bot) const {
    const auto* found = running(bot);
    return found != nullptr && found->has_never_started();
}

SuppliedBot* LaunchSupply::running(std::string_view bot) const {
    const auto found = bots_.find(bot);
    return found == bots_.end() ? nullptr : found->second.get();
}

bool LaunchSupply::launches(const lobby::Bot& bot) const {
    const auto* found = running(bot);
    return found != nullptr && !found->retired;
}

std::vector<std::string> LaunchSupply::given_up() const {
    // By how many launches failed, and why the last.
    std::map<std::pair<unsigned, std::string>, std::vector<std::string>> alike;
    for (const auto& [name, running] : bots_)
        if (running->is_given_up())
            alike[{running->failed, running->absence.cause}].push_back(name);
    std::vector<std::string> found;
    for (const auto& [why, names] : alike)
        found.push_back(
            fmt::format("{}{} not launched again, for {} launches have failed or ended early{}",
                        scheduler::names_in(names), names.size() == 1 ? " is" : " are", why.first,
                        why.second.empty() ? "" : "; the last: " + why.second));
    return found;
}

std::optional<play::Absence> LaunchSupply::given_up_because(std::string_view bot) const {
    const auto* found = running(bot);
    if (found == nullptr || !found->is_given_up()) return std::nullopt;
    return found->absence;
}

scheduler::BotSupply::Coming LaunchSupply::coming(const lobby::Bot& bot) const {
    const auto* found = running(bot);
    return found == nullptr ? Coming{} : found->coming();
}

std::optional<Duration> LaunchSupply::login_time_max() const {
    std::optional<Duration> longest;
    for (const auto& [name, running] : bots_) {
        if (running->dials_in_now())
            longest = std::max(running->config.start_within,
                               longest.value_or(protocol::limits::login_time_max));
    }
    return longest;
}

void LaunchSupply::turned_away(lobby::Bot& bot, const protocol::ProtocolError& error) {
    if (auto* const found = running(bot)) found->turned_away(error, timers_.now());
}

void LaunchSupply::want(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr || found->retired) return;
    auto& running = *found;
    if (auto* its = running.launched(); its != nullptr && its->leaving) its->leaving->wanted = true;
    const bool given_up = running.failed > SuppliedBot::launches_failed_max;
    if (given_up || !std::holds_alternative<SuppliedBot::Away>(running.phase)) return;
    if (timers_.now() >= running.not_before) return launch(running);
    const auto timer = timers_.schedule(running.not_before, [this, &running] {
        running.phase = SuppliedBot::Away{};
        want(running.place);
    });
    running.phase = SuppliedBot::Pausing{timer};
}

void LaunchSupply::launch(SuppliedBot& running) {
    running.begin_launch(dial_in_address_, timers_.now());
    const auto spec =
        launch_spec_of(running.config, {tokens_.at(running.config.name), dial_in_address_,
                                        process::program_search_path(), launcher_->sandbox().tier});
    programs_.launch(*launcher_, running.config, spec, [this, &running](auto result, auto program) {
        running.its_program = std::move(program);
        launched(running, std::move(result));
    });
}

void LaunchSupply::launched(SuppliedBot& running, process::LaunchResult result) {
    const auto told_address = std::get<SuppliedBot::Launching>(running.phase).dial_in_address;
    running.phase = SuppliedBot::Away{};
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
    const bool misdirected = dials_in && told_address != dial_in_address_;
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
    running.phase = SuppliedBot::Launched{
        std::move(process), std::move(door), SuppliedBot::Starting{0, timers_.now(), {}}, {}};
    running.place.set_process(&running);
    await_login(running);
}

// What it waits for a core is no time of its own: that others keep the machine busy costs no bot
// its games.
void LaunchSupply::await_login(SuppliedBot& running) {
    auto& starting = *running.starting();
    const auto now = timers_.now();
    starting.waited = std::max(starting.waited, running.core_wait_max(now - starting.began));
    const auto ends = starting.ends(running.config.start_within);
    if (ends <= now) {
        too_slow(running);
        return;
    }
    if (running.failed == 0) running.start_ends = ends + SuppliedBot::last_words;
    const auto look = now + std::max(look_least, running.config.start_within / looks_in_a_start);
    starting.timer =
        timers_.schedule(std::min(ends, look), [this, &running] { await_login(running); });
}

void LaunchSupply::tell_no_socket(const process::LaunchedBot& process) {
    if (process.no_socket().empty() || std::exchange(no_socket_told_, true)) return;
    on_remark_(
        "the standard output of launched bots is a pipe and no socket, so the referee stamps their "
        "answers when it reads them, and not the kernel when they are written: " +
        process.no_socket());
}

void LaunchSupply::arrived(lobby::Bot& bot) {
    if (auto* const found = running(bot)) found->arrived(timers_);
}

// The bot gets a moment before it is released: it may still print something when its connection is
// closed.
void LaunchSupply::too_slow(SuppliedBot& running) {
    auto& launched = *running.launched();
    const auto tail = launched.process->error_tail();
    const auto cause = running.starting()->refused
                           ? "its login was refused, and it brought no other one"
                           : "it did not log in within " + round_time(running.config.start_within) +
                                 " of its launch (\"start_within\")";
    launched.login = SuppliedBot::TooSlow{};
    running.absence = {with_hint(cause, running.hint()), evidence_of(running.exited(), tail)};
    const std::string expected = running.config.speaks == config::Speaks::tcp
                                     ? "; expected a login over TCP, at REFEREE_ADDRESS"
                                     : "; expected a login on its standard output";
    tell(on_trouble_, running, cause, with_hint(expected + printed_tail(tail), running.hint()));
    leave(running);
}

void LaunchSupply::ended(SuppliedBot& running, const process::ExitStatus& status) {
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
    if (!std::holds_alternative<SuppliedBot::TooSlow>(launched.login) && !was_dismissed) {
        running.absence = {with_hint(cause, running.hint()), evidence_of(running.exited(), tail)};
        tell(on_trouble_, running, cause, with_hint(printed_tail(tail), running.hint()));
    }
    if (!running.place.connected()) leave(running);
}

void LaunchSupply::game_over(lobby::Bot& bot, bool match_over) {
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
    running.release(timers_);
}

void LaunchSupply::left(lobby::Bot& bot) {
    if (auto* const found = running(bot); found != nullptr) leave(*found);
}

void LaunchSupply::leave(SuppliedBot& running) {
    auto* const launched = running.launched();
    if (launched == nullptr || launched->leaving) return;
    ++running.failed;
    const auto timer = timers_.schedule(timers_.now() + SuppliedBot::last_words, [this, &running] {
        const bool wanted = std::exchange(running.launched()->leaving, std::nullopt)->wanted;
        if (running.place.connected()) return;
        running.release(timers_);
        tell_given_up(running);
        if (wanted) want(running.place);
    });
    // A bot that never came is still waited for, so it is wanted.
    launched->leaving = {timer, !launched->came()};
}

// Called after each failure; once it is the last one.
void LaunchSupply::tell_given_up(const SuppliedBot& running) {
    if (running.failed != SuppliedBot::launches_failed_max + 1) return;
    on_trouble_(running.config.name, running.given_up_text());
    if (on_given_up_) on_given_up_(running.config.name);
}

// Bots that are launched in another way, or not any more, while the referee runs: none of them is
// taken out of a match.

void LaunchSupply::set_dial_in_address(const std::string& address) {
    if (address == dial_in_address_) return;
    dial_in_address_ = address;
    for (auto& [name, running] : bots_) {
        if (running->is_awaited() && running->config.speaks == config::Speaks::tcp)
            start_again(*running);
    }
}

// For a restart that is not the bot's own fault.
void LaunchSupply::start_again(SuppliedBot& running) {
    running.release(timers_);
    running.not_before = {};
    running.start_ends.reset();
    want(running.place);
}

void LaunchSupply::launch_anew(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    const bool launching = std::holds_alternative<SuppliedBot::Launching>(found->phase);
    if (!launching && found->launched() == nullptr) return;
    found->outdated = launching || found->is_in_match();
    if (!found->outdated) start_again(*found);
}

bool LaunchSupply::stays(const lobby::Bot& bot) const {
    const auto* found = running(bot);
    return found == nullptr || (found->retired && found->launched() == nullptr) ||
           (found->config.lifetime == config::Lifetime::tournament && !found->outdated);
}

bool LaunchSupply::runs_newest(const lobby::Bot& bot) const {
    auto* const found = running(bot);
    return found != nullptr && found->runs_newest();
}

void LaunchSupply::retire(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    found->retired = true;
    found->outdated = found->is_in_match();
    if (!found->outdated) found->release(timers_);
}

void LaunchSupply::name_programs(const std::vector<std::string>& bots,
                                 ProgramLaunches::OnNamed call) {
    std::vector<config::BotConfig> launched;
    for (const auto& bot : bots) {
        const auto* found = running(bot);
        if (found != nullptr && !found->retired) launched.push_back(found->config);
    }
    programs_.name(launched, std::move(call));
}

void LaunchSupply::leave_for(const std::map<std::string, std::string>& programs) {
    for (const auto& [bot, program] : programs) {
        auto* const found = running(bot);
        if (found != nullptr && found->launched() != nullptr &&
            found->its_program.program != program)
            launch_anew(found->place);
    }
}

void LaunchSupply::match_dropped(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    found->mid_match = false;
    if (found->launched() == nullptr || !std::exchange(found->outdated, false)) return;
    if (found->retired)
        found->release(timers_);
    else
        start_again(*found);
}

void LaunchSupply::release_all() {
    for (auto& [name, running] : bots_) running->release(timers_);
}

}  // namespace referee::supply
