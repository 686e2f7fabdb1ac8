#include "referee/bots/supply/launched_bots.h"

#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/bots/launcher/launch_error.h"
#include "referee/connections/net/pipe_transport.h"

namespace referee::supply {
namespace {

// A bot that could not be launched, or died at once, is tried again after this, and so often; then
// it is away, as one that does not dial in.
constexpr Duration launch_pause = std::chrono::seconds(2);
constexpr unsigned launches_failed_max = 3;
// After its connection ended a bot's process may stay this long, for its exit to be seen.
constexpr Duration farewell = std::chrono::milliseconds(300);

constexpr std::uint64_t bytes_a_mb = 1024 * 1024;

launcher::LaunchSpec spec_of(const config::BotConfig& bot, const std::string& token,
                             const std::string& address) {
    launcher::LaunchSpec spec;
    spec.command = bot.launch;
    spec.working_directory = bot.directory;
    spec.environment = bot.environment;
    spec.environment.emplace_back("REFEREE_NAME", bot.name);
    spec.environment.emplace_back("REFEREE_TOKEN", token);
    if (bot.speaks == config::Speaks::tcp) {
        spec.environment.emplace_back("REFEREE_ADDRESS", address);
        spec.stdio = launcher::Stdio::dial_in;
    }
    if (bot.memory_mb_max > 0) spec.limits.address_space_bytes = bot.memory_mb_max * bytes_a_mb;
    return spec;
}

std::string text_of(Duration time) {
    using std::chrono::duration_cast;
    const auto whole = duration_cast<std::chrono::seconds>(time);
    if (whole == time) return std::to_string(whole.count()) + " s";
    return std::to_string(duration_cast<std::chrono::milliseconds>(time).count()) + " ms";
}

std::string printed(const std::string& tail) {
    return tail.empty() ? "" : "; it printed: " + tail;
}

protocol::Evidence evidence_of(const std::optional<lobby::Process::Exit>& exit,
                               const std::string& tail) {
    protocol::Evidence evidence;
    if (exit && exit->status) evidence.exit_status = *exit->status;
    if (exit && exit->signal) evidence.signal = *exit->signal;
    if (!tail.empty()) evidence.stderr_tail = tail;
    return evidence;
}

}  // namespace

std::optional<std::string> launch_trouble(const config::BotConfig& bot,
                                          const std::string& search_path) {
    const auto error = launcher::foreseen_error(spec_of(bot, {}, {}), search_path);
    return error ? std::optional(error->message) : std::nullopt;
}

// One bot's present process, if any, as its games see it.
class LaunchedBots::Running final : public lobby::Process {
 public:
    Running(const config::BotConfig& bot, lobby::Bot& its_place) : config(bot), place(its_place) {}

    std::optional<Duration> cpu_time() override {
        if (process == nullptr) return std::nullopt;
        return from_us(static_cast<std::int64_t>(process->cpu_time_us()));
    }
    std::string_view cpu_means() const override {
        return process == nullptr ? "no process" : launcher::name_of(process->accounting());
    }
    void freeze() override {
        if (process != nullptr) process->freeze();
    }
    void thaw() override {
        if (process != nullptr) process->thaw();
    }
    bool freezes_between_turns() const override { return config.freeze_between_turns; }
    std::optional<Exit> exited() const override {
        const auto status = process == nullptr ? std::nullopt : process->exit_status();
        if (!status) return std::nullopt;
        Exit exit;
        if (status->how == launcher::ExitStatus::How::exited) exit.status = status->code;
        if (status->how == launcher::ExitStatus::How::signalled) exit.signal = status->code;
        exit.stderr_tail = process->error_tail();
        return exit;
    }

    // It is being started: its command runs, and it has not logged in yet.
    bool starting() const { return process != nullptr && !came; }

    config::BotConfig config;
    lobby::Bot& place;
    std::unique_ptr<launcher::Process> process;
    bool launching = false;
    bool came = false;      // it has logged in since its launch
    bool too_slow = false;  // and that has been told
    unsigned failed = 0;
    bool wanted = false;          // since its process was seen to be done for
    std::string dial_in_address;  // that it was launched with
    Instant not_before{};
    // From its first launch since it was there last: all attempts together have this long.
    std::optional<Instant> start_ends;
    play::Absence absence;  // what went wrong with the last attempt
    runtime::Timers::Id farewell_timer = 0;
    runtime::Timers::Id launch_timer = 0;  // it was wanted before not_before
    runtime::Timers::Id start_timer = 0;   // its time to log in
    Instant start_timer_at{};
};

LaunchedBots::LaunchedBots(std::string dial_in_address,
                           const std::map<std::string, std::string>& tokens, lobby::Lobby& lobby,
                           runtime::Timers& timers, boost::asio::any_io_executor executor,
                           OnTrouble on_trouble)
    : dial_in_address_(std::move(dial_in_address)),
      tokens_(tokens),
      lobby_(lobby),
      timers_(timers),
      executor_(std::move(executor)),
      on_trouble_(std::move(on_trouble)) {}

LaunchedBots::~LaunchedBots() {
    release_all();
}

void LaunchedBots::launch_by(std::unique_ptr<launcher::Launcher> launcher) {
    REFEREE_ASSERT(launcher_ == nullptr && launcher != nullptr);
    launcher_ = std::move(launcher);
}

void LaunchedBots::know(const config::BotConfig& bot) {
    REFEREE_ASSERT(has_launcher());
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
        if (running->starting() && running->config.speaks == config::Speaks::tcp)
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
        if (running->start_timer == 0 || running->config.speaks != config::Speaks::tcp) continue;
        const auto left = running->start_timer_at - timers_.now();
        longest = std::max(left, longest.value_or(protocol::limits::login_time_max));
    }
    return longest;
}

