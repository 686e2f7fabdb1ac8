#include "referee/launch/supply/running_bot.h"

#include <utility>

#include "referee/launch/supply/bot_trouble.h"

namespace referee::supply {

std::optional<std::string> RepeatedWords::once(const std::string& what,
                                               const std::string& details) {
    constexpr std::uint64_t seldom = 10;
    const auto whole = what + details;
    if (std::exchange(last_, whole) != whole) {
        times_ = 1;
        told_next_ = seldom;
        return whole;
    }
    if (++times_ < told_next_) return std::nullopt;
    told_next_ *= seldom;
    return what + ", the same as before, " + std::to_string(times_) + " times in all";
}

namespace {

// A connection that is counted as long as it is open.
class CountedTransport final : public transport::TcpTransport {
 public:
    CountedTransport(boost::asio::ip::tcp::socket socket, std::shared_ptr<int> open)
        : TcpTransport(std::move(socket)), open_(std::move(open)) {
        ++*open_;
    }
    ~CountedTransport() override { --*open_; }

 private:
    std::shared_ptr<int> open_;
};

}  // namespace

std::unique_ptr<BotListener> BotListener::open(process::Descriptor socket, lobby::Lobby& lobby,
                                               const boost::asio::any_io_executor& executor,
                                               Calls calls) {
    if (!socket) return nullptr;
    auto adopted = transport::Listener::adopt(executor, socket.release());
    if (!adopted) {
        calls.on_remark(adopted.error().message);
        return nullptr;
    }
    return std::unique_ptr<BotListener>(
        new BotListener(*std::move(adopted), lobby, std::move(calls)));
}

BotListener::BotListener(std::unique_ptr<transport::Listener> listener, lobby::Lobby& lobby,
                         Calls calls)
    : lobby_(lobby), calls_(std::move(calls)), listener_(std::move(listener)) {
    listener_->start_with_sockets(
        [this](auto socket) {
            if (*open_ >= connections_max) {  // it is closed
                calls_.on_refused("it has " + std::to_string(*open_) +
                                  " connections open, and more are closed at once");
                return;
            }
            lobby_.admit(std::make_unique<CountedTransport>(std::move(socket), open_),
                         {calls_.login_time_max(), calls_.bot});
        },
        [this](const std::string& reason) { calls_.on_remark("accepting pauses: " + reason); },
        &lobby_.strangers_time(), "the launched bot " + calls_.bot);
}

std::optional<Duration> RunningBot::cpu_time() {
    const auto* its = launched();
    if (its == nullptr) return std::nullopt;
    return from_us(static_cast<std::int64_t>(its->process->cpu_time_us()));
}

std::optional<Duration> RunningBot::cpu_time_just_read() {
    const auto* its = launched();
    if (its == nullptr) return std::nullopt;
    return from_us(static_cast<std::int64_t>(its->process->cpu_time_just_read_us()));
}

std::string_view RunningBot::cpu_means() const {
    const auto* its = launched();
    return its == nullptr ? "no process" : process::name_of(its->process->accounting());
}

void RunningBot::begin_turn() {
    if (auto* its = launched()) its->process->begin_turn();
}

Duration RunningBot::core_wait_min(Duration wall) {
    auto* its = launched();
    return its == nullptr ? Duration::zero() : its->process->core_wait_min(wall);
}

std::optional<Duration> RunningBot::worked_in_turn() {
    auto* its = launched();
    return its == nullptr ? std::nullopt : its->process->worked_in_turn();
}

Duration RunningBot::core_wait_max(Duration wall) {
    auto* its = launched();
    return its == nullptr ? Duration::zero() : its->process->core_wait_max(wall);
}

bool RunningBot::freeze() {
    auto* its = launched();
    return its == nullptr || its->process->freeze() == 0;
}

void RunningBot::thaw() {
    if (auto* its = launched()) its->process->thaw();
}

std::optional<lobby::Process::Exit> RunningBot::exited() const {
    const auto* its = launched();
    const auto status = its == nullptr ? std::nullopt : its->process->exit_status();
    if (!status) return std::nullopt;
    Exit exit;
    if (status->how == process::ExitStatus::How::exited) exit.status = status->code;
    if (status->how == process::ExitStatus::How::signalled) exit.signal = status->code;
    exit.stderr_tail = its->process->error_tail();
    exit.hint = hint();
    return exit;
}

std::string RunningBot::met() const {
    const auto* its = launched();
    if (its == nullptr) return {};
    return hint_of(config, its->process->tier(), {.met = its->process->limits_met()});
}

std::string RunningBot::hint() const {
    const auto* its = launched();
    if (its == nullptr) return {};
    if (!its->came() && !refused.empty()) return refused;
    if (!unseen.empty()) return unseen;
    const auto tail = its->process->error_tail();
    ProcessEnding ending{.printed = tail};
    if (const auto status = its->process->exit_status()) {
        ending.met = its->process->limits_met();
        if (status->how == process::ExitStatus::How::signalled) ending.signal = status->code;
    }
    return hint_of(config, its->process->tier(), ending);
}

}  // namespace referee::supply
