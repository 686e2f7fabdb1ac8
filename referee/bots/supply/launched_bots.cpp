#include "referee/bots/supply/launched_bots.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "protocol/base/assertion.h"
#include "referee/bots/launcher/search_path.h"
#include "referee/bots/supply/door.h"
#include "referee/bots/supply/launch_spec_of.h"
#include "referee/bots/supply/trouble_text.h"
#include "referee/connections/net/pipe_transport.h"

namespace referee::supply {
namespace {

// A bot that could not be launched, or died at once, is launched again after this pause, but only
// so many times. Then it counts as away, like a bot that does not dial in.
constexpr Duration launch_pause = std::chrono::seconds(2);
constexpr unsigned launches_failed_max = 3;
// How long a bot's process may stay after its connection has ended, so that its exit can be seen.
constexpr Duration farewell = std::chrono::milliseconds(300);

}  // namespace

// The process that a bot has now, if any, as its games see it.
class LaunchedBots::Running final : public lobby::Process {
 public:
    Running(const config::BotConfig& bot, lobby::Bot& its_place) : config(bot), place(its_place) {}

    std::optional<Duration> cpu_time() override {
        const auto* its = launched();
        if (its == nullptr) return std::nullopt;
        return from_us(static_cast<std::int64_t>(its->process->cpu_time_us()));
    }
    std::string_view cpu_means() const override {
        const auto* its = launched();
        return its == nullptr ? "no process" : launcher::name_of(its->process->accounting());
    }
    void begin_turn() override {
        if (auto* its = launched()) its->process->begin_turn();
    }
    Duration waited_certainly(Duration wall) override {
        auto* its = launched();
        return its == nullptr ? Duration::zero() : its->process->waited_certainly(wall);
    }
    Duration waited_possibly(Duration wall) override {
        auto* its = launched();
        return its == nullptr ? Duration::zero() : its->process->waited_possibly(wall);
    }
    bool freeze() override {
        auto* its = launched();
        return its == nullptr || its->process->freeze() == 0;
    }
    void thaw() override {
        if (auto* its = launched()) its->process->thaw();
    }
    std::optional<bool> freezes_between_turns() const override {
        return config.freeze_between_turns;
    }
    std::optional<Exit> exited() const override {
        const auto* its = launched();
        const auto status = its == nullptr ? std::nullopt : its->process->exit_status();
        if (!status) return std::nullopt;
        Exit exit;
        if (status->how == launcher::ExitStatus::How::exited) exit.status = status->code;
        if (status->how == launcher::ExitStatus::How::signalled) exit.signal = status->code;
        exit.stderr_tail = its->process->error_tail();
        return exit;
    }
    LaunchedProgram program() const override { return its_program; }

    // The phases of a launched bot, in this order; from each of them it may become Away again.
    struct Away {};
    struct Pausing {  // it was wanted before not_before
        runtime::Timers::Id timer;
    };
    struct Launching {
        std::string dial_in_address;
    };
    // How far the bot has come since its launch.
    struct Starting {
        runtime::Timers::Id timer;  // its time to log in; 0 where its process has ended
        Instant ends_at;
    };
    struct TooSlow {};  // it did not log in in time, and that has been told
    struct Here {};
    // The bot is finished, and is released when the timer comes.
    struct Leaving {
        runtime::Timers::Id timer;
        bool wanted;  // whether a game has asked for it meanwhile
    };
    struct Launched {
        std::unique_ptr<launcher::LaunchedBot> process;
        // Where it dials in if it has a network of its own; else null.
        std::unique_ptr<Door> door;
        std::variant<Starting, TooSlow, Here> login;
        std::optional<Leaving> leaving;

        bool came() const { return std::holds_alternative<Here>(login); }
    };

    Launched* launched() { return std::get_if<Launched>(&phase); }
    const Launched* launched() const { return std::get_if<Launched>(&phase); }
    Starting* starting() {
        auto* its = launched();
        return its == nullptr ? nullptr : std::get_if<Starting>(&its->login);
    }
    // Whether its command runs and it has not logged in yet.
    bool is_awaited() const {
        const auto* its = launched();
        return its != nullptr && !its->came();
    }

