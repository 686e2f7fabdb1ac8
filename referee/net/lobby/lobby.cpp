#include "referee/net/lobby/lobby.h"

#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/limits.h"

namespace referee::lobby {
namespace {

// And at once of what they did not take before: a class that comes in the same moment, by TLS, is
// not held up.
constexpr Duration strangers_time_at_once = std::chrono::milliseconds(100);

using protocol::ErrorCode;

// What a browser is told of the name and the secret that it brought.
LoginRoster::Refusal refusal_on_web(const protocol::Login& login, LoginRoster::Answer answer) {
    using enum LoginRoster::Verdict;
    switch (answer.verdict) {
        case refused:
            return std::move(answer.refusal);
        case wrong_token:
            return {ErrorCode::wrong_token,
                    "the token is not the one that belongs to this name; expected the one that the "
                    "bot logs in with"};
        case wrong_password:
            return {ErrorCode::wrong_password,
                    "that is not the class password; expected the one that the instructor gave"};
        case token_needed:
            return {ErrorCode::token_needed,
                    fmt::format("expected a token of at least {} bytes, which the name will belong "
                                "to; it has {}",
                                protocol::limits::registered_token_bytes_min, login.token.size())};
        default:
            return {ErrorCode::unknown_name,
                    "no bot of this name is known here; expected the name as the bot logs in, "
                    "letter for letter"};
    }
}

}  // namespace

using protocol::ErrorCode;
using session::CloseCause;
using session::Session;

Lobby::Lobby(loop::Timers& timers, const boost::asio::any_io_executor& executor,
             LoginRoster& roster, LobbyEvents& events, std::vector<std::string> games,
             LobbyLimits limits, std::string version)
    : timers_(timers),
      executor_(executor),
      roster_(roster),
      events_(events),
      games_(std::move(games)),
      limits_(std::move(limits)),
      version_(std::move(version)),
      allowances_(limits_.network),
      strangers_time_(timers_, strangers_share, strangers_time_at_once),
      guesses_(timers_, [this](const std::string& news) { events_.on_guessing(news); }) {}

void Lobby::set_limits(const LobbyLimits& limits) {
    limits_ = limits;
    allowances_.set_ranges(limits_.network);
}

Lobby::~Lobby() {
    REFEREE_ASSERT(connections_.empty());
}

void Lobby::admit(std::unique_ptr<transport::Transport> transport, const Admission& admission) {
    const bool launched = !admission.launched.empty();
    auto network =
        launched ? "the launched bot " + admission.launched : network_of(transport->peer_address());
    if (!launched) make_room(network);
    auto limits = limits_.session;
    if (admission.login_time_max) limits.login_time_max = *admission.login_time_max;
    auto session =
        std::make_shared<Session>(std::string("s").append(std::to_string(++last_session_)),
                                  std::move(transport), timers_, *this, limits, executor_);
    if (!launched) strangers_.add(*session, network);
    if (!session->transport().is_standard_output()) session->take_turns(strangers_time_, network);
    connections_.emplace(session.get(), Connection{.session = session,
                                                   .network = std::move(network),
                                                   .launched = admission.launched});
    session->start(version_);
}

void Lobby::make_room(const std::string& network) {
    const auto refuse_stranger = [this](Session& stranger) {
        refuse(stranger, ErrorCode::too_many_connections,
               "others want this place, and you had not logged in; come back, and send the login "
               "as soon as hello is there");
    };
    const auto keep_below = [](std::size_t most) { return std::max<std::size_t>(most, 1); };
    while (strangers_.size(network) >= keep_below(limits_.connections.strangers_per_address_max))
        refuse_stranger(strangers_.first_to_go(network));
    while (strangers_.size() >= keep_below(limits_.connections.strangers_max))
        refuse_stranger(strangers_.first_to_go());
}

Bot& Lobby::bot(std::string_view name) {
    if (const auto* const known = base::find_in(bots_, name)) return **known;
    return *bots_.emplace(std::string(name), std::make_unique<Bot>(std::string(name), allowances_))
                .first->second;
}

void Lobby::refuse(Session& session, ErrorCode code, std::string_view message,
                   std::string expected) {
    if (expected.empty()) expected = protocol::example(protocol::BotMessage::login);
    const protocol::ProtocolError error{code, std::string(message), std::move(expected), {}, {}};
    if (player(session) == nullptr) tell_turned_away(session, error);
    session.send_refusal(error);
    session.close(CloseCause::refused);
}

void Lobby::disconnect(std::string_view name, std::string_view message) {
    const auto found = bots_.find(name);
    if (found == bots_.end()) return;
    std::vector<std::shared_ptr<Session>> theirs;
    for (const auto& [session, connection] : connections_) {
        if (connection.bot == found->second.get()) theirs.push_back(connection.session);
    }
    for (const auto& session : theirs) {
        session->send(protocol::Bye{protocol::name_of(protocol::ByeReason::refused), message});
        session->close(CloseCause::refused);
    }
}

Bot* Lobby::player(const Session& session) const {
    const auto* const connection = base::find_in(connections_, &session);
    return connection == nullptr || connection->is_bystander() ? nullptr : connection->bot;
}

bool Lobby::plays_nothing(Session& session) {
    if (connections_.at(&session).is_bystander()) {
        return session.send_error(ErrorCode::unknown_game,
                                  "this connection plays no game, as its login's \"purpose\" says; "
                                  "expected a question or "
                                  "a program, or a login without \"purpose\" to play",
                                  protocol::example(protocol::BotMessage::games));
    }
    return session.send_error(
        ErrorCode::login_expected,
        "the login is not accepted yet: it waits because of wrong tries before it, its name is "
        "being registered, or another connection of this bot is being asked for a sign of life; "
        "expected no message before welcome");
}

void Lobby::on_question(Session& session, const protocol::Question& question) {
    const auto* const bot = connections_.at(&session).bot;
    if (bot == nullptr) {
        plays_nothing(session);
    } else {
        events_.on_question(*bot, session, question);
    }
}

bool Lobby::on_handing_in(Session& session, const protocol::HandingIn& message) {
    const auto& connection = connections_.at(&session);
    if (connection.bot == nullptr) return plays_nothing(session);
    if (connection.purpose == protocol::Purpose::submit)
        return events_.on_handing_in(*connection.bot, session, message);
    return session.send_error(
        ErrorCode::submission_refused,
        "this connection hands in no program, as its login said; expected a login with "
        "\"purpose\":\"submit\" before, on a connection of its own",
        protocol::example(protocol::BotMessage::submit));
}

bool Lobby::on_ready(Session& session, const protocol::Ready& ready) {
    auto* const bot = player(session);
    if (bot == nullptr) return plays_nothing(session);
    const auto place = bot->place_in(ready.game_id);
    if (place.game != nullptr) return place.game->on_ready(place.seat);
    return unknown_game(session, *bot, ready.game_id, std::nullopt);
}

bool Lobby::on_move(Session& session, const protocol::Move& move, std::string_view line,
                    Stamp arrived) {
    auto* const bot = player(session);
    if (bot == nullptr) return plays_nothing(session);
    const auto place = bot->place_in(move.game_id);
    if (place.game != nullptr) return place.game->on_move(place.seat, move, line, arrived);
    for (const auto& seated : bot->places())
        seated.game->on_foreign_move(seated.seat, line, arrived);
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
        session.flush();
        return false;
    }
    std::string message =
        "you are in no game of this id; expected the game_id that start and turn tell";
    if (!bot.places().empty()) message += ", now \"" + bot.places().front().game->game_id() + '"';
    return session.send_error(ErrorCode::unknown_game, std::move(message), session.awaited_line(),
                              "game_id");
}

