#include "referee/check_bot/bot_connection.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <utility>

#include "protocol/bad_line.h"
#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"
#include "protocol/codec.h"
#include "protocol/limits.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/net/loop/timers.h"
#include "referee/net/transport/transports.h"
#include "referee/version.h"

namespace referee::check_bot {
namespace {

// A bot that takes nothing at all for so long is treated as gone, as in a tournament.
constexpr Duration write_time_max = protocol::limits::backlog_time_max;
constexpr Duration write_look_again = std::chrono::milliseconds(2);
constexpr Duration login_look_again = std::chrono::milliseconds(100);

constexpr std::size_t kept_max = 20;          // odd lines of a kind: more teach nothing
constexpr std::size_t shown_bytes_max = 120;  // of such a line
// Lines in answer to one message: beyond that it is a flood, as in a tournament.
constexpr std::size_t lines_in_answer_max = 1000;
// Messages on one connection that nobody asked for: likewise.
constexpr std::size_t unasked_max = 1000;
constexpr std::size_t pieces_max = 6;  // that a message comes in
constexpr Duration pause_between_pieces = std::chrono::milliseconds(5);
constexpr std::string_view news =
    R"({"type":"news_of_a_later_version","text":"a bot passes over types that it doesn't know","n":[1,{"a":null}]})";
constexpr std::string_view member_in_front =
    R"("a_later_version":{"says":["hello",1,null,{"}":"]"}]},)";
constexpr std::string_view member_behind = R"(,"another_member":[true,-1.5e3,"\u00e9"])";

std::string shown(std::string_view line) {
    return base::visible_line(base::utf8_prefix(line, shown_bytes_max));
}

void note(std::vector<BotObservations::Odd>& odd, const std::string& line, std::string why) {
    if (odd.size() < kept_max) odd.push_back({shown(line), std::move(why)});
}

// A message with members that it doesn't have by the protocol, in front and behind.
std::string with_unknown_members(std::string_view line) {
    std::string changed(line.substr(0, 1));
    changed.append(member_in_front).append(line.substr(1, line.size() - 2));
    return changed.append(member_behind).append("}");
}

template <typename Message>
std::string encoded(const Message& message) {
    std::string line;
    protocol::encode(line, message);
    return line;
}

constexpr std::string_view this_machine = "127.0.0.1";
// The kernel tells the end of a program a moment after its last words.
constexpr Duration look_again = std::chrono::milliseconds(20);

}  // namespace

void run_one_until(boost::asio::io_context& loop, Instant until) {
    const auto left = until - loop::monotonic_now();
    if (left <= Duration::zero()) {
        loop.poll_one();
    } else {
        loop.run_one_for(left);
    }
}

BotConnection::BotConnection(boost::asio::io_context& loop,
                             std::unique_ptr<transport::Transport> transport,
                             BotObservations& observations)
    : loop_(loop),
      transport_(std::move(transport)),
      observations_(observations),
      framer_(protocol::limits::line_bytes_max) {
    boost::asio::co_spawn(loop_, listen(), boost::asio::detached);
}

boost::asio::awaitable<void> BotConnection::listen() {
    const auto lasts = life_.watch();
    while (lasts()) {
        co_await transport_->readable();
        if (!lasts()) co_return;
        const auto room = framer_.prepare();
        const auto got = transport_->read(room);
        if (got.status == transport::Transport::Status::would_block) continue;
        if (got.status != transport::Transport::Status::good) break;
        // One more tells that there are more.
        said_first_ += std::string_view(room.data(), got.bytes)
                           .substr(0, shown_bytes_max + 1 - said_first_.size());
        framer_.commit(got.bytes);
        auto found = framer_.next();
        for (; found.what == protocol::Framing::line; found = framer_.next())
            lines_.push_back({std::string(found.line), got.stamp.latest});
        if (found.what == protocol::Framing::too_long) {
            shut_out(
                fmt::format("it sent a line of more than {} bytes, which closes the connection",
                            protocol::limits::line_bytes_max));
            co_return;
        }
    }
    open_ = false;
}

std::optional<BotConnection::Line> BotConnection::next(Instant until) {
    while (lines_.empty() && open_ && loop::monotonic_now() < until) run_one_until(loop_, until);
    if (lines_.empty()) loop_.poll();
    if (lines_.empty()) return std::nullopt;
    auto line = std::move(lines_.front());
    lines_.pop_front();
    return line;
}