    config::BotConfig config;
    lobby::Bot& place;
    std::variant<Away, Pausing, Launching, Launched> phase;
    LaunchedProgram its_program;
    unsigned failed = 0;
    // Whether it was here when its last game ended, or came since.
    bool came = false;
    Instant not_before{};
    // Counts from its first launch since it was last here: all attempts together end then.
    std::optional<Instant> start_ends;
    play::Absence absence;  // what went wrong with the last attempt
};

LaunchedBots::LaunchedBots(std::string dial_in_address,
                           const std::map<std::string, std::string>& tokens, lobby::Lobby& lobby,
                           runtime::Timers& timers, boost::asio::any_io_executor executor,
                           runtime::Background& reading, OnTrouble on_trouble, OnRemark on_remark)
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

void LaunchedBots::launch_by(std::unique_ptr<launcher::Launcher> launcher) {
    REFEREE_ASSERT(launcher_ == nullptr && launcher != nullptr);
    launcher_ = std::move(launcher);
    if (launcher_->accounting() != launcher::Accounting::proc) return;
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
    if (known == nullptr) known = std::make_unique<Running>(bot, lobby_.bot(bot.name));
    known->config = bot;
    if (known->failed <= launches_failed_max) return;
    known->failed = 0;
    known->start_ends.reset();
}

void LaunchedBots::set_dial_in_address(const std::string& address) {
    if (address == dial_in_address_) return;
    dial_in_address_ = address;
    for (auto& [name, running] : bots_) {
        if (running->is_awaited() && running->config.speaks == config::Speaks::tcp)
            start_again(*running);
    }
}

LaunchedBots::Running* LaunchedBots::running(const lobby::Bot& bot) const {
    const auto found = bots_.find(bot.name());
    return found == bots_.end() ? nullptr : found->second.get();
}

bool LaunchedBots::launches(const lobby::Bot& bot) const {
    return running(bot) != nullptr;
}

bool LaunchedBots::stays(const lobby::Bot& bot) const {
    const auto* found = running(bot);
    return found == nullptr || found->config.lifetime == config::Lifetime::tournament;
}

scheduler::BotSupply::Coming LaunchedBots::coming(const lobby::Bot& bot) const {
    const auto* found = running(bot);
    if (found == nullptr) return {};
    Coming coming{found->start_ends, found->absence, "is being launched", found->failed > 0};
    if (found->failed == 0) return coming;
    const bool given_up = found->failed > launches_failed_max;
    if (given_up) coming.until.reset();
    coming.launch = std::string(given_up ? "is not launched again: " : "is launched again: ") +
                    std::to_string(found->failed) +
                    (found->failed == 1 ? " launch of it has" : " launches of it have") +
                    " failed or ended early";
    return coming;
}

std::optional<Duration> LaunchedBots::login_time_max() const {
    std::optional<Duration> longest;
    for (const auto& [name, running] : bots_) {
        const auto* starting = running->starting();
        if (starting == nullptr || starting->timer == 0) continue;
        if (running->config.speaks != config::Speaks::tcp) continue;
        const auto left = starting->ends_at - timers_.now();
        longest = std::max(left, longest.value_or(protocol::limits::login_time_max));
    }
    return longest;
}

void LaunchedBots::want(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    auto& running = *found;
    if (auto* its = running.launched(); its != nullptr && its->leaving) its->leaving->wanted = true;
    const bool given_up = running.failed > launches_failed_max;
    if (given_up || !std::holds_alternative<Running::Away>(running.phase)) return;
    if (timers_.now() >= running.not_before) {
        launch(running);
        return;
    }
    const auto timer = timers_.schedule(running.not_before, [this, &running] {
        running.phase = Running::Away{};
        want(running.place);
    });
    running.phase = Running::Pausing{timer};
}

void LaunchedBots::launch(Running& running) {
    running.phase = Running::Launching{dial_in_address_};
    const auto now = timers_.now();
    running.not_before = now + launch_pause;
    // The farewell adds time in which a bot that fails can still say why.
    if (!running.start_ends) running.start_ends = now + running.config.start_within + farewell;
    const auto spec = launch_spec_of(running.config,
                                     {tokens_.at(running.config.name), dial_in_address_,
                                      launcher::program_search_path(), launcher_->sandbox().tier});
    programs_.launch(*launcher_, running.config, spec, [this, &running](auto result, auto program) {
        running.its_program = std::move(program);
        launched(running, std::move(result));
    });
}

void LaunchedBots::launched(Running& running, launcher::LaunchResult result) {
    const auto& launching = std::get<Running::Launching>(running.phase);
    const auto dial_in_address = launching.dial_in_address;
    running.phase = Running::Away{};
    if (!result) {
        ++running.failed;
        running.absence = {result.error().message, {}};
        on_trouble_(running.config.name, result.error().message);
        want(running.place);  // after a pause, until it is given up
        return;
    }
    auto process = *std::move(result);
    const bool dials_in = running.config.speaks == config::Speaks::tcp;
    if (dials_in && dial_in_address != dial_in_address_) {
        process.reset();
        start_again(running);
        return;
    }
    running.place.set_process(&running);
    process->on_exit(
        [this, &running](const launcher::ExitStatus& status) { ended(running, status); });
    if (!dials_in) {
        tell_no_socket(*process);
        auto to_bot = process->take_input();
        auto from_bot = process->take_output();
        lobby_.admit(
            std::make_unique<net::PipeTransport>(executor_, from_bot.release(), to_bot.release(),
                                                 "process " + std::to_string(process->pid())),
            {running.config.start_within, running.config.name});
    }
    const auto ends_at = timers_.now() + running.config.start_within;
    const auto timer = timers_.schedule(ends_at, [this, &running] { too_slow(running); });
    auto door = Door::open(process->take_door(), lobby_, executor_,
                           {running.config.name, [this] { return login_time_max(); }, on_remark_});
    running.phase = Running::Launched{
        std::move(process), std::move(door), Running::Starting{timer, ends_at}, {}};
}

// Once: the next bots will fare the same.
void LaunchedBots::tell_no_socket(const launcher::LaunchedBot& process) {
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
    if (auto* its = found->launched()) its->login = Running::Here{};
    found->came = true;
    found->start_ends.reset();
    found->absence = {};
}

// The bot gets a moment before it is released: it may still print something when its connection is
// closed.
void LaunchedBots::too_slow(Running& running) {
    auto& launched = *running.launched();
    launched.login = Running::TooSlow{};
    const auto tail = launched.process->error_tail();
    const bool dials_in = running.config.speaks == config::Speaks::tcp;
    running.absence = {"it did not log in within " + text_of(running.config.start_within) +
                           " of its launch (\"start_within\")",
                       evidence_of(running.exited(), tail)};
    on_trouble_(running.config.name,
                running.absence.cause + "; expected a login " +
                    (dials_in ? "over TCP, at REFEREE_ADDRESS" : "on its standard output") +
                    printed(running.config, tail, sandboxed()));
    leave(running);
}

void LaunchedBots::ended(Running& running, const launcher::ExitStatus& status) {
    auto& launched = *running.launched();
    const auto tail = launched.process->error_tail();
    const std::string when =
        launched.came() ? "its process has ended: " : "its process ended before it logged in: ";
    if (auto* starting = running.starting()) {
        timers_.cancel(std::exchange(starting->timer, 0));
        running.absence = {when + status.text(), evidence_of(running.exited(), tail)};
    }
    const bool told = std::holds_alternative<Running::TooSlow>(launched.login);
    if (!told)
        on_trouble_(running.config.name,
                    when + status.text() + printed(running.config, tail, sandboxed()));
    if (!running.place.connected()) leave(running);
}

void LaunchedBots::game_over(lobby::Bot& bot, bool match_over) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    auto& running = *found;
    // A game is also over when the bot forfeits it because it never came: then its launches still
    // count.
    const auto* launched = running.launched();
    const bool here = launched != nullptr && launched->came();
    if (std::exchange(running.came, here)) running.failed = 0;
    const auto life = running.config.lifetime;
    const bool over =
        life == config::Lifetime::game || (life == config::Lifetime::match && match_over);
    if (!over || !bot.places().empty() || running.is_awaited()) return;
    running.not_before = {};  // nothing went wrong, so its next game need not wait
    release(running);
}