void LaunchedBots::want(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    auto& running = *found;
    running.wanted = true;
    const bool given_up = running.failed > launches_failed_max;
    if (running.launching || running.process != nullptr || given_up || running.launch_timer != 0)
        return;
    if (timers_.now() >= running.not_before) {
        launch(running);
        return;
    }
    running.launch_timer = timers_.schedule(running.not_before, [this, &running] {
        running.launch_timer = 0;
        want(running.place);
    });
}

void LaunchedBots::launch(Running& running) {
    running.launching = true;
    running.wanted = false;
    running.came = false;
    running.too_slow = false;
    const auto now = timers_.now();
    running.not_before = now + launch_pause;
    // The farewell is for what it may have to say about it.
    if (!running.start_ends) running.start_ends = now + running.config.start_within + farewell;
    running.dial_in_address = dial_in_address_;
    const auto spec = spec_of(running.config, tokens_.at(running.config.name), dial_in_address_);
    launcher_->async_launch(spec, [this, &running, life = std::weak_ptr<const bool>(life_)](
                                      launcher::LaunchResult result) {
        if (!life.expired()) launched(running, std::move(result));
    });
}

void LaunchedBots::launched(Running& running, launcher::LaunchResult result) {
    running.launching = false;
    if (const auto* error = std::get_if<launcher::LaunchError>(&result)) {
        ++running.failed;
        running.absence = {error->message, {}};
        on_trouble_(running.config.name, error->message);
        want(running.place);  // after a pause, until it is given up
        return;
    }
    running.process = std::get<std::unique_ptr<launcher::Process>>(std::move(result));
    const bool dials_in = running.config.speaks == config::Speaks::tcp;
    if (dials_in && running.dial_in_address != dial_in_address_) {
        start_again(running);
        return;
    }
    running.place.set_process(&running);
    running.process->on_exit(
        [this, &running](const launcher::ExitStatus& status) { ended(running, status); });
    if (!dials_in) {
        auto to_bot = running.process->take_input();
        auto from_bot = running.process->take_output();
        lobby_.admit(std::make_unique<net::PipeTransport>(
                         executor_, from_bot.release(), to_bot.release(),
                         "process " + std::to_string(running.process->pid())),
                     running.config.start_within);
    }
    running.start_timer_at = timers_.now() + running.config.start_within;
    running.start_timer = timers_.schedule(running.start_timer_at, [this, &running] {
        running.start_timer = 0;
        too_slow(running);
    });
}

void LaunchedBots::arrived(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    found->came = true;
    found->start_ends.reset();
    found->absence = {};
    timers_.cancel(std::exchange(found->start_timer, 0));
}

// It may print something yet about its connection being closed, and is given a moment for it.
void LaunchedBots::too_slow(Running& running) {
    running.too_slow = true;
    const auto tail = running.process->error_tail();
    const bool dials_in = running.config.speaks == config::Speaks::tcp;
    running.absence = {"it did not log in within " + text_of(running.config.start_within) +
                           " of its launch (\"start_within\")",
                       evidence_of(running.exited(), tail)};
    on_trouble_(running.config.name,
                running.absence.cause + "; expected a login " +
                    (dials_in ? "over TCP, at REFEREE_ADDRESS" : "on its standard output") +
                    printed(tail));
    leave(running);
}

void LaunchedBots::ended(Running& running, const launcher::ExitStatus& status) {
    timers_.cancel(std::exchange(running.start_timer, 0));
    const auto tail = running.process->error_tail();
    const std::string when =
        running.came ? "its process has ended: " : "its process ended before it logged in: ";
    if (!running.came && !running.too_slow)
        running.absence = {when + status.text(), evidence_of(running.exited(), tail)};
    if (!running.too_slow) on_trouble_(running.config.name, when + status.text() + printed(tail));
    if (!running.place.connected()) leave(running);
}

void LaunchedBots::game_over(lobby::Bot& bot, bool match_over) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    auto& running = *found;
    running.failed = 0;
    const auto life = running.config.lifetime;
    const bool over =
        life == config::Lifetime::game || (life == config::Lifetime::match && match_over);
    if (!over || !bot.places().empty() || running.starting()) return;
    running.not_before = {};  // nothing went wrong: its next game need not wait
    release(running);
}

void LaunchedBots::left(lobby::Bot& bot) {
    if (auto* const found = running(bot); found != nullptr) leave(*found);
}

void LaunchedBots::leave(Running& running) {
    if (running.process == nullptr || running.farewell_timer != 0) return;
    ++running.failed;
    // Who never came is still waited for.
    running.wanted = !running.came;
    running.farewell_timer = timers_.schedule(timers_.now() + farewell, [this, &running] {
        running.farewell_timer = 0;
        if (running.place.connected()) return;
        release(running);
        if (running.wanted) want(running.place);
    });
}

// Through no fault of its own.
void LaunchedBots::start_again(Running& running) {
    release(running);
    running.not_before = {};
    running.start_ends.reset();
    want(running.place);
}

void LaunchedBots::release(Running& running) {
    for (auto* timer : {&running.farewell_timer, &running.launch_timer, &running.start_timer})
        timers_.cancel(std::exchange(*timer, 0));
    running.place.set_process(nullptr);
    running.process.reset();
    if (auto* session = running.place.session(); session != nullptr)
        session->close(session::CloseCause::released);
}

void LaunchedBots::release_all() {
    for (auto& [name, running] : bots_) release(*running);
}

}  // namespace referee::supply
