#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "protocol/address.h"
#include "protocol/base/bytes.h"
#include "protocol/base/visible_text.h"
#include "protocol/limits.h"
#include "sample_bots/cpp/bot/bot.h"
#include "sample_bots/cpp/bot/options.h"
#include "sample_bots/cpp/referee_bot.hpp"

namespace bots {
namespace {

using referee_bot::Connection;
using Json = referee_bot::json;

std::string fingerprint_of(const X509& certificate) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
    unsigned size = 0;
    X509_digest(&certificate, EVP_sha256(), hash.data(), &size);
    return base::hex_of({hash.data(), size});
}

std::string reason() {
    const auto code = ERR_peek_error();
    const char* const words = ERR_GET_REASON(code) == SSL_R_WRONG_VERSION_NUMBER
                                  ? "what answers there speaks no TLS"
                                  : ERR_reason_error_string(code);
    std::string text = words != nullptr ? words : "the other side ended the connection";
    ERR_clear_error();
    return text;
}

// Makes the call again where a signal ended it; whether it went well.
template <typename Call>
bool insist(SSL& ssl, Call call) {
    while (true) {
        ERR_clear_error();
        const int done = call();
        if (done == 1) return true;
        const int error = SSL_get_error(&ssl, done);
        if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) return false;
    }
}

// Speaks over the socket of another connection.
class TlsConnection final : public referee_bot::Connection {
 public:
    explicit TlsConnection(std::unique_ptr<Connection> tcp)
        : Connection(-1, -1), tcp_(std::move(tcp)), context_(SSL_CTX_new(TLS_client_method())) {
        SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION);
        SSL_CTX_set_default_verify_paths(context_.get());
        ssl_.reset(SSL_new(context_.get()));
        SSL_set_fd(ssl_.get(), tcp_->socket());
    }
    ~TlsConnection() override {
        ERR_clear_error();
        SSL_shutdown(ssl_.get());
    }

    // Shakes hands and looks who answers.
    void begin(const protocol::ServerAddress& address) {
        auto* const ssl = ssl_.get();
        SSL_set_tlsext_host_name(ssl, address.host.c_str());
        const bool by_fingerprint = !address.fingerprint.empty();
        if (!by_fingerprint) {
            SSL_set_verify(ssl, SSL_VERIFY_PEER, nullptr);
            SSL_set1_host(ssl, address.host.c_str());
        }
        if (!insist(*ssl, [ssl] { return SSL_connect(ssl); })) refuse(address);
        const std::unique_ptr<X509, Free> found(SSL_get1_peer_certificate(ssl));
        const auto fingerprint = found != nullptr ? fingerprint_of(*found) : std::string("none");
        if (by_fingerprint && fingerprint != address.fingerprint) {
            throw referee_bot::NotAReferee(
                "another certificate than the address names answers at " + host_and_port(address) +
                ": expected sha256=" + address.fingerprint + ", found sha256=" + fingerprint +
                "; no token was sent. Ask the instructor whether the referee has a new one");
        }
    }

 protected:
    ssize_t receive(char* room, std::size_t size) override {
        std::size_t bytes = 0;
        const bool good =
            insist(*ssl_, [&] { return SSL_read_ex(ssl_.get(), room, size, &bytes); });
        return good ? static_cast<ssize_t>(bytes) : 0;
    }
    ssize_t transmit(const char* data, std::size_t size) override {
        std::size_t bytes = 0;
        const bool good =
            insist(*ssl_, [&] { return SSL_write_ex(ssl_.get(), data, size, &bytes); });
        return good ? static_cast<ssize_t>(bytes) : 0;
    }

 private:
    struct Free {
        void operator()(SSL* object) const { SSL_free(object); }
        void operator()(SSL_CTX* object) const { SSL_CTX_free(object); }
        void operator()(X509* object) const { X509_free(object); }
    };

    [[noreturn]] void refuse(const protocol::ServerAddress& address) const {
        const bool by_fingerprint = !address.fingerprint.empty();
        const bool trusted = SSL_get_verify_result(ssl_.get()) == X509_V_OK;
        const auto* const remedy =
            by_fingerprint || trusted
                ? "look whether this is the referee's port for TLS; its other port's address is "
                  "HOST:PORT alone"
                : "a certificate that the referee made itself needs its fingerprint: ask the "
                  "instructor for the whole address, tls://HOST:PORT#sha256=...";
        const auto text = to_text(address) + ": TLS could not begin (" + reason() + "); " + remedy;
        if (!by_fingerprint && !trusted) throw referee_bot::NotAReferee(text);
        throw referee_bot::Lost(text);
    }

    std::unique_ptr<Connection> tcp_;
    std::unique_ptr<SSL_CTX, Free> context_;
    std::unique_ptr<SSL, Free> ssl_;
};