void LaunchedBots::left(lobby::Bot& bot) {
    if (auto* const found = running(bot); found != nullptr) leave(*found);
}

void LaunchedBots::leave(Running& running) {
    auto* const launched = running.launched();
    if (launched == nullptr || launched->leaving) return;
    ++running.failed;
    const auto timer = timers_.schedule(timers_.now() + farewell, [this, &running] {
        const bool wanted = std::exchange(running.launched()->leaving, std::nullopt)->wanted;
        if (running.place.connected()) return;
        release(running);
        if (wanted) want(running.place);
    });
    // A bot that never came is still waited for, so it is wanted.
    launched->leaving = {timer, !launched->came()};
}

// For a restart that is not the bot's own fault.
void LaunchedBots::start_again(Running& running) {
    release(running);
    running.not_before = {};
    running.start_ends.reset();
    want(running.place);
}

void LaunchedBots::release(Running& running) {
    if (const auto* pausing = std::get_if<Running::Pausing>(&running.phase))
        timers_.cancel(pausing->timer);
    if (const auto* starting = running.starting()) timers_.cancel(starting->timer);
    if (const auto* its = running.launched(); its != nullptr && its->leaving)
        timers_.cancel(its->leaving->timer);
    running.place.set_process(nullptr);
    // A bot that is just being launched stays in that phase: the result of its launch will still
    // come.
    if (!std::holds_alternative<Running::Launching>(running.phase)) running.phase = Running::Away{};
    if (auto* session = running.place.session(); session != nullptr)
        session->close(session::CloseCause::released);
}

void LaunchedBots::release_all() {
    for (auto& [name, running] : bots_) release(*running);
}

}  // namespace referee::supply
