#pragma once

#include <forward_list>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "protocol/base/result.h"
#include "referee/net/lobby/bot.h"
#include "referee/net/lobby/guesses.h"
#include "referee/net/lobby/strangers.h"

namespace referee::lobby {

// What connections that have not logged in may take of the loop's time together while games are
// played: games beside them are slowed down by no more.
inline constexpr double strangers_share = 0.05;

// Who may come in.
class LoginRoster {
 public:
    enum class Verdict : std::uint8_t {
        welcome,
        unknown_name,
        wrong_token,
        wrong_password,  // the name is free, for bots that know the class password
        token_needed,    // the name is free, but is given only to a bot that brings a token for it
        refused,         // for a reason of its own
        pending,  // the name is being registered: Lobby::settle() is called when that is done
    };
    struct Refusal {
        protocol::ErrorCode code = protocol::ErrorCode::unknown_name;
        std::string message;
    };
    struct Answer {
        Verdict verdict = Verdict::refused;
        Refusal refusal{};  // why, where it is refused
    };
    virtual ~LoginRoster() = default;
    // `address`: where the login comes from, without a port.
    virtual Answer check(const protocol::Login& login, const std::string& address) = 0;
    // Whether the name has a token of its own, or needs none; else it may be free to be registered.
    virtual bool knows(std::string_view name) const = 0;
    // A known name that somebody may have meant who typed this one; empty where there is none.
    virtual std::string near(std::string_view /*name*/) const { return {}; }
    // Whether that is its token; nothing where it has none. Nobody comes in by it, and nothing is
    // noted.
    virtual std::optional<bool> is_token_of(std::string_view /*name*/,
                                            std::string_view /*token*/) const {
        return std::nullopt;
    }
};

class LobbyEvents {
 public:
    virtual ~LobbyEvents() = default;
    // A bot has logged in, for the first time or again, and has been told of the games that it is
    // in.
    virtual void on_arrived(Bot& bot) = 0;
    virtual void on_left(Bot& bot, session::CloseCause cause) = 0;
    // What a bot says before it is logged in is answered by this error: its login, or a line that
    // is none. It is a launched bot's, or has its token, and as many are logged in as may be.
    virtual void on_turned_away(Bot& /*bot*/, const protocol::ProtocolError& /*error*/) {}
    // Wrong tokens or passwords are tried: a line for the log, now and then.
    virtual void on_guessing(const std::string& /*news*/) {}
    // The bot asks about games of its own, by its own connection or by one that only asks.
    virtual void on_question(const Bot& /*bot*/, session::Session& /*session*/,
                             const protocol::Question& /*question*/) {}
    // The bot's owner hands in a program, or asks what became of one. Returns whether the message
    // was asked for.
    virtual bool on_handing_in(const Bot& /*bot*/, session::Session& /*session*/,
                               const protocol::HandingIn& /*message*/) {
        return false;
    }
};

struct LobbyLimits {
    protocol::limits::ConnectionLimits connections{};
    session::SessionLimits session{};
    // What may be allowed for the way to bots, by their addresses; before the defaults.
    std::vector<clock::NetworkRange> network{};
};

// How somebody comes in.
struct Admission {
    // Without it, the common limit holds.
    std::optional<Duration> login_time_max;
    // For a connection that only one launched bot can have made: its name. It counts neither as a
    // stranger nor among those of its address; its time does.
    std::string launched;
};

// A login that is looked at later, when the line that it came in is gone.
class KeptLogin {
 public:
    explicit KeptLogin(const protocol::Login& login);
    KeptLogin(KeptLogin&&) = default;
    KeptLogin& operator=(KeptLogin&&) = delete;
    // Good as long as this lives.
    const protocol::Login& login() const { return login_; }

 private:
    void keep(std::string_view& text) { text = texts_.emplace_front(text); }