std::string Lobby::awaited_line(const Session& session) const {
    const auto* const bot = player(session);
    if (bot == nullptr) return {};
    for (const auto& place : bot->places()) {
        if (auto line = place.game->awaited_line(place.seat); !line.empty()) return line;
    }
    return {};
}

void Lobby::on_error(Session& session, const protocol::ProtocolError& error) {
    const auto* const bot = player(session);
    if (bot == nullptr) return tell_turned_away(session, error);
    const auto places = bot->places();
    for (const auto& place : places) {
        if (bot->place_in(place.game->game_id()).game != nullptr)
            place.game->on_bad_line(place.seat, error);
    }
}

void Lobby::on_closed(Session& session, CloseCause cause) {
    const auto keep = session.shared_from_this();
    const auto connection = std::move(connections_.extract(&session).mapped());
    strangers_.remove(session);
    if (connection.delayed) timers_.cancel(connection.delayed->timer);
    std::erase_if(registrations_,
                  [&](const auto& waiting) { return waiting.second.session.get() == &session; });
    std::erase_if(challenges_, [&](const auto& waiting) {
        if (waiting.second.session.get() != &session) return false;
        timers_.cancel(waiting.second.timer);
        return true;
    });
    if (connection.bot == nullptr) return;
    count_out(connection);
    if (connection.is_bystander()) return;
    auto& bot = *connection.bot;
    bot.disconnect(cause);
    events_.on_left(bot, cause);
    // A login that waited for this connection to be proved dead gets its place now.
    const auto waiting = challenges_.find(bot.name());
    if (waiting != challenges_.end() && cause != CloseCause::replaced) {
        timers_.cancel(waiting->second.timer);
        replace(bot.name());
    }
}

