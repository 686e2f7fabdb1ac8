#include "referee/check_bot/entrance.h"

#include <algorithm>
#include <utility>

#include "referee/check_bot/bot_connection.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/net/loop/timers.h"
#include "referee/net/transport/transports.h"

namespace referee::check_bot {
namespace {

constexpr std::string_view this_machine = "127.0.0.1";
// The kernel tells the end of a program a moment after its last words.
constexpr Duration look_again = std::chrono::milliseconds(20);

}  // namespace

base::Result<std::unique_ptr<Entrance>, std::string> Entrance::launching(
    boost::asio::io_context& loop, config::BotConfig bot, std::string token, bool unsandboxed) {
    const bool dials = bot.speaks == config::Speaks::tcp;
    std::unique_ptr<Entrance> entrance(
        new Entrance(loop, dials ? ConnectsBy::dials_in : ConnectsBy::on_stdio));
    const auto options = supply::SandboxTerms{!unsandboxed, {}, {}};
    auto opened = supply::open_launcher(loop.get_executor(), options);
    if (!opened) return base::failure(opened.error());
    entrance->launcher_ = *std::move(opened);
    entrance->sandbox_ = supply::describe(options, entrance->launcher_->sandbox());
    entrance->bot_ = std::move(bot);
    entrance->token_ = std::move(token);
    if (dials) {
        auto listener =
            transport::Listener::open(loop.get_executor(), std::string(this_machine), 0);
        if (!listener) return base::failure(listener.error().message);
        entrance->listener_ = *std::move(listener);
        entrance->accept(entrance->listener_);
    }
    return entrance;
}

base::Result<std::unique_ptr<Entrance>, std::string> Entrance::listening(
    boost::asio::io_context& loop, const std::string& host, std::uint16_t port) {
    auto listener = transport::Listener::open(loop.get_executor(), host, port);
    if (!listener) return base::failure(listener.error().message);
    std::unique_ptr<Entrance> entrance(new Entrance(loop, ConnectsBy::by_hand));
    entrance->listener_ = *std::move(listener);
    entrance->accept(entrance->listener_);
    entrance->started_ = true;
    return entrance;
}

Entrance::~Entrance() = default;

std::string Entrance::address() const {
    return listener_ == nullptr ? std::string() : listener_->endpoint();
}

// One at a time: a second connection before the first is taken is closed.
void Entrance::accept(std::unique_ptr<transport::Listener>& listener) {
    listener->start(
        [this](auto transport) {
            if (waiting_ == nullptr) waiting_ = std::move(transport);
        },
        [](const std::string& /*why accepting pauses*/) {});
}

std::optional<std::string> Entrance::launch() {
    door_.reset();
    const auto spec = supply::launch_spec_of(
        bot_, {token_, address(), process::program_search_path(), launcher_->sandbox().tier});
    auto launched = launcher_->launch(spec);
    if (!launched) return launched.error().message;
    process_ = *std::move(launched);
    started_ = true;
    if (auto socket = process_->take_door(); socket) {
        auto door = transport::Listener::adopt(loop_.get_executor(), socket.release());
        if (!door) return door.error().message;
        door_ = *std::move(door);
        accept(door_);
    }
    return std::nullopt;
}

void Entrance::begin_start(Duration within) {
    begin_turn();
    start_began_ = loop::monotonic_now();
    start_within_ = within;
    start_waited_ = {};
}

Instant Entrance::start_ends() {
    const auto wall = loop::monotonic_now() - start_began_;
    start_waited_ = std::max(start_waited_, core_wait_max(wall));
    return start_began_ + start_within_ + start_waited_;
}

Entrance::Connection Entrance::next() {
    if (comes_ == ConnectsBy::on_stdio) {
        if (auto failed = launch()) return base::failure(*std::move(failed));
        auto to_bot = process_->take_input();
        auto from_bot = process_->take_output();
        return std::make_unique<transport::PipeTransport>(loop_.get_executor(), from_bot.release(),
                                                          to_bot.release(), "the bot");
    }
    const bool runs = process_ != nullptr && !process_->exit_status();
    if (comes_ == ConnectsBy::dials_in && !runs && waiting_ == nullptr) {
        if (auto failed = launch()) return base::failure(*std::move(failed));
    }
    const auto ended = [this] { return process_ != nullptr && process_->exit_status(); };
    while (waiting_ == nullptr && !ended() && loop::monotonic_now() < start_ends())
        run_one_until(loop_, loop::monotonic_now() + look_again);
    if (waiting_ != nullptr) return std::exchange(waiting_, nullptr);
    if (ended()) {
        return base::failure("its program has ended (" + process_->exit_status()->text() +
                             ") without dialling in");
    }
    return base::failure(std::string("it did not dial ") + address());
}

std::optional<process::ExitStatus> Entrance::await_exit(Instant until) {
    if (process_ == nullptr) return std::nullopt;
    while (!process_->exit_status() && waiting_ == nullptr && loop::monotonic_now() < until)
        run_one_until(loop_, std::min(until, loop::monotonic_now() + look_again));
    return process_->exit_status();
}

ProgramState Entrance::remains() const {
    ProgramState found;
    if (process_ == nullptr) return found;
    found.exit = process_->exit_status();
    found.error_tail = process_->error_tail();
    found.error_bytes = process_->error_bytes();
    return found;
}

std::string Entrance::unseen() const {
    if (launcher_ == nullptr || launcher_->sandbox().tier == sandbox::Tier::none) return {};
    return supply::unseen_in_sandbox(bot_, process::program_search_path());
}

void Entrance::begin_turn() {
    if (process_ != nullptr) process_->begin_turn();
}

Duration Entrance::core_wait_min(Duration wall) {
    return process_ == nullptr ? Duration{} : Duration(process_->core_wait_min(wall));
}

Duration Entrance::core_wait_max(Duration wall) {
    return process_ == nullptr ? Duration{} : Duration(process_->core_wait_max(wall));
}

void Entrance::start_over() {
    process_.reset();
    door_.reset();
    waiting_.reset();
}

}  // namespace referee::check_bot