    std::forward_list<std::string> texts_;  // that login_ looks at
    protocol::Login login_;
};

// Everybody who is connected. Logs bots in, tells their games what they say, and keeps a bot's
// places when its connection is lost. Strangers, who have not logged in, have places of their own:
// however many there are, whoever logs in gets a place among the bots. What becomes of a login
// stands in lobby_logins.cpp. Not thread safe.
class Lobby final : public session::SessionEvents {
 public:
    Lobby(loop::Timers& timers, const boost::asio::any_io_executor& executor, LoginRoster& roster,
          LobbyEvents& events, std::vector<std::string> games, LobbyLimits limits,
          std::string version);
    ~Lobby() override;

    // A new connection. Where there are too many strangers, the oldest (of its network, or of all)
    // has to go for it, with a typed error.
    void admit(std::unique_ptr<transport::Transport> transport, const Admission& admission = {});
    std::size_t connections() const { return connections_.size(); }
    // What is done for those who have not logged in is charged there, whoever does it.
    loop::TimeShare& strangers_time() { return strangers_time_; }

    // The bot of that name; it is made known where it was not.
    Bot& bot(std::string_view name);
    // In the order of their names.
    const std::map<std::string, std::unique_ptr<Bot>, std::less<>>& bots() const { return bots_; }

    // The roster can answer the pending login of that name now: it is asked again.
    void settle(std::string_view name);
    // Closes the bot's connection, if any: its name belongs to another token now.
    void disconnect(std::string_view name, std::string_view message);
    // Somebody who is no connection of the lobby's, such as a browser, says that it is that name's
    // owner, or registers the name: judged as a login from that address would be, in its row of
    // tries. Of the login only name, token, password and purpose count. `on_judged` is called when
    // that is judged, perhaps from inside this call.
    using OnJudged = std::function<void(const base::Result<void, LoginRoster::Refusal>& judged)>;
    void judge_from_web(const protocol::Login& login, const std::string& address,
                        OnJudged on_judged);
    // What is told to a bot that plays, and brought a token, as where its owner sees its games; an
    // empty text is not told.
    using PageOf = std::function<std::string(const Bot& bot)>;
    void tell_pages(PageOf page_of) { page_of_ = std::move(page_of); }
    // The games that are played here from now on.
    void set_games(std::vector<std::string> games) { games_ = std::move(games); }
    // Those of connections hold for the ones that come from now on, those of the network at once.
    void set_limits(const LobbyLimits& limits);

    // Says goodbye to everybody.
    void close_all(protocol::ByeReason reason, std::string_view message);

    void on_login(session::Session& session, const protocol::Login& login) override;
    bool on_ready(session::Session& session, const protocol::Ready& ready) override;
    bool on_move(session::Session& session, const protocol::Move& move, std::string_view line,
                 Stamp arrived) override;
    void on_pong(session::Session& session, const protocol::Pong& pong) override;
    void on_question(session::Session& session, const protocol::Question& question) override;
    bool on_handing_in(session::Session& session, const protocol::HandingIn& message) override;
    std::string awaited_line(const session::Session& session) const override;
    void on_error(session::Session& session, const protocol::ProtocolError& error) override;
    void on_closed(session::Session& session, session::CloseCause cause) override;

 private:
    // A login that waits to be judged, because wrong secrets were tried before.
    struct Delayed {
        KeptLogin kept;
        Guesses::Try tried;
        Guesses::Place place;
        loop::Timers::Id timer = 0;
    };
    // Somebody who is connected.
    struct Connection {
        std::shared_ptr<session::Session> session;
        std::string network;   // or which launched bot it is
        std::string launched;  // the launched bot; empty: it has dialled in
        std::optional<Delayed> delayed{};
        // Once it has come in. Who plays has the bot's own connection; a bystander is one beside
        // it.
        Bot* bot = nullptr;
        protocol::Purpose purpose = protocol::Purpose::play;

        bool is_bystander() const { return bot != nullptr && purpose != protocol::Purpose::play; }
    };

