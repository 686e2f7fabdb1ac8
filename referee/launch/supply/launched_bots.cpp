#include "referee/launch/supply/launched_bots.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/net/transport/transports.h"

namespace referee::supply {
namespace {

// Between two looks at how long a start has waited for a core, as who ends takes its waits along.
// A look takes longer the more threads the bot has.
constexpr Duration look_least = std::chrono::milliseconds(100);
constexpr int looks_in_a_start = 50;

// What is repeated is told seldom.
void tell(const LaunchedBots::Calls& calls, LaunchedBot& bot, const std::string& what,
          const std::string& details) {
    if (const auto words = bot.told.once(what, details)) calls.on_trouble(bot.config.name, *words);
}

}  // namespace

LaunchedBots::LaunchedBots(Context context, Calls calls)
    : context_(std::move(context)),
      calls_(std::move(calls)),
      programs_(context_.reading, calls_.on_trouble) {}

LaunchedBots::~LaunchedBots() {
    release_all();
}

void LaunchedBots::launch_by(std::unique_ptr<process::Launcher> launcher) {
    REFEREE_ASSERT(launcher_ == nullptr && launcher != nullptr);
    launcher_ = std::move(launcher);
    if (launcher_->accounting() != process::Accounting::proc) return;
    calls_.on_remark(
        "this machine has neither control groups that the referee may use nor lists of a process' "
        "children: what a launched bot waits for a processor counts as thinking, as the referee "
        "can't tell the two apart. Where other programs want the processors too, expected a clock "
        "that measures \"cpu\", or a control group of its own, as `systemd-run --user --scope -p "
        "Delegate=yes referee ...` gives it");
}

void LaunchedBots::know(const config::BotConfig& bot) {
    REFEREE_ASSERT(launcher_ != nullptr);
    auto& its = bots_[bot.name];
    if (its == nullptr) its = std::make_unique<LaunchedBot>(bot, context_.lobby.bot(bot.name));
    its->know(bot);
}

std::vector<LaunchedBots::NeverStarted> LaunchedBots::never_started() const {
    std::vector<NeverStarted> found;
    for (const auto& [name, bot] : bots_) {
        if (bot->has_never_started())
            found.push_back({name, bot->absence.cause, bot->command_refused, !bot->unseen.empty()});
    }
    return found;
}

bool LaunchedBots::has_never_started(std::string_view bot) const {
    const auto* found = known(bot);
    return found != nullptr && found->has_never_started();
}

LaunchedBot* LaunchedBots::known(std::string_view bot) const {
    const auto found = bots_.find(bot);
    return found == bots_.end() ? nullptr : found->second.get();
}

bool LaunchedBots::launches(const lobby::Bot& bot) const {
    const auto* found = known(bot);
    return found != nullptr && !found->retired;
}

bool LaunchedBots::fails_by_machine(std::string_view bot) const {
    const auto* found = known(bot);
    return found != nullptr && found->machine_failed;
}

std::vector<std::string> LaunchedBots::given_up() const {
    // By how many launches failed, and why the last.
    std::map<std::pair<unsigned, std::string>, std::vector<std::string>> alike;
    for (const auto& [name, bot] : bots_)
        if (bot->is_given_up()) alike[{bot->failed, bot->absence.cause}].push_back(name);
    std::vector<std::string> found;
    for (const auto& [why, names] : alike)
        found.push_back(
            fmt::format("{}{} not launched again, for {} launches have failed or ended early{}",
                        base::names_in(names), names.size() == 1 ? " is" : " are", why.first,
                        why.second.empty() ? "" : "; the last: " + why.second));
    return found;
}

std::optional<play::Absence> LaunchedBots::given_up_because(std::string_view bot) const {
    const auto* found = known(bot);
    if (found == nullptr || !found->is_given_up()) return std::nullopt;
    return found->absence;
}

scheduler::BotSupply::Coming LaunchedBots::coming(const lobby::Bot& bot) const {
    const auto* found = known(bot);
    return found == nullptr ? Coming{} : found->coming();
}

std::optional<Duration> LaunchedBots::login_time_max() const {
    std::optional<Duration> longest;
    for (const auto& [name, bot] : bots_) {
        if (bot->dials_in_now())
            longest = std::max(bot->config.start_within,
                               longest.value_or(protocol::limits::login_time_max));
    }
    return longest;
}

void LaunchedBots::turned_away(lobby::Bot& bot, const protocol::ProtocolError& error) {
    if (auto* const found = known(bot)) found->turned_away(error, context_.timers.now());
}

void LaunchedBots::want(lobby::Bot& place) {
    auto* const found = known(place);
    if (found == nullptr || found->retired) return;
    auto& bot = *found;
    if (auto* its = bot.running(); its != nullptr && its->leaving) its->leaving->wanted = true;
    const bool given_up = bot.failed > LaunchedBot::launches_failed_max;
    if (given_up || !std::holds_alternative<LaunchedBot::Away>(bot.phase)) return;
    if (context_.timers.now() >= bot.not_before) return launch(bot);
    const auto timer = context_.timers.schedule(bot.not_before, [this, &bot] {
        bot.phase = LaunchedBot::Away{};
        want(bot.place);
    });
    bot.phase = LaunchedBot::Pausing{timer};
}

void LaunchedBots::launch(LaunchedBot& bot) {
    bot.begin_launch(dial_in_address_, context_.timers.now());
    const auto spec =
        launch_spec_of(bot.config, {context_.tokens.at(bot.config.name), dial_in_address_,
                                    process::program_search_path(), launcher_->sandbox().tier});
    programs_.launch(*launcher_, bot.config, spec, [this, &bot](auto result, auto program) {
        bot.its_program = std::move(program);
        launched(bot, std::move(result));
    });
}

void LaunchedBots::launched(LaunchedBot& bot, process::LaunchResult result) {
    const auto told_address = std::get<LaunchedBot::Launching>(bot.phase).dial_in_address;
    bot.phase = LaunchedBot::Away{};
    bot.machine_failed = !result && !result.error().is_of_the_command();
    if (!result) {
        ++bot.failed;
        bot.absence = {result.error().message, {}};
        bot.command_refused = !bot.machine_failed;
        tell(calls_, bot, "its launch has failed", ": " + result.error().message);
        tell_given_up(bot);
        want(bot.place);  // after a pause, until it is given up
        return;
    }
    bot.started = true;
    auto process = *std::move(result);
    const bool dials_in = bot.config.speaks == config::Speaks::tcp;
    const bool misdirected = dials_in && told_address != dial_in_address_;
    if (bot.outdated || bot.retired || misdirected) {
        process.reset();
        start_again(bot);
        return;
    }
    process->on_exit([this, &bot](const process::ExitStatus& status) { ended(bot, status); });
    process->on_error_text([this, &bot](std::string_view text) {
        if (calls_.on_printed) calls_.on_printed(bot.config.name, text);
    });
    if (!dials_in) {
        tell_no_socket(*process);
        auto to_bot = process->take_input();
        auto from_bot = process->take_output();
        context_.lobby.admit(std::make_unique<transport::PipeTransport>(
                                 context_.executor, from_bot.release(), to_bot.release(),
                                 "process " + std::to_string(process->pid())),
                             {bot.config.start_within, bot.config.name});
    }
    auto listener =
        BotListener::open(process->take_listener(), context_.lobby, context_.executor,
                          {bot.config.name, [this] { return login_time_max(); }, calls_.on_remark,
                           [&bot](const std::string& why) { bot.refused = why; }});
    bot.phase = LaunchedBot::Running{std::move(process),
                                     std::move(listener),
                                     LaunchedBot::Starting{0, context_.timers.now(), {}},
                                     {}};
    bot.place.set_process(&bot);
    await_login(bot);
}

// What it waits for a core is no time of its own: that others keep the machine busy costs no bot
// its games.
void LaunchedBots::await_login(LaunchedBot& bot) {
    auto& starting = *bot.starting();
    const auto now = context_.timers.now();
    starting.waited = std::max(starting.waited, bot.core_wait_max(now - starting.began));
    const auto ends = starting.ends(bot.config.start_within);
    if (ends <= now) {
        too_slow(bot);
        return;
    }
    if (bot.failed == 0) bot.start_ends = ends + LaunchedBot::last_words;
    const auto look = now + std::max(look_least, bot.config.start_within / looks_in_a_start);
    starting.timer =
        context_.timers.schedule(std::min(ends, look), [this, &bot] { await_login(bot); });
}

void LaunchedBots::tell_no_socket(const process::BotProcess& process) {
    if (process.no_socket().empty() || std::exchange(no_socket_told_, true)) return;
    calls_.on_remark(
        "the standard output of launched bots is a pipe and no socket, so the referee stamps their "
        "answers when it reads them, and not the kernel when they are written: " +
        process.no_socket());
}

void LaunchedBots::arrived(lobby::Bot& bot) {
    if (auto* const found = known(bot)) found->arrived(context_.timers);
}

// The bot gets a moment before it is released: it may still print something when its connection is
// closed.
void LaunchedBots::too_slow(LaunchedBot& bot) {
    auto& running = *bot.running();
    const auto tail = running.process->error_tail();
    std::string cause = "its login was refused, and it brought no other one";
    if (!bot.starting()->refused) {
        const bool silent = bot.config.speaks == config::Speaks::stdio && bot.hint().empty();
        cause = fmt::format("it did not log in within {} of its launch (\"start_within\"){}",
                            round_time(bot.config.start_within),
                            silent ? "; perhaps it doesn't flush its output" : "");
    }
    running.login = LaunchedBot::TooSlow{};
    bot.absence = {with_hint(cause, bot.hint()), evidence_of(bot.exited(), tail)};
    const std::string expected = bot.config.speaks == config::Speaks::tcp
                                     ? "; expected a login over TCP, at REFEREE_ADDRESS"
                                     : "; expected a login on its standard output";
    tell(calls_, bot, cause, with_hint(expected + printed_tail(tail), bot.hint()));
    leave(bot);
}

void LaunchedBots::ended(LaunchedBot& bot, const process::ExitStatus& status) {
    auto& running = *bot.running();
    const auto tail = running.process->error_tail();
    const std::string when(running.came() ? "its process has ended: "
                                          : fault_words::ended_before_login);
    const auto cause = when + status.text();
    if (auto* starting = bot.starting()) context_.timers.cancel(std::exchange(starting->timer, 0));
    if (!running.came() && running.process->tier() > sandbox::Tier::none)
        bot.unseen = unseen_in_sandbox(bot.config, process::program_search_path());
    // Its last word found nobody: with no game and no connection left, that is no news.
    const bool was_dismissed = running.came() && !bot.place.connected() &&
                               bot.place.places().empty() && died_of_closed_pipe(status, tail);
    if (!std::holds_alternative<LaunchedBot::TooSlow>(running.login) && !was_dismissed) {
        bot.absence = {with_hint(cause, bot.hint()), evidence_of(bot.exited(), tail)};
        tell(calls_, bot, cause, with_hint(printed_tail(tail), bot.hint()));
    }
    if (!bot.place.connected()) leave(bot);
}

void LaunchedBots::game_over(lobby::Bot& place, bool match_over) {
    auto* const found = known(place);
    if (found == nullptr) return;
    auto& bot = *found;
    const auto* running = bot.running();
    // A bot may get by without what it was refused: then no fault has told of it.
    const auto met = running == nullptr ? std::string() : bot.met();
    if (std::exchange(bot.met_told, met) != met && !met.empty())
        calls_.on_trouble(bot.config.name, "in its last game it met a limit: " + met);
    // A game is also over when the bot forfeits it because it never came: then its launches still
    // count.
    const bool here = running != nullptr && running->came();
    if (std::exchange(bot.came, here)) bot.failed = 0;
    bot.mid_match = !match_over;
    const auto life = bot.config.lifetime;
    const bool over = life == config::Lifetime::game ||
                      ((life == config::Lifetime::match || bot.outdated) && match_over);
    if (!over || !place.places().empty() || bot.is_awaited()) return;
    bot.not_before = {};  // nothing went wrong, so its next game need not wait
    bot.release(context_.timers);
}

void LaunchedBots::left(lobby::Bot& bot) {
    if (auto* const found = known(bot); found != nullptr) leave(*found);
}

void LaunchedBots::leave(LaunchedBot& bot) {
    auto* const running = bot.running();
    if (running == nullptr || running->leaving) return;
    ++bot.failed;
    const auto timer =
        context_.timers.schedule(context_.timers.now() + LaunchedBot::last_words, [this, &bot] {
            const bool wanted = std::exchange(bot.running()->leaving, std::nullopt)->wanted;
            if (bot.place.connected()) return;
            bot.release(context_.timers);
            tell_given_up(bot);
            if (wanted) want(bot.place);
        });
    // A bot that never came is still waited for, so it is wanted.
    running->leaving = {timer, !running->came()};
}

// Called after each failure; once it is the last one.
void LaunchedBots::tell_given_up(const LaunchedBot& bot) {
    if (bot.failed != LaunchedBot::launches_failed_max + 1) return;
    calls_.on_trouble(bot.config.name, bot.given_up_text());
    if (calls_.on_given_up) calls_.on_given_up(bot.config.name);
}

// Bots that are launched in another way, or not any more, while the referee runs: none of them is
// taken out of a match.

void LaunchedBots::set_dial_in_address(const std::string& address) {
    if (address == dial_in_address_) return;
    dial_in_address_ = address;
    for (auto& [name, bot] : bots_) {
        if (bot->is_awaited() && bot->config.speaks == config::Speaks::tcp) start_again(*bot);
    }
}

// For a restart that is not the bot's own fault.
void LaunchedBots::start_again(LaunchedBot& bot) {
    bot.release(context_.timers);
    bot.not_before = {};
    bot.start_ends.reset();
    want(bot.place);
}

void LaunchedBots::launch_anew(lobby::Bot& bot) {
    auto* const found = known(bot);
    if (found == nullptr) return;
    const bool launching = std::holds_alternative<LaunchedBot::Launching>(found->phase);
    if (!launching && found->running() == nullptr) return;
    found->outdated = launching || found->is_in_match();
    if (!found->outdated) start_again(*found);
}

bool LaunchedBots::stays(const lobby::Bot& bot) const {
    const auto* found = known(bot);
    return found == nullptr || (found->retired && found->running() == nullptr) ||
           (found->config.lifetime == config::Lifetime::tournament && !found->outdated);
}

bool LaunchedBots::runs_newest(const lobby::Bot& bot) const {
    auto* const found = known(bot);
    return found != nullptr && found->runs_newest();
}

void LaunchedBots::retire(lobby::Bot& bot) {
    auto* const found = known(bot);
    if (found == nullptr) return;
    found->retired = true;
    found->outdated = found->is_in_match();
    if (!found->outdated) found->release(context_.timers);
}

void LaunchedBots::name_programs(const std::vector<std::string>& bots,
                                 ProgramLaunches::OnNamed call) {
    std::vector<config::BotConfig> asked;
    for (const auto& bot : bots) {
        const auto* found = known(bot);
        if (found != nullptr && !found->retired) asked.push_back(found->config);
    }
    programs_.name(asked, std::move(call));
}

void LaunchedBots::leave_for(const std::map<std::string, std::string>& programs) {
    for (const auto& [bot, program] : programs) {
        auto* const found = known(bot);
        if (found != nullptr && found->running() != nullptr &&
            found->its_program.program != program)
            launch_anew(found->place);
    }
}

void LaunchedBots::match_dropped(lobby::Bot& bot) {
    auto* const found = known(bot);
    if (found == nullptr) return;
    found->mid_match = false;
    if (found->running() == nullptr || !std::exchange(found->outdated, false)) return;
    if (found->retired)
        found->release(context_.timers);
    else
        start_again(*found);
}

void LaunchedBots::release_all() {
    for (auto& [name, bot] : bots_) bot->release(context_.timers);
}

}  // namespace referee::supply