// A connection to "tls://host:port#sha256=...". The certificate must have the fingerprint that the
// address names; where it names none, it must be one that this machine trusts. What it throws says
// what was found and what to do: Lost where trying again may help.
std::unique_ptr<Connection> dial_tls(const std::string& address) {
    const auto parts = protocol::read_address(address);
    if (!parts) throw referee_bot::Refused(parts.error());
    auto connection = std::make_unique<TlsConnection>(referee_bot::dial(host_and_port(*parts)));
    connection->begin(*parts);
    return connection;
}

constexpr std::int64_t ms_per_minute = 60'000;

Json next(Connection& connection, const std::string& wanted) {
    for (std::string line; connection.read(line);) {
        auto message = Json::parse(line, nullptr, false);
        if (!message.is_object()) continue;
        const auto type = message.value("type", "");
        if (type == wanted) return message;
        if (type == "ping") connection.send({{"type", "pong"}, {"id", message.at("id")}});
        if (type == "error")
            throw referee_bot::Refused(message.value("code", "") + ": " +
                                       message.value("message", ""));
    }
    throw referee_bot::Refused("the referee is gone");
}

std::string line_of(const Json& game) {
    auto line = game.value("game_id", "") + "  " + game.value("game", "") + " against";
    const auto names = game.value("names", Json::array());
    const auto own_seat = game.value("seat", std::size_t{0});
    for (std::size_t seat = 0; seat < names.size(); ++seat) {
        if (seat != own_seat) line += " " + names[seat].get<std::string>();
    }
    line += ": " + game.value("status", "");
    if (game.contains("place")) line += ", place " + game["place"].dump();
    line += "; faults of yours: " + std::to_string(game.value("faults", std::int64_t{0})) + "; " +
            std::to_string(game.value("ago_ms", std::int64_t{0}) / ms_per_minute) + " min ago; " +
            game.value("reason", "");
    if (game.contains("ruling")) line += "; " + game.value("ruling", "");
    return base::visible_line(line) + '\n';
}

std::string text_of(const Json& told) {
    auto text = told.value("story", "");
    const auto notes = told.value("debug", Json::array());
    if (!notes.empty()) text += "\nYour debug text:\n";
    for (const auto& note : notes) {
        text += "  turn " + note.at("turn").dump() + ": " +
                base::visible_line(note.value("debug", "")) + '\n';
    }
    for (const auto& member : told.value("cut", Json::array()))
        text += "\nNot all is shown of: " + member.get<std::string>() + '\n';
    return text +
           "\nWhere was it lost? `referee review` tells, by the replay that the game's page "
           "gives.\n";
}

// Asks the referee about games of a bot that are over, on a connection of its own: the story of the
// game of that id, or, without one, a line for each of the last games. Throws Refused with the
// referee's reason.
std::string own_games(Connection& connection, Json login, const std::string& game_id) {
    next(connection, "hello");
    login["purpose"] = "ask";
    connection.send(login);
    next(connection, "welcome");
    if (!game_id.empty()) {
        connection.send({{"type", "game"}, {"game_id", game_id}});
        return text_of(next(connection, "game_story"));
    }
    connection.send({{"type", "games"}});
    std::string text;
    const auto list = next(connection, "game_list");
    for (const auto& game : list.value("games", Json::array())) text += line_of(game);
    return text.empty() ? "no game of yours is over\n" : text;
}

std::optional<std::string> environment(const char* name) {
    const char* const value = std::getenv(name);
    if (value == nullptr) return std::nullopt;
    return value;
}

