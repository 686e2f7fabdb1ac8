#include "referee/supply/launched_bots.h"

#include "referee/launcher/launch_error.h"
#include "referee/net/pipe_transport.h"

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

    config::BotConfig config;
    lobby::Bot& place;
    std::unique_ptr<launcher::Process> process;
    bool launching = false;
    unsigned failed = 0;
    bool wanted = false;  // since its process was seen to be done for
    Instant not_before{};
    runtime::Timers::Id farewell_timer = 0;
    runtime::Timers::Id launch_timer = 0;  // it was wanted before not_before
};

LaunchedBots::LaunchedBots(Settings settings, const std::vector<config::BotConfig>& bots,
                           const std::map<std::string, std::string>& tokens,
                           launcher::Launcher& launcher, lobby::Lobby& lobby,
                           runtime::Timers& timers, boost::asio::any_io_executor executor,
                           OnTrouble on_trouble)
    : settings_(std::move(settings)),
      tokens_(tokens),
      launcher_(launcher),
      lobby_(lobby),
      timers_(timers),
      executor_(std::move(executor)),
      on_trouble_(std::move(on_trouble)) {
    for (const auto& bot : bots) {
        if (bot.launched()) add(bot);
    }
}

void LaunchedBots::add(const config::BotConfig& bot) {
    bots_.emplace(bot.name, std::make_unique<Running>(bot, lobby_.bot(bot.name)));
}

LaunchedBots::~LaunchedBots() {
    release_all();
}

bool LaunchedBots::launches(const lobby::Bot& bot) const {
    return bots_.contains(bot.name());
}

bool LaunchedBots::stays(const lobby::Bot& bot) const {
    const auto found = bots_.find(bot.name());
    return found == bots_.end() || found->second->config.lifetime == config::Lifetime::tournament;
}

void LaunchedBots::want(lobby::Bot& bot) {
    const auto found = bots_.find(bot.name());
    if (found == bots_.end()) return;
    auto& running = *found->second;
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

std::optional<scheduler::BotSupply::LaunchState> LaunchedBots::launch_state(
    const lobby::Bot& bot) const {
    const auto found = bots_.find(bot.name());
    if (found == bots_.end()) return std::nullopt;
    const auto& running = *found->second;
    const auto failed = std::to_string(running.failed) +
                        (running.failed == 1 ? " launch of it has" : " launches of it have") +
                        " failed or ended early";
    if (running.failed > launches_failed_max)
        return LaunchState{"is not launched again: " + failed, true};
    if (running.failed > 0) return LaunchState{"is launched again: " + failed, true};
    return LaunchState{"is being launched", false};
}

void LaunchedBots::launch(Running& running) {
    running.launching = true;
    running.wanted = false;
    running.not_before = timers_.now() + launch_pause;
    const auto spec =
        spec_of(running.config, tokens_.at(running.config.name), settings_.dial_in_address);
    launcher_.async_launch(spec, [this, &running](launcher::LaunchResult result) {
        launched(running, std::move(result));
    });
}

void LaunchedBots::launched(Running& running, launcher::LaunchResult result) {
    running.launching = false;
    if (const auto* error = std::get_if<launcher::LaunchError>(&result)) {
        ++running.failed;
        on_trouble_(running.config.name, error->message);
        want(running.place);  // after a pause, until it is given up
        return;
    }
    running.process = std::get<std::unique_ptr<launcher::Process>>(std::move(result));
    running.place.set_process(&running);
    running.process->on_exit([this, &running](const launcher::ExitStatus& status) {
        const auto tail = running.process->error_tail();
        on_trouble_(running.config.name, "its process has ended: " + status.text() +
                                             (tail.empty() ? "" : "; it printed: " + tail));
        if (!running.place.connected()) left(running.place);
    });
    if (running.config.speaks == config::Speaks::tcp) return;
    auto to_bot = running.process->take_input();
    auto from_bot = running.process->take_output();
    lobby_.admit(
        std::make_unique<net::PipeTransport>(executor_, from_bot.release(), to_bot.release(),
                                             "process " + std::to_string(running.process->pid())));
}

void LaunchedBots::game_over(lobby::Bot& bot, bool match_over) {
    const auto found = bots_.find(bot.name());
    if (found == bots_.end()) return;
    auto& running = *found->second;
    running.failed = 0;
    const auto life = running.config.lifetime;
    const bool over =
        life == config::Lifetime::game || (life == config::Lifetime::match && match_over);
    if (!over || !bot.places().empty()) return;
    running.not_before = {};  // nothing went wrong: its next game need not wait
    release(running);
}

void LaunchedBots::left(lobby::Bot& bot) {
    const auto found = bots_.find(bot.name());
    if (found == bots_.end() || found->second->process == nullptr ||
        found->second->farewell_timer != 0)
        return;
    auto& running = *found->second;
    ++running.failed;
    running.wanted = false;
    running.farewell_timer = timers_.schedule(timers_.now() + farewell, [this, &running] {
        running.farewell_timer = 0;
        if (running.place.connected()) return;
        release(running);
        if (running.wanted) want(running.place);
    });
}

void LaunchedBots::release(Running& running) {
    timers_.cancel(running.farewell_timer);
    timers_.cancel(running.launch_timer);
    running.farewell_timer = 0;
    running.launch_timer = 0;
    running.place.set_process(nullptr);
    running.process.reset();
    if (auto* session = running.place.session(); session != nullptr)
        session->close(session::CloseCause::released);
}

void LaunchedBots::release_all() {
    for (auto& [name, running] : bots_) release(*running);
}

}  // namespace referee::supply