void BotConnection::send(std::string_view bytes) {
    const auto until = loop::monotonic_now() + write_time_max;
    while (!bytes.empty() && open_ && loop::monotonic_now() < until) {
        const auto written = transport_->write(bytes);
        if (written.status == transport::Transport::Status::good) {
            bytes.remove_prefix(written.bytes);
        } else if (written.status == transport::Transport::Status::would_block) {
            pause(write_look_again);
        } else {
            return;  // what it still has to say can be read
        }
    }
    if (!bytes.empty() && open_)
        shut_out("it did not read what it was sent, so its connection was closed");
}

void BotConnection::shut_out(std::string why) {
    why_closed_ = std::move(why);
    close();
}

void BotConnection::pause(Duration duration) {
    const auto until = loop::monotonic_now() + duration;
    while (loop::monotonic_now() < until) run_one_until(loop_, until);
}

void BotConnection::close() {
    if (transport_ != nullptr) transport_->close();
    open_ = false;
}

std::optional<BotConnection::Heard> BotConnection::hear(Instant until) {
    while (true) {
        auto line = next(until);
        if (!line || floods()) return std::nullopt;
        auto message = protocol::decode_from_bot(line->text, document_);
        if (auto* error = std::get_if<protocol::ProtocolError>(&message)) {
            answer_mistake(std::move(*error), line->text);
            continue;
        }
        ++observations_.messages;
        if (const auto* ping = std::get_if<protocol::Ping>(&message)) {
            send(encoded(protocol::Pong{ping->id}));
            continue;
        }
        if (std::holds_alternative<protocol::Bye>(message)) goodbye_ = true;
        return Heard{message, std::move(line->text), line->at};
    }
}

void BotConnection::answer_mistake(protocol::ProtocolError error, const std::string& line) {
    const bool text = protocol::is_plain_text(error);
    note(text ? observations_.texts : observations_.mistakes, line, error.message);
    if (first_wrong_.empty()) first_wrong_ = error.message;
    if (text) protocol::tell_plain_text(error, false, ++texts_);
    if (++mistakes_ <= kept_max) send(encoded(error));  // beyond that it may not read them
}

bool BotConnection::floods() {
    if (++heard_since_said_ <= lines_in_answer_max) return false;
    if (open_)
        shut_out(
            fmt::format("it sent more than {} lines in answer to one, which is flooding and closes "
                        "the connection",
                        lines_in_answer_max));
    return true;
}

void BotConnection::note_unasked(const std::string& line, std::string why) {
    note(observations_.unasked, line, std::move(why));
    if (++unasked_ <= unasked_max || !open_) return;
    shut_out(fmt::format(
        "it sent more than {} messages that nobody had asked for, which is flooding and closes the "
        "connection; expected one \"move\" for each \"turn\", and nothing else",
        unasked_max));
}

base::Result<LoginTold, std::string> BotConnection::log_in(std::string_view session,
                                                           const std::function<Instant()>& until) {
    session_ = session;
    protocol::Hello hello;
    hello.server = "referee";
    hello.version = version;
    hello.session = session_;
    say(encoded(hello));
    while (true) {
        const auto ends = until();
        const auto heard = hear(std::min(ends, loop::monotonic_now() + login_look_again));
        if (!heard && open_ && loop::monotonic_now() < ends) continue;
        if (!heard) break;
        const auto* login = std::get_if<protocol::Login>(&heard->message);
        if (login == nullptr) {
            if (goodbye_) break;
            note_unasked(heard->line, "it came before the login");
            continue;
        }
        LoginTold told{std::string(login->name),
                       std::string(login->token),
                       {},
                       login->state == protocol::StateForm::delta};
        for (const auto game : login->games) told.games.emplace_back(game);
        return told;
    }
    std::string why = goodbye_ ? "it said bye before it had logged in"
                      : open_  ? "no login came in time"
                               : "no login came: " + why_closed_;
    if (said_something())
        why += "; what came first: " +
               base::visible_line(base::readable(said_first_, shown_bytes_max));
    if (!first_wrong_.empty()) why += " (" + first_wrong_ + ")";
    return base::failure(std::move(why));
}

void BotConnection::welcome(const LoginTold& login, const std::vector<std::string>& games) {
    protocol::Welcome message;
    message.name = login.name;
    message.session = session_;
    message.parallel = 1;
    message.state = login.delta ? protocol::StateForm::delta : protocol::StateForm::full;
    message.games.assign(games.begin(), games.end());
    say(encoded(message));
}

void BotConnection::say(std::string_view lines) {
    heard_since_said_ = 0;
    std::string all;
    while (!lines.empty()) {
        const auto line = base::next_line(lines);
        if (style_.unknown_messages) (all += news) += '\n';
        all += style_.unknown_members ? with_unknown_members(line) : std::string(line);
        all += '\n';
    }
    if (!style_.in_pieces) return send(all);
    const auto size = std::max<std::size_t>(1, all.size() / pieces_max);
    for (std::size_t at = 0; at < all.size(); at += size) {
        if (at > 0) pause(pause_between_pieces);
        send(std::string_view(all).substr(at, size));
    }
}

