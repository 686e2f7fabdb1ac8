#include "referee/connections/lobby/lobby.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "referee/limits.h"

namespace referee::lobby {

using protocol::ErrorCode;
using session::CloseCause;
using session::Session;

namespace {

std::string line_of(const protocol::Login& login) {
    std::string line;
    protocol::encode(line, login);
    line.pop_back();  // the line feed
    return line;
}

}  // namespace

Lobby::Lobby(runtime::Timers& timers, const boost::asio::any_io_executor& executor, Roster& roster,
             LobbyEvents& events, std::vector<std::string> games, LobbyLimits limits,
             std::string version)
    : timers_(timers),
      executor_(executor),
      roster_(roster),
      events_(events),
      games_(std::move(games)),
      limits_(limits),
      version_(std::move(version)),
      allowances_(limits_.network) {}

void Lobby::set_limits(const LobbyLimits& limits) {
    limits_ = limits;
    allowances_.set_ranges(limits_.network);
}

Lobby::~Lobby() {
    REFEREE_ASSERT(sessions_.empty());
}

void Lobby::admit(std::unique_ptr<runtime::Transport> transport,
                  std::optional<Duration> login_time_max) {
    auto& from_address = addresses_[transport->peer_address()];
    const bool too_many = sessions_.size() >= limits_.connections_max ||
                          from_address >= limits_.connections_per_address_max;
    auto limits = limits_.session;
    if (login_time_max) limits.login_time_max = *login_time_max;
    auto session =
        std::make_shared<Session>(std::string("s").append(std::to_string(++last_session_)),
                                  std::move(transport), timers_, *this, limits, executor_);
    ++from_address;
    sessions_.emplace(session.get(), session);
    session->start(version_);
    if (too_many)
        refuse(*session, ErrorCode::too_many_connections,
               "there are too many connections; come back later");
}

Bot& Lobby::bot(std::string_view name) {
    const auto found = bots_.find(name);
    if (found != bots_.end()) return *found->second;
    return *bots_.emplace(std::string(name), std::make_unique<Bot>(std::string(name), allowances_))
                .first->second;
}

Bot* Lobby::bot_of(const Session& session) {
    const auto found = owners_.find(&session);
    return found == owners_.end() ? nullptr : found->second;
}

void Lobby::refuse(Session& session, ErrorCode code, std::string_view message) {
    protocol::ProtocolError error;
    error.code = code;
    error.message = message;
    error.expected = protocol::example(protocol::BotMessage::login);
    session.send(error);
    session.send(protocol::Bye{protocol::name_of(protocol::ByeReason::refused), message});
    session.close(CloseCause::refused);
}

void Lobby::on_login(Session& session, const protocol::Login& login) {
    const auto address = session.transport().peer_address();
    switch (roster_.check(login, address)) {
        case Roster::Verdict::welcome:
            break;
        case Roster::Verdict::pending:
            wait_for_roster(session, login);
            return;
        case Roster::Verdict::wrong_password:
            refuse(session, ErrorCode::wrong_password,
                   "no bot of this name is registered here yet; expected the class password in "
                   "\"password\" to register it");
            return;
        case Roster::Verdict::token_needed:
            refuse(session, ErrorCode::token_needed,
                   "the name is free; expected a \"token\" of at least " +
                       std::to_string(limits::registered_token_bytes_min) +
                       " bytes with it, which the name will belong to");
            return;
        case Roster::Verdict::refused: {
            const auto refusal = roster_.why_refused(login, address);
            refuse(session, refusal.code, refusal.message);
            return;
        }
        case Roster::Verdict::unknown_name:
            refuse(session, ErrorCode::unknown_name,
                   "no bot of this name is registered here; check the name's spelling");
            return;
        case Roster::Verdict::wrong_token:
            refuse(session, ErrorCode::wrong_token,
                   "the token is not the one that belongs to this name");
            return;
    }
    const auto played_here = [this](std::string_view game) {
        return std::find(games_.begin(), games_.end(), game) != games_.end();
    };
    if (std::none_of(login.games.begin(), login.games.end(), played_here)) {
        std::string message = "none of these games is played here; expected one of:";
        for (const auto& game : games_) message += " " + game;
        refuse(session, ErrorCode::no_common_game, message);
        return;
    }
    auto& bot = this->bot(login.name);
    if (bot.connected()) {
        challenge(bot, session, login);
    } else {
        welcome(bot, session.shared_from_this(), login);
    }
}

void Lobby::wait_for_roster(Session& session, const protocol::Login& login) {
    const auto added = registrations_.try_emplace(std::string(login.name));
    if (!added.second) {
        refuse(session, ErrorCode::already_connected,
               "this name is being registered by another connection");
        return;
    }
    added.first->second = {session.shared_from_this(), line_of(login)};
    session.logged_in();  // stops the login time-out while it waits
}

void Lobby::settle(std::string_view name) {
    const auto found = registrations_.find(name);
    if (found == registrations_.end()) return;
    const auto node = registrations_.extract(found);
    const auto& waiting = node.mapped();
    if (waiting.session->closed()) return;
    protocol::json::Document document;
    const auto message = protocol::decode_from_bot(waiting.login_line, document);
    const auto* login = std::get_if<protocol::Login>(&message);
    REFEREE_ASSERT(login != nullptr);
    on_login(*waiting.session, *login);
}

void Lobby::show_out(std::string_view name, std::string_view message) {
    const auto found = bots_.find(name);
    if (found == bots_.end() || !found->second->connected()) return;
    const auto session = found->second->session()->shared_from_this();
    session->send(protocol::Bye{protocol::name_of(protocol::ByeReason::refused), message});
    session->close(CloseCause::refused);
}

void Lobby::welcome(Bot& bot, std::shared_ptr<Session> session, const protocol::Login& login) {
    auto& connection = *session;
    connection.logged_in();
    owners_[&connection] = &bot;
    bot.connect(std::move(session), login);
    bot.path(timers_.now());  // the others of its network are held against it from now on
    protocol::Welcome message;
    message.name = bot.name();
    message.session = connection.id();
    message.parallel = login.parallel;
    message.state = login.state;
    for (const auto game : login.games) {
        if (std::find(games_.begin(), games_.end(), game) != games_.end())
            message.games.push_back(game);
    }
    connection.send(message);
    const auto places = bot.places();
    for (const auto& place : places) place.game->on_connected(place.seat);
    connection.flush();
    events_.on_arrived(bot);
}

void Lobby::challenge(Bot& bot, Session& session, const protocol::Login& login) {
    if (challenges_.contains(bot.name())) {
        refuse(session, ErrorCode::already_connected,
               "this bot is connected, and another login of it is waiting already");
        return;
    }
    Challenge waiting;
    waiting.session = session.shared_from_this();
    waiting.login_line = line_of(login);
    waiting.ping = ++last_ping_;
    waiting.timer = timers_.schedule(timers_.now() + protocol::limits::probe_time_max,
                                     [this, name = bot.name()] { replace(name); });
    session.logged_in();  // no login time-out while it waits for the probe
    challenges_.emplace(bot.name(), std::move(waiting));
    bot.session()->send(protocol::Ping{last_ping_});
    bot.session()->flush();
}

void Lobby::replace(const std::string& name) {
    auto node = challenges_.extract(name);
    if (node.empty()) return;
    auto& bot = this->bot(name);
    auto challenger = std::move(node.mapped().session);
    if (challenger->closed()) return;
    if (bot.connected()) {
        const auto old = bot.session()->shared_from_this();
        old->send(protocol::Bye{protocol::name_of(protocol::ByeReason::replaced),
                                "a newer login took this connection's place"});
        old->close(CloseCause::replaced);
    }
    protocol::json::Document document;
    const auto message = protocol::decode_from_bot(node.mapped().login_line, document);
    const auto* login = std::get_if<protocol::Login>(&message);
    REFEREE_ASSERT(login != nullptr);
    welcome(bot, std::move(challenger), *login);
}

void Lobby::on_pong(Session& session, const protocol::Pong& pong) {
    const auto* bot = bot_of(session);
    if (bot == nullptr) return;
    const auto found = challenges_.find(bot->name());
    if (found == challenges_.end() || found->second.ping != pong.id) return;
    timers_.cancel(found->second.timer);
    const auto challenger = std::move(found->second.session);
    challenges_.erase(found);
    if (!challenger->closed()) {
        refuse(*challenger, ErrorCode::already_connected,
               "this bot is connected already, and that connection is alive");
    }
}

bool Lobby::not_in_yet(Session& session) {
    protocol::ProtocolError error;
    error.code = ErrorCode::login_expected;
    error.message =
        "the login is not accepted yet: its name is being registered, or another connection of "
        "this bot is being asked "
        "for a sign of life; expected no message before welcome";
    session.send(error);
    session.flush();
    return false;
}

bool Lobby::on_ready(Session& session, const protocol::Ready& ready) {
    auto* bot = bot_of(session);
    if (bot == nullptr) return not_in_yet(session);
    const auto place = bot->place_in(ready.game_id);
    if (place.game != nullptr) return place.game->on_ready(place.seat);
    return unknown_game(session, *bot, ready.game_id, std::nullopt);
}

bool Lobby::on_move(Session& session, const protocol::Move& move, std::string_view line,
                    Stamp arrived) {
    auto* bot = bot_of(session);
    if (bot == nullptr) return not_in_yet(session);
    const auto place = bot->place_in(move.game_id);
    if (place.game != nullptr) return place.game->on_move(place.seat, move, line, arrived);
    return unknown_game(session, *bot, move.game_id, move.turn);
}

bool Lobby::unknown_game(Session& session, Bot& bot, std::string_view game_id,
                         std::optional<std::int64_t> turn) {
    if (bot.played_lately(game_id)) {
        protocol::Note note;
        note.code = protocol::name_of(protocol::NoteCode::game_over);
        note.message = "the game is over; this was dropped";
        note.game_id = game_id;
        note.turn = turn;
        session.send(note);
    } else {
        protocol::ProtocolError error;
        error.code = ErrorCode::unknown_game;
        error.message = "you are in no game of this id; expected a game_id that start told";
        error.expected = protocol::example(protocol::BotMessage::move);
        error.member = "game_id";
        session.send(error);
    }
    session.flush();
    return false;
}

void Lobby::on_error(Session& session, const protocol::ProtocolError& error) {
    auto* bot = bot_of(session);
    if (bot == nullptr) return;
    const auto places = bot->places();
    for (const auto& place : places) {
        if (bot->place_in(place.game->game_id()).game != nullptr)
            place.game->on_bad_line(place.seat, error);
    }
}

void Lobby::on_closed(Session& session, CloseCause cause) {
    const auto keep = session.shared_from_this();
    const auto address = addresses_.find(session.transport().peer_address());
    if (--address->second == 0) addresses_.erase(address);
    sessions_.erase(&session);
    std::erase_if(registrations_,
                  [&](const auto& waiting) { return waiting.second.session.get() == &session; });
    std::erase_if(challenges_, [&](const auto& waiting) {
        if (waiting.second.session.get() != &session) return false;
        timers_.cancel(waiting.second.timer);
        return true;
    });
    const auto owner = owners_.find(&session);
    if (owner == owners_.end()) return;
    auto& bot = *owner->second;
    owners_.erase(owner);
    bot.disconnect(cause);
    events_.on_left(bot, cause);
    // A login that waited for this connection to be proved dead gets its place now.
    const auto waiting = challenges_.find(bot.name());
    if (waiting != challenges_.end() && cause != CloseCause::replaced) {
        timers_.cancel(waiting->second.timer);
        replace(bot.name());
    }
}

void Lobby::close_all(protocol::ByeReason reason, std::string_view message) {
    for (auto& [name, waiting] : challenges_) timers_.cancel(waiting.timer);
    challenges_.clear();
    registrations_.clear();
    std::vector<std::shared_ptr<Session>> all;
    for (const auto& [address, session] : sessions_) all.push_back(session);
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return a->id() < b->id(); });
    for (const auto& session : all) {
        session->send(protocol::Bye{protocol::name_of(reason), message});
        session->close(CloseCause::released);
    }
}

}  // namespace referee::lobby