// Shows all lines of another connection on standard error.
class TracedConnection final : public Connection {
 public:
    explicit TracedConnection(std::unique_ptr<Connection> inner)
        : Connection(-1, -1), inner_(std::move(inner)) {}
    bool read(std::string& line) override {
        const bool good = inner_->read(line);
        if (good) referee_bot::say("< " + line);
        return good;
    }
    void send(const referee_bot::json& message) override {
        referee_bot::say("> " + message.dump());
        inner_->send(message);
    }

 private:
    std::unique_ptr<Connection> inner_;
};

std::unique_ptr<Connection> dial(const Options& options) {
    const bool tls = options.address.starts_with("tls://");
    auto connection = tls ? dial_tls(options.address) : referee_bot::dial(options.address);
    if (!options.trace) return connection;
    return std::make_unique<TracedConnection>(std::move(connection));
}

// JSON of the kit as players see it.
class Shown {
 public:
    // Valid until the next call.
    json::View show(const referee_bot::json& value) {
        text_ = value.dump();
        if (!document_.parse(text_, {.depth_max = protocol::limits::depth_max})) return {};
        return document_.root();
    }

 private:
    std::string text_;
    json::Document document_;
};

// A player and what it looks at, for the length of a game.
struct Seated {
    std::unique_ptr<Player> player;
    Shown state;
};

void seat_player(referee_bot::Game& game, const MakePlayer& make_player) {
    if (game.own != nullptr) return;  // it goes on
    const auto seated = std::make_shared<Seated>();
    Shown params;
    seated->player = make_player({game.id, game.kind, game.seat, game.names,
                                  params.show(game.params), seated->state.show(game.state)});
    game.own = seated;
}

// A budget of wall time is a limit, and so is the hard one, where they are told.
std::int64_t wall_limit_us(const referee_bot::Game& game) {
    const auto hard = game.clock.value("hard_limit_us", std::int64_t{0});
    if (game.clock.value("measure", "wall") != "wall" || game.budget_us <= 0) return hard;
    return hard > 0 ? std::min(game.budget_us, hard) : game.budget_us;
}

referee_bot::json move_of(referee_bot::Game& game) {
    auto& seated = *static_cast<Seated*>(game.own.get());
    const auto move = seated.player->move(
        {game.turn, game.budget_us, seated.state.show(game.state), wall_limit_us(game)});
    game.debug(seated.player->debug());
    return referee_bot::json::parse(move);
}

void take_options(referee_bot::json& login, const Options& options) {
    login["name"] = options.name;
    login["parallel"] = options.parallel;
    login["state"] = options.delta ? "delta" : "full";
    if (!options.token.empty()) login["token"] = options.token;
    if (!options.password.empty()) login["password"] = options.password;
    if (!options.version.empty()) login["version"] = options.version;
}

int print_own_games(const Options& options, const referee_bot::json& login) {
    try {
        std::fputs(own_games(*dial(options), login, options.asked_game).c_str(), stdout);
        return 0;
    } catch (const referee_bot::Refused& refused) {
        referee_bot::say(options.name + ": " + refused.what());
        return referee_bot::status_refused;
    } catch (const std::exception& error) {
        referee_bot::say(options.name + ": no connection: " + error.what());
        return referee_bot::status_lost;
    }
}

}  // namespace

int run(int argc, char** argv, const BotInfo& info, const MakePlayer& make_player) {
    const std::string_view program = argc > 0 ? argv[0] : "bot";
    const std::vector<std::string_view> arguments(argv + std::min(argc, 1), argv + argc);
    const auto read = read_options(arguments, environment, info);
    if (!read) {
        std::fprintf(stderr, "%s (--help shows all options)\n", read.error().message.c_str());
        return referee_bot::status_refused;
    }
    const auto* const options = std::get_if<Options>(&*read);
    if (options == nullptr) {
        std::fputs(help_text(program, info).c_str(), stdout);
        return 0;
    }
    referee_bot::Choosers choosers;
    for (const auto& game : info.games) choosers[game] = move_of;
    referee_bot::Bot bot(std::move(choosers), info.name);
    take_options(bot.login, *options);
    if (options->asks_games || !options->asked_game.empty())
        return print_own_games(*options, bot.login);
    bot.prepare = [&](referee_bot::Game& game) { seat_player(game, make_player); };
    referee_bot::Dialling how;
    how.dial = [&](const std::string&) { return dial(*options); };
    how.patience = options->wait;
    return referee_bot::play(bot, options->address, how);
}

}  // namespace bots
