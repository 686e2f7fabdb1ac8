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
    CountedTransport(const boost::asio::any_io_executor& executor, files::Descriptor socket,
                     std::shared_ptr<int> open)
        : TcpTransport(executor, std::move(socket)), open_(std::move(open)) {
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
        [this](const auto& executor, auto socket) {
            if (*open_ >= connections_max) {  // it is closed
                calls_.on_refused("it has " + std::to_string(*open_) +
                                  " connections open, and more are closed at once");
                return;
            }
            lobby_.admit(std::make_unique<CountedTransport>(executor, std::move(socket), open_),
                         {calls_.login_time_max(), calls_.bot});
        },
        [this](const std::string& reason) { calls_.on_remark("accepting pauses: " + reason); },
        &lobby_.strangers_time(), "the launched bot " + calls_.bot);
}

std::optional<lobby::Process::Exit> RunningBot::exited() const {
    const auto& status = its_process().exit_status();
    if (!status) return std::nullopt;
    Exit exit;
    if (status->how == process::ExitStatus::How::exited) exit.status = status->code;
    if (status->how == process::ExitStatus::How::signalled) exit.signal = status->code;
    exit.stderr_tail = its_process().error_tail();
    exit.hint = hint();
    return exit;
}

std::string RunningBot::met() const {
    return hint_of(config, its_process().tier(), {.met = its_process().limits_met()});
}

std::string RunningBot::hint() const {
    if (!launched()->came() && !refused.empty()) return refused;
    if (!unseen.empty()) return unseen;
    const auto tail = its_process().error_tail();
    ProcessEnding ending{.printed = tail};
    if (const auto& status = its_process().exit_status()) {
        ending.met = its_process().limits_met();
        if (status->how == process::ExitStatus::How::signalled) ending.signal = status->code;
    }
    const auto hint = hint_of(config, its_process().tier(), ending);
    return hint.empty() && !launched()->came() ? misread : hint;
}

}  // namespace referee::supply
