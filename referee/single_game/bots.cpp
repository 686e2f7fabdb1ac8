#include "referee/single_game/bots.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <istream>
#include <ostream>
#include <system_error>
#include <thread>

#include "engines/engine_text.h"
#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "protocol/codec.h"
#include "protocol/limits.h"
#include "referee/config/read_config.h"
#include "referee/net/loop/mutex.h"
#include "referee/net/transport/transports.h"
#include "referee/roster/kinds/kind.h"
#include "referee/single_game/single_game.h"

namespace referee::single_game {

std::string mistake_in_commands(const std::vector<std::string>& commands, const std::string& game) {
    for (const auto& command : commands) {
        const auto program = kinds::program_in(command);
        if (!program) return "--bot: " + program.error();
        const auto why = *program ? kinds::unsuited(**program, game) : std::string();
        if (!why.empty()) return "--bot: " + command + " " + why;
    }
    return {};
}

void set_command(config::BotConfig& bot, const std::string& command) {
    const auto program = kinds::program_in(command);
    if (program && *program) {
        config::set_program(bot, **program);
    } else {
        bot.launch = base::command_of(command);
    }
}

std::string bot_name(const std::string& command, const std::vector<config::BotConfig>& others) {
    const auto program = kinds::program_in(command);
    const bool of_kind = program && *program;
    auto base = of_kind ? (*program)->words.back() : command.substr(0, command.find(' '));
    std::erase_if(base, [](char c) { return c == '\'' || c == '"'; });  // of a shell
    base = base.substr(base.find_last_of('/') + 1).substr(0, protocol::limits::name_bytes_max / 2);
    if (!protocol::is_valid_name(base)) base = "bot";
    auto name = base;
    const auto taken = [&name](const auto& bot) { return bot.name == name; };
    for (int n = 2; std::ranges::any_of(others, taken); ++n) name = fmt::format("{}-{}", base, n);
    return name;
}

namespace {

namespace asio = boost::asio;

std::unique_ptr<transport::Transport> transport_on(const asio::any_io_executor& loop, int socket,
                                                   const std::string& peer) {
    const int again = fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (again < 0) throw std::system_error(errno, std::generic_category(), "a local bot's seat");
    return std::make_unique<transport::PipeTransport>(loop, socket, again, peer);
}

std::string_view keys_of(const engines::Game& game) {
    const auto& info = game.info();
    return info.by_hand.keys.empty() ? info.move_example : info.by_hand.keys;
}

}  // namespace

LocalBot::LocalBot(const asio::any_io_executor& loop, Login login, const engines::Game& game,
                   StateOf state)
    : login_(std::move(login)),
      game_(game),
      state_(std::move(state)),
      framer_(protocol::limits::referee_line_bytes_max) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw std::system_error(errno, std::generic_category(), "a local bot's seat");
    near_ = transport_on(loop, ends[0], "the referee");
    far_ = transport_on(loop, ends[1], login_.client);
    asio::co_spawn(loop, listen(), asio::detached);
}

asio::awaitable<void> LocalBot::listen() {
    const auto lasts = life_.watch();
    while (lasts()) {
        co_await near_->readable();
        if (!lasts()) co_return;
        const auto room = framer_.prepare();
        const auto got = near_->read(room);
        if (got.status == transport::Transport::Status::would_block) continue;
        if (got.status != transport::Transport::Status::good) co_return;
        framer_.commit(got.bytes);
        for (auto found = framer_.next(); found.what == protocol::Framing::line;
             found = framer_.next())
            handle(found.line);
    }
}

void LocalBot::handle(std::string_view line) {
    const auto message = protocol::decode_from_referee(line, document_);
    std::string reply;
    if (std::holds_alternative<protocol::Hello>(message)) {
        protocol::Login login;
        login.name = login_.name;
        login.token = login_.token;
        login.client = login_.client;
        login.games = {game_.info().id};
        protocol::encode(reply, login);
    } else if (const auto* start = std::get_if<protocol::Start>(&message)) {
        game_id_ = start->game_id;
        seat_ = static_cast<engines::Seat>(start->seat);
        protocol::encode(reply, protocol::Ready{game_id_});
    } else if (const auto* turn = std::get_if<protocol::Turn>(&message)) {
        turn_ = turn->turn;
        on_turn();
    } else if (const auto* ping = std::get_if<protocol::Ping>(&message)) {
        protocol::encode(reply, protocol::Pong{ping->id});
    } else if (const auto* fault = std::get_if<protocol::Fault>(&message)) {
        on_told(fault->message);
    } else if (const auto* error = std::get_if<protocol::ErrorMessage>(&message)) {
        on_told(error->message);
    }
    send(reply);
}