    // A login that waits until its name is registered.
    struct Registration {
        std::shared_ptr<session::Session> session;
        KeptLogin kept;
    };
    // A second login of a bot that is connected waits until the old connection has been probed.
    struct Challenge {
        std::shared_ptr<session::Session> session;
        KeptLogin kept;
        std::uint64_t ping = 0;
        loop::Timers::Id timer = 0;
    };
    // A login by the web that waits: for its turn to be judged, or for its name to be registered.
    struct WebLogin {
        KeptLogin kept;
        std::string address;
        OnJudged on_judged;
        Guesses::Try tried;
    };

    // The bot that plays by that connection; null: none does.
    Bot* player(const session::Session& session) const;
    void judge_web_login(WebLogin web_login);
    void make_room(const std::string& network);
    // Whether there is no place for one more bot that is logged in.
    bool full_for(const session::Session& session) const;
    // The same for one that plays: bystanders make room for it, the oldest first.
    bool has_place_for(const session::Session& session);
    Guesses::Try try_from(const std::string& network, const protocol::Login& login) const;
    void delay(session::Session& session, const protocol::Login& login, const Guesses::Try& tried,
               Duration wait);
    void judge_delayed(session::Session& session);
    void judge(session::Session& session, const protocol::Login& login, const Guesses::Try& tried);
    void count_guess(const Guesses::Try& tried, LoginRoster::Verdict verdict);
    void refuse_login(session::Session& session, const protocol::Login& login,
                      LoginRoster::Verdict verdict, const std::string& meant);
    // The known name that was meant, where the login's name only looks like it and its token is
    // that name's. It counts as a try at that token, as if the name were written right.
    std::string meant_by(const session::Session& session, const protocol::Login& login);
    // A login whose secret is right comes in.
    void let_in(session::Session& session, const protocol::Login& login);
    // Of a login that plays nothing: it stands beside the bot's own connection.
    void let_in_bystander(session::Session& session, const protocol::Login& login);
    void wait_for_roster(session::Session& session, const protocol::Login& login);
    // `expected`: a login that would have been right; empty: any.
    void refuse(session::Session& session, protocol::ErrorCode code, std::string_view message,
                std::string expected = {});
    void welcome(Bot& bot, std::shared_ptr<session::Session> session, const protocol::Login& login);
    void tell_turned_away(const session::Session& session, const protocol::ProtocolError& error);
    // Its login is accepted.
    void count_in(const session::Session& session, Bot& bot, protocol::Purpose purpose);
    void count_out(const Connection& connection);
    void challenge(Bot& bot, session::Session& session, const protocol::Login& login);
    void replace(const std::string& name);
    // For a message that only players send, or bystanders too: from a bystander, or from a bot
    // whose login still waits. Always false: nobody asked for the message.
    bool plays_nothing(session::Session& session);
    bool unknown_game(session::Session& session, Bot& bot, std::string_view game_id,
                      std::optional<std::int64_t> turn);

    loop::Timers& timers_;
    boost::asio::any_io_executor executor_;
    LoginRoster& roster_;
    LobbyEvents& events_;
    std::vector<std::string> games_;
    LobbyLimits limits_;
    std::string version_;
    clock::Allowances allowances_;
    std::map<std::string, std::unique_ptr<Bot>, std::less<>> bots_;
    std::unordered_map<const session::Session*, Connection> connections_;
    Strangers strangers_;
    loop::TimeShare strangers_time_;
    std::map<std::string, std::size_t> networks_;  // bots that are logged in, of those not launched
    std::size_t dialled_in_ = 0;                   // their sum
    Guesses guesses_;
    std::map<std::string, Challenge, std::less<>> challenges_;
    std::map<std::string, Registration, std::less<>> registrations_;
    std::map<std::string, WebLogin, std::less<>> web_logins_registering_;
    PageOf page_of_;
    std::uint64_t last_session_ = 0;
    std::uint64_t last_ping_ = 0;
    loop::Life life_;
};

}  // namespace referee::lobby