void Lobby::tell_turned_away(const Session& session, const protocol::ProtocolError& error) {
    const auto& launched = connections_.at(&session).launched;
    if (!launched.empty()) events_.on_turned_away(bot(launched), error);
}

void Lobby::count_in(const Session& session, Bot& bot, protocol::Purpose purpose) {
    auto& connection = connections_.at(&session);
    connection.bot = &bot;
    connection.purpose = purpose;
    if (!connection.launched.empty()) return;
    ++networks_[connection.network];
    ++dialled_in_;
}

void Lobby::count_out(const Connection& connection) {
    if (!connection.launched.empty()) return;
    --dialled_in_;
    const auto network = networks_.find(connection.network);
    if (--network->second == 0) networks_.erase(network);
}

void Lobby::close_all(protocol::ByeReason reason, std::string_view message) {
    for (auto& [name, waiting] : challenges_) timers_.cancel(waiting.timer);
    challenges_.clear();
    std::vector<std::shared_ptr<Session>> all;
    for (const auto& [address, connection] : connections_) all.push_back(connection.session);
    std::ranges::sort(all, {}, &Session::id);
    for (const auto& session : all) {
        session->send(protocol::Bye{protocol::name_of(reason), message});
        session->close(CloseCause::released);
    }
}

// Those who prove who they are, or register a name, and are no connection of the lobby's.

void Lobby::judge_from_web(const protocol::Login& login, const std::string& address,
                           OnJudged on_judged) {
    WebLogin web_login{.kept = KeptLogin(login),
                       .address = address,
                       .on_judged = std::move(on_judged),
                       .tried = try_from(network_of(address), login)};
    const auto wait = std::max(guesses_.wait_of(web_login.tried), strangers_time_.wait());
    if (wait <= Duration::zero()) return judge_web_login(std::move(web_login));
    auto place = guesses_.take_place(web_login.tried);
    if (place == nullptr) {
        web_login.on_judged(base::failure(LoginRoster::Refusal{
            ErrorCode::too_many_tries,
            "too many logins from your address wait for an answer, because " +
                web_login.tried.secret +
                " or another secret was told wrongly again and again; expected another try in some "
                "seconds, and none before"}));
        return;
    }
    const auto waiting = std::make_shared<std::pair<WebLogin, Guesses::Place>>(std::move(web_login),
                                                                               std::move(place));
    timers_.schedule(timers_.now() + wait, life_.while_it_lasts([this, waiting] {
        waiting->second.reset();
        judge_web_login(std::move(waiting->first));
    }));
}

void Lobby::judge_web_login(WebLogin web_login) {
    const auto piece = strangers_time_.begin(web_login.tried.network);
    const auto& login = web_login.kept.login();
    auto answer = roster_.check(login, web_login.address);
    count_guess(web_login.tried, answer.verdict);
    if (answer.verdict == LoginRoster::Verdict::welcome) return web_login.on_judged({});
    if (answer.verdict != LoginRoster::Verdict::pending)
        return web_login.on_judged(base::failure(refusal_on_web(login, std::move(answer))));
    if (!web_logins_registering_.try_emplace(std::string(login.name), std::move(web_login)).second)
        web_login.on_judged(base::failure(
            LoginRoster::Refusal{ErrorCode::already_connected,
                                 "this name is being registered by somebody else at this moment"}));
}

void Lobby::count_guess(const Guesses::Try& tried, LoginRoster::Verdict verdict) {
    using enum LoginRoster::Verdict;
    if (verdict == wrong_token || verdict == wrong_password) {
        guesses_.was_wrong(tried);
    } else if (verdict == welcome || verdict == pending) {
        guesses_.was_right(tried);
    }
}

}  // namespace referee::lobby