void LocalBot::answer(std::string_view move) {
    std::string line;
    protocol::encode(line, protocol::Move{game_id_, turn_, move, {}});
    send(line);
}

void LocalBot::leave() {
    std::string line;
    protocol::encode(line, protocol::Bye{"leaving", ""});
    send(line);
}

// A bot's lines are short and are sent one at a time, so the local socket always has room for one.
void LocalBot::send(const std::string& line) {
    if (!line.empty()) static_cast<void>(near_->write(line));
}

std::string explained(const engines::Game& game, engines::Seat seat) {
    const auto& hand = game.info().by_hand;
    const auto example = hand.example.empty() ? game.info().move_example : hand.example;
    std::string text = "You play " + std::string(game.info().title);
    if (game.info().seats_max > 1) text += " in seat " + std::to_string(seat);
    text += ". A move is typed so: ";
    text += example;
    text += '\n';
    return text.append(hand.legend);
}

struct Person::Lines {
    // The thread holds it while it posts to the person's loop: so neither ends meanwhile.
    loop::Mutex mutex;
    // Null once the person has ended; its loop may have ended too.
    Person* person REFEREE_GUARDED_BY(mutex) = nullptr;
    std::istream* in = nullptr;

    // Call it on the loop's thread: only that thread ends a person, so the person stays while it is
    // called.
    Person* present() {
        const loop::Lock guard(mutex);
        return person;
    }
};

Person::Person(const asio::any_io_executor& loop, std::string name, std::string token,
               const engines::Game& game, StateOf state, Draw draw, std::istream& in,
               std::ostream& out)
    : LocalBot(loop, {std::move(name), std::move(token), "a person at the terminal"}, game,
               std::move(state)),
      draw_(std::move(draw)),
      out_(out),
      lines_(std::make_shared<Lines>()) {
    lines_->person = this;
    lines_->in = &in;
    in.tie(nullptr);  // otherwise the thread would flush what the loop writes
    // Reading from a terminal can't be interrupted: the thread stays until a line or the end of the
    // input comes.
    std::thread([lines = lines_, loop] {
        std::string line;
        for (bool end = false; !end; line.clear()) {
            end = !std::getline(*lines->in, line);
            const loop::Lock guard(lines->mutex);
            if (lines->person == nullptr) return;
            asio::post(loop, [lines, line, end] {
                if (auto* person = lines->present()) person->on_line(end ? "" : line, end);
            });
        }
    }).detach();
}

Person::~Person() {
    const loop::Lock guard(lines_->mutex);
    lines_->person = nullptr;
}

void Person::on_turn() {
    asked_ = true;
    ask();
}

void Person::on_told(std::string_view message) {
    out_ << message << '\n';
}

void Person::ask() {
    if (!typed_ahead_.empty()) {
        const auto line = typed_ahead_.front();
        typed_ahead_.pop_front();
        return on_line(line, false);
    }
    out_ << "your move (" << keys_of(game()) << "; ? explains, ctrl-D ends): " << std::flush;
    if (gone_) on_line({}, true);
}

void Person::on_line(const std::string& line, bool end) {
    if (end) {
        gone_ = true;
        if (!asked_) return;
        out_ << "\nno more moves: goodbye\n";
        leave();
        return;
    }
    if (!asked_) return typed_ahead_.push_back(line);
    if (const auto word = base::small(std::string(engines::typed_word(line)));
        word == "?" || word == "help") {
        out_ << explained(game(), seat()) << '\n';
        draw_();
        return ask();
    }
    const auto move = game().move_from_text(line);
    if (!move) return refuse(move.error());
    protocol::json::Document document;
    const auto parsed = document.parse(*move);
    REFEREE_ASSERT(parsed.has_value());
    const auto* now = state();
    const auto checked =
        now == nullptr ? engines::CheckResult() : now->check(seat(), document.root());
    if (!checked) {
        const auto& note = checked.error();
        return refuse(note.reason.empty() ? note.message : note.reason);
    }
    asked_ = false;
    answer(*move);
}

void Person::refuse(const std::string& reason) {
    const auto end = reason.ends_with('.') ? "" : ".";
    out_ << "not played: " << reason << end << " Try again; ? explains the moves.\n";
    ask();
}

void RandomPlayer::on_turn() {
    const auto* now = state();
    const auto legal = now == nullptr ? std::nullopt : now->legal_moves(seat());
    if (legal) return answer(legal->moves[random_() % legal->moves.size()]);
    answer(game().info().move_example);
}

}  // namespace referee::single_game
