#include "referee/launch/supply/launched_bot.h"

#include <utility>

#include "protocol/base/text.h"

namespace referee::supply {
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
        calls.on_remark(adopted.error());
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
                calls_.on_refused(
                    fmt::format("it has {} connections open, and more are closed at once", *open_));
                return;
            }
            lobby_.admit(std::make_unique<CountedTransport>(executor, std::move(socket), open_),
                         {calls_.login_time_max(), calls_.bot});
        },
        [this](const std::string& reason) { calls_.on_remark("accepting pauses: " + reason); },
        &lobby_.strangers_time(), "the launched bot " + calls_.bot);
}

std::optional<lobby::Process::Exit> LaunchedBot::exited() const {
    const auto& status = its_process().exit_status();
    if (!status) return std::nullopt;
    Exit exit;
    if (status->how == process::ExitStatus::How::exited) exit.status = status->code;
    if (status->how == process::ExitStatus::How::signalled) exit.signal = status->code;
    exit.stderr_tail = its_process().error_tail();
    exit.hint = hint();
    return exit;
}

std::string LaunchedBot::met() const {
    return hint_of(config, its_process().tier(), {.met = its_process().limits_met()});
}

std::string LaunchedBot::hint() const {
    if (!running()->came() && !refused.empty()) return refused;
    if (!unseen.empty()) return unseen;
    const auto tail = its_process().error_tail();
    ProcessEnding ending{.printed = tail};
    if (const auto& status = its_process().exit_status()) {
        ending.met = its_process().limits_met();
        if (status->how == process::ExitStatus::How::signalled) ending.signal = status->code;
    }
    const auto hint = hint_of(config, its_process().tier(), ending);
    return hint.empty() && !running()->came() ? misread : hint;
}

void LaunchedBot::know(const config::BotConfig& bot) {
    config = bot;
    retired = false;
    unseen.clear();
    if (failed <= launches_failed_max) return;
    failed = 0;
    started = false;
    start_ends.reset();
}

void LaunchedBot::begin_launch(const std::string& dial_in_address, Instant now) {
    phase = Launching{dial_in_address};
    outdated = false;
    refused.clear();
    misread.clear();
    met_told.clear();
    not_before = now + launch_pause;
    // Added is a time in which a bot that fails can still say why.
    if (!start_ends) start_ends = now + config.start_within + last_words;
}

void LaunchedBot::turned_away(const protocol::ProtocolError& error, Instant now) {
    const bool is_of_login = refuses_login(error);
    (is_of_login ? refused : misread) = told_of(error);
    const bool may_mend_it = is_of_login && config.speaks == config::Speaks::stdio;
    if (auto* its = starting(); may_mend_it && its != nullptr) its->refused = now;
}

void LaunchedBot::arrived(loop::Timers& timers) {
    if (const auto* its = starting()) timers.cancel(its->timer);
    if (auto* its = running()) its->login = Here{};
    came = true;
    unseen.clear();
    start_ends.reset();
    absence = {};
    command_refused = false;
}

scheduler::BotSupply::Coming LaunchedBot::coming() const {
    if (retired) return {};
    scheduler::BotSupply::Coming coming{start_ends, absence, "is being launched", failed > 0};
    if (failed == 0) return coming;
    coming.given_up = is_given_up();
    if (coming.given_up) coming.until.reset();
    coming.launch =
        std::string(coming.given_up ? "is not launched again: " : "is launched again: ") +
        base::counted(failed, "launch of it has", "launches of it have") + " failed or ended early";
    return coming;
}

std::string LaunchedBot::given_up_text() const {
    return fmt::format(
        "GIVEN UP: it is not launched again, because {} launches of it have failed or "
        "ended early{}. Where its tournament goes on, it forfeits the games that it is "
        "drawn for. Expected a program that starts and stays; mend it, and with a "
        "daemon say 'referee ctl reload', which launches it anew",
        failed, absence.cause.empty() ? std::string() : ", the last: " + absence.cause);
}

void LaunchedBot::release(loop::Timers& timers) {
    if (const auto* pausing = std::get_if<Pausing>(&phase)) timers.cancel(pausing->timer);
    if (const auto* its = starting()) timers.cancel(its->timer);
    if (const auto* its = running(); its != nullptr && its->leaving)
        timers.cancel(its->leaving->timer);
    place.set_process(nullptr);
    // A bot that is just being launched stays in that phase: the result of its launch will still
    // come.
    if (!std::holds_alternative<Launching>(phase)) phase = Away{};
    if (auto* session = place.session(); session != nullptr)
        session->close(session::CloseCause::released);
}

}  // namespace referee::supply