base::Result<std::unique_ptr<Entrance>, std::string> Entrance::launching(
    boost::asio::io_context& loop, config::BotConfig bot, std::string token, bool unsandboxed) {
    const bool dials = bot.speaks == config::Speaks::tcp;
    std::unique_ptr<Entrance> entrance(
        new Entrance(loop, dials ? ConnectsBy::dials_in : ConnectsBy::on_stdio));
    const auto options = supply::SandboxTerms{.unsandboxed = unsandboxed};
    auto opened = supply::open_launcher(loop.get_executor(), options);
    if (!opened) return base::failure(opened.error());
    entrance->launcher_ = *std::move(opened);
    entrance->sandbox_ = supply::describe(options, entrance->launcher_->sandbox());
    entrance->bot_ = std::move(bot);
    entrance->token_ = std::move(token);
    if (dials) {
        auto listener =
            transport::Listener::open(loop.get_executor(), std::string(this_machine), 0);
        if (!listener) return base::failure(listener.error());
        entrance->listener_ = *std::move(listener);
        entrance->accept(entrance->listener_);
    }
    return entrance;
}

base::Result<std::unique_ptr<Entrance>, std::string> Entrance::listening(
    boost::asio::io_context& loop, const std::string& host, std::uint16_t port) {
    auto listener = transport::Listener::open(loop.get_executor(), host, port);
    if (!listener) return base::failure(listener.error());
    std::unique_ptr<Entrance> entrance(new Entrance(loop, ConnectsBy::by_hand));
    entrance->listener_ = *std::move(listener);
    entrance->accept(entrance->listener_);
    entrance->started_ = true;
    return entrance;
}

Entrance::~Entrance() = default;

// One at a time: a second connection before the first is taken is closed.
void Entrance::accept(std::unique_ptr<transport::Listener>& listener) {
    listener->start(
        [this](auto transport) {
            if (waiting_ == nullptr) waiting_ = std::move(transport);
        },
        [](const std::string& /*why accepting pauses*/) {});
}

base::Result<void, std::string> Entrance::launch() {
    own_listener_.reset();
    const auto spec = supply::launch_spec_of(
        bot_, {token_, address(), process::program_search_path(), launcher_->sandbox().tier});
    auto launched = launcher_->launch(spec);
    if (!launched) return base::failure(launched.error().message);
    process_ = *std::move(launched);
    started_ = true;
    if (auto socket = process_->take_listener(); socket) {
        auto listener = transport::Listener::adopt(loop_.get_executor(), socket.release());
        if (!listener) return base::failure(listener.error());
        own_listener_ = *std::move(listener);
        accept(own_listener_);
    }
    return {};
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
    if (connects_by_ == ConnectsBy::on_stdio) {
        if (auto launched = launch(); !launched) return base::failure(std::move(launched.error()));
        auto to_bot = process_->take_input();
        auto from_bot = process_->take_output();
        return std::make_unique<transport::PipeTransport>(loop_.get_executor(), from_bot.release(),
                                                          to_bot.release(), "the bot");
    }
    const bool runs = process_ != nullptr && !process_->exit_status();
    if (connects_by_ == ConnectsBy::dials_in && !runs && waiting_ == nullptr) {
        if (auto launched = launch(); !launched) return base::failure(std::move(launched.error()));
    }
    const auto ended = [this] { return process_ != nullptr && process_->exit_status(); };
    while (waiting_ == nullptr && !ended() && loop::monotonic_now() < start_ends())
        run_one_until(loop_, loop::monotonic_now() + look_again);
    if (waiting_ != nullptr) return std::exchange(waiting_, nullptr);
    if (ended())
        return base::failure("its program has ended (" + process_->exit_status()->text() +
                             ") without dialling in");
    return base::failure(std::string("it did not dial ") + address());
}

std::optional<process::ExitStatus> Entrance::await_exit(Instant until) {
    if (process_ == nullptr) return std::nullopt;
    while (!process_->exit_status() && waiting_ == nullptr && loop::monotonic_now() < until)
        run_one_until(loop_, std::min(until, loop::monotonic_now() + look_again));
    return process_->exit_status();
}

ProgramState Entrance::program_state() const {
    if (process_ == nullptr) return {};
    return {process_->exit_status(), process_->error_tail(), process_->error_bytes()};
}

std::string Entrance::hidden_by_sandbox() const {
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
    own_listener_.reset();
    waiting_.reset();
}

}  // namespace referee::check_bot
