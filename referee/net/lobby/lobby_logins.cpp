#include <algorithm>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/limits.h"
#include "referee/net/lobby/lobby.h"

// From a connection to a bot that is logged in: secrets, second logins, places.

namespace referee::lobby {

// Connections that play nothing, of one name: a student's terminals.
constexpr std::size_t bystanders_of_bot_max = 4;

using protocol::ErrorCode;
using session::CloseCause;
using session::Session;

namespace {

// What the bot might have sent instead: its own login, with what is missing or wrong in it marked
// by words that nobody takes for real.
std::string example_for(const protocol::Login& login, bool with_password) {
    auto example = login;
    example.token = "the token of this name";
    if (with_password) {
        example.token = "a token of yours, 8 bytes or more";
        example.password = "the class password";
    } else {
        example.password = {};
    }
    example.client = {};
    example.version = {};
    example.other_protocol = {};
    std::string line;
    protocol::encode(line, example);
    line.pop_back();  // the line feed
    return line;
}

// A login that asks for another version of the protocol holds, but isn't taken without a word.
void tell_protocol(Session& session, const protocol::Login& login) {
    if (!login.other_protocol) return;
    const auto spoken = std::to_string(protocol::protocol_version);
    const auto message =
        "the login asks for protocol " +
        base::readable(login.other_protocol.json_text(), protocol::limits::name_bytes_max) +
        ", and the versions that are spoken here are: " + spoken + "; this connection speaks " +
        spoken;
    session.send(protocol::Note{.code = name_of(protocol::NoteCode::other_protocol),
                                .message = message,
                                .game_id = {},
                                .turn = {}});
}

}  // namespace

KeptLogin::KeptLogin(const protocol::Login& login) : login_(login) {
    for (auto* const text :
         {&login_.name, &login_.token, &login_.password, &login_.client, &login_.version})
        keep(*text);
    for (auto& game : login_.games) keep(game);
    if (!login.other_protocol) return;
    login_.other_protocol = texts_.emplace_front(login.other_protocol.json_text());
}

void Lobby::on_login(Session& session, const protocol::Login& login) {
    const auto& connection = connections_.at(&session);
    if (connection.delayed) {
        plays_nothing(session);
        return;
    }
    const auto tried = try_from(connection.network, login);
    const auto wait = guesses_.wait_of(tried);
    if (wait > Duration::zero()) return delay(session, login, tried, wait);
    judge(session, login, tried);
}

Guesses::Try Lobby::try_from(const std::string& network, const protocol::Login& login) const {
    if (roster_.knows(login.name)) return {network, "the token of " + std::string(login.name)};
    return {network, "the class password", true};
}

// It keeps its place while it waits. So no more than half of the places go to those who wait: the
// others are for those who come.
void Lobby::delay(Session& session, const protocol::Login& login, const Guesses::Try& tried,
                  Duration wait) {
    const auto& network = tried.network;
    const bool crowded =
        strangers_.held() >= limits_.connections.strangers_max / 2 ||
        strangers_.held(network) >= limits_.connections.strangers_per_address_max / 2;
    auto place = crowded ? nullptr : guesses_.take_place(tried);
    if (place == nullptr)
        return refuse(
            session, ErrorCode::too_many_tries,
            "too many logins from your address wait for an answer, because " + tried.secret +
                " or another secret was told wrongly again and again; expected another login "
                "in some seconds, and none before");
    strangers_.hold(session);
    const auto timer = timers_.schedule(timers_.now() + wait,
                                        [this, waiting = &session] { judge_delayed(*waiting); });
    connections_.at(&session).delayed.emplace(
        Delayed{KeptLogin(login), tried, std::move(place), timer});
}

void Lobby::judge_delayed(Session& session) {
    auto& delayed = connections_.at(&session).delayed;
    if (const auto wait = strangers_time_.wait(); wait > Duration::zero()) {
        delayed->timer =
            timers_.schedule(timers_.now() + wait, [this, &session] { judge_delayed(session); });
        return;
    }
    const auto [kept, tried, place, timer] = *std::exchange(delayed, std::nullopt);
    const auto piece = strangers_time_.begin(tried.network);
    const auto keep = session.shared_from_this();
    judge(session, kept.login(), tried);
}

void Lobby::judge(Session& session, const protocol::Login& login, const Guesses::Try& tried) {
    const auto [verdict, refusal] = roster_.check(login, session.transport().peer_address());
    count_guess(tried, verdict);
    using enum LoginRoster::Verdict;
    if (verdict == welcome) return let_in(session, login);
    if (verdict == pending) return wait_for_roster(session, login);
    if (verdict == refused) {
        const bool is_new =
            refusal.code == ErrorCode::name_too_similar || refusal.code == ErrorCode::not_on_roster;
        const auto meant = is_new ? meant_by(session, login) : std::string();
        // Who types its own name wrongly needs no other name.
        if (!meant.empty()) return refuse_login(session, login, unknown_name, meant);
        auto right = login;
        if (is_new || refusal.code == ErrorCode::name_refused) right.name = "another name";
        if (refusal.code == ErrorCode::not_on_roster) right.name = "your name on the roster";
        return refuse(session, refusal.code, refusal.message,
                      example_for(right, !login.password.empty()));
    }
    const bool new_name = verdict == unknown_name || verdict == wrong_password;
    refuse_login(session, login, verdict, new_name ? meant_by(session, login) : std::string());
}

std::string Lobby::meant_by(const Session& session, const protocol::Login& login) {
    if (login.token.empty()) return {};
    auto other = roster_.near(login.name);
    if (other.empty() || other == login.name) return {};
    auto other_login = login;
    other_login.name = other;
    const auto tried = try_from(connections_.at(&session).network, other_login);
    if (guesses_.wait_of(tried) > Duration::zero()) return {};
    const auto is_its = roster_.is_token_of(other, login.token);
    if (is_its && !*is_its) guesses_.was_wrong(tried);
    return is_its.value_or(false) ? other : std::string();
}

void Lobby::refuse_login(Session& session, const protocol::Login& login,
                         LoginRoster::Verdict verdict, const std::string& meant) {
    const auto hint = meant.empty() ? std::string()
                                    : "; your token is that of \"" + meant +
                                          "\": log in by that name, letter for letter";
    const auto& launched = connections_.at(&session).launched;
    const auto name = "the name " + base::quoted(login.name);
    auto right = login;
    if (!meant.empty()) right.name = meant;
    switch (verdict) {
        case LoginRoster::Verdict::wrong_password:
            return refuse(
                session, ErrorCode::wrong_password,
                std::string("no bot of this name is registered here yet, and ") +
                    (login.password.empty() ? "the login has no \"password\""
                                            : "its \"password\" is not the class password") +
                    "; expected the class password there to register the name (kits take it "
                    "from REFEREE_PASSWORD)" +
                    hint,
                example_for(right, meant.empty()));
        case LoginRoster::Verdict::token_needed:
            return refuse(
                session, ErrorCode::token_needed,
                fmt::format("the name is free; expected a \"token\" of at least {} bytes with it, "
                            "which the name will belong to (kits take it from REFEREE_TOKEN); {}",
                            protocol::limits::registered_token_bytes_min,
                            login.token.empty()
                                ? "the login has none"
                                : "the login's has " + std::to_string(login.token.size())),
                example_for(right, true));
        case LoginRoster::Verdict::wrong_token:
            return refuse(
                session, ErrorCode::wrong_token,
                (login.token.empty()
                     ? name + " has a token, and the login has none; expected it in \"token\""
                     : "the token is not the one that belongs to " + name +
                           "; expected the one that you were given, or registered it with") +
                    " (kits take it from REFEREE_TOKEN). If the name is yours, ask your "
                    "instructor for a new token; only if it isn't, choose another name (kits "
                    "take it from REFEREE_NAME)",
                example_for(right, false));
        default:
            if (meant.empty()) right.name = "the name that you were given";
            if (!launched.empty()) right.name = launched;
            return refuse(
                session, ErrorCode::unknown_name,
                "no bot of " + name + " is registered here; " +
                    (launched.empty() ? std::string("check its spelling")
                                      : "this one was launched as " + base::quoted(launched)) +
                    " (kits take the name from REFEREE_NAME)" + hint,
                example_for(right, false));
    }
}

void Lobby::let_in(Session& session, const protocol::Login& login) {
    if (login.purpose != protocol::Purpose::play) return let_in_bystander(session, login);
    const auto played_here = [this](auto game) { return base::contains(games_, game); };
    if (std::ranges::none_of(login.games, played_here))
        return refuse(
            session, ErrorCode::no_common_game,
            "none of these games is played here; expected one of: " + base::joined(games_, " "));
    auto& bot = this->bot(login.name);
    if (!bot.connected() && !has_place_for(session)) {
        events_.on_turned_away(bot, {ErrorCode::too_many_connections, {}, {}, {}, {}});
        refuse(session, ErrorCode::too_many_connections,
               "as many bots are logged in as may be, in all or from your address; expected that "
               "some of them leave before you come back");
    } else if (bot.connected()) {
        challenge(bot, session, login);
    } else {
        welcome(bot, session.shared_from_this(), login);
    }
}

void Lobby::let_in_bystander(Session& session, const protocol::Login& login) {
    auto& bot = this->bot(login.name);
    const auto others = std::ranges::count_if(connections_, [&bot](const auto& one) {
        return one.second.bot == &bot && one.second.is_bystander();
    });
    if (full_for(session) || static_cast<std::size_t>(others) >= bystanders_of_bot_max)
        return refuse(
            session, ErrorCode::too_many_connections,
            "as many connections ask or hand in programs in this name as may, or as many bots are "
            "logged in as may be; expected that some of them leave before you come back",
            example_for(login, false));
    session.logged_in(bot.gives_back_login(timers_.now()));
    strangers_.remove(session);
    count_in(session, bot, login.purpose);
    protocol::Welcome message;
    message.name = bot.name();
    message.session = session.id();
    message.purpose = login.purpose;
    session.send(message);
    tell_protocol(session, login);
    session.flush();
}

void Lobby::wait_for_roster(Session& session, const protocol::Login& login) {
    Registration waits{session.shared_from_this(), KeptLogin(login)};
    if (!registrations_.try_emplace(std::string(login.name), std::move(waits)).second)
        return refuse(session, ErrorCode::already_connected,
                      "this name is being registered by another connection");
    strangers_.hold(session);
    session.logged_in();  // stops the login time-out while it waits
}

void Lobby::settle(std::string_view name) {
    if (const auto web_login = web_logins_registering_.find(name);
        web_login != web_logins_registering_.end())
        judge_web_login(std::move(web_logins_registering_.extract(web_login).mapped()));
    const auto found = registrations_.find(name);
    if (found == registrations_.end()) return;
    const auto [session, kept] = std::move(registrations_.extract(found).mapped());
    if (session->closed()) return;
    const auto& login = kept.login();
    judge(*session, login, try_from(connections_.at(session.get()).network, login));
}

bool Lobby::full_for(const Session& session) const {
    const auto& connection = connections_.at(&session);
    if (!connection.launched.empty()) return false;
    const auto neighbours = networks_.find(connection.network);
    return dialled_in_ >= limits_.connections.bots_max ||
           (neighbours != networks_.end() &&
            neighbours->second >= limits_.connections.bots_per_address_max);
}

bool Lobby::has_place_for(const Session& session) {
    const auto& network = connections_.at(&session).network;
    const auto age = [](const std::shared_ptr<Session>& one) {
        return std::pair(one->id().size(), std::string_view(one->id()));  // "s9" is before "s10"
    };
    while (full_for(session)) {
        const bool own_network = dialled_in_ < limits_.connections.bots_max;
        std::shared_ptr<Session> oldest;
        for (const auto& [other, connection] : connections_) {
            if (!connection.is_bystander() || (own_network && connection.network != network))
                continue;
            if (!oldest || age(connection.session) < age(oldest)) oldest = connection.session;
        }
        if (!oldest) return false;
        refuse(*oldest, ErrorCode::too_many_connections,
               "a bot that plays needs the place of this connection, which plays nothing; expected "
               "that some bots leave before you come again");
        if (connections_.contains(oldest.get())) return false;
    }
    return true;
}

void Lobby::welcome(Bot& bot, std::shared_ptr<Session> session, const protocol::Login& login) {
    auto& connection = *session;
    connection.logged_in(bot.gives_back_login(timers_.now()));
    strangers_.remove(connection);
    count_in(connection, bot, protocol::Purpose::play);
    bot.connect(std::move(session), login);
    bot.path(timers_.now());  // the others of its network are held against it from now on
    protocol::Welcome message;
    message.name = bot.name();
    message.session = connection.id();
    message.parallel = login.parallel;
    message.state = login.state;
    std::ranges::copy_if(login.games, std::back_inserter(message.games),
                         [this](auto game) { return base::contains(games_, game); });
    std::string page;
    if (page_of_ && connections_.at(&connection).launched.empty() && !login.token.empty())
        page = page_of_(bot);
    message.page = page;
    connection.send(message);
    tell_protocol(connection, login);
    const auto places = bot.places();
    for (const auto& place : places) place.game->on_connected(place.seat);
    connection.flush();
    events_.on_arrived(bot);
}

void Lobby::challenge(Bot& bot, Session& session, const protocol::Login& login) {
    if (challenges_.contains(bot.name()))
        return refuse(
            session, ErrorCode::already_connected,
            "this bot is connected, and another login of it waits already; end one of these");
    const auto timer = timers_.schedule(timers_.now() + protocol::limits::probe_time_max,
                                        [this, name = bot.name()] { replace(name); });
    strangers_.hold(session);
    // No login time-out while it waits for the probe.
    session.logged_in(bot.gives_back_login(timers_.now()));
    bot.session()->send(protocol::Ping{++last_ping_});
    challenges_.emplace(bot.name(),
                        Challenge{session.shared_from_this(), KeptLogin(login), last_ping_, timer});
    bot.session()->flush();
}

void Lobby::replace(const std::string& name) {
    auto node = challenges_.extract(name);
    if (node.empty()) return;
    auto& bot = this->bot(name);
    auto& [challenger, kept, ping, timer] = node.mapped();
    if (challenger->closed()) return;
    if (bot.connected()) {
        const auto old = bot.session()->shared_from_this();
        old->send(protocol::Bye{protocol::name_of(protocol::ByeReason::replaced),
                                "a newer login took this connection's place"});
        old->close(CloseCause::replaced);
    }
    welcome(bot, std::move(challenger), kept.login());
}

void Lobby::on_pong(Session& session, const protocol::Pong& pong) {
    const auto* const bot = player(session);
    if (bot == nullptr) return;
    const auto found = challenges_.find(bot->name());
    if (found == challenges_.end() || found->second.ping != pong.id) return;
    timers_.cancel(found->second.timer);
    const auto challenger = std::move(found->second.session);
    challenges_.erase(found);
    if (challenger->closed()) return;
    refuse(*challenger, ErrorCode::already_connected,
           "this bot is connected already, and that connection is alive; end that "
           "program first, or choose another name if it isn't yours");
}

}  // namespace referee::lobby
