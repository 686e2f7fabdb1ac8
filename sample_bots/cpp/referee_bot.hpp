// The smallest way to a bot in C++17: write a function, call run().
//
//     #include "referee_bot.hpp"
//
//     int main(int argc, char** argv) {
//         return referee_bot::run(argc, argv, {{"walls", [](referee_bot::Game&) { return "F"; }}}, "my-bot");
//     }
//
// Needs Linux and nlohmann/json (sudo apt install g++ nlohmann-json3-dev), and nothing else. The environment says where the
// referee is, as the referee sets it for the bots that it launches:
//
//     REFEREE_ADDRESS   host:port; without it the bot talks over standard input and output
//     REFEREE_NAME      the name to log in with; without it the one given to run()
//     REFEREE_TOKEN     what proves the name; may be missing where the referee asks for none
//     REFEREE_PASSWORD  the class password, which registers a new name with your token: only the first login needs it
//     REFEREE_VERSION   which version of the bot this is, such as 2.1; may be missing
//
// With the option --self-play the bot plays against itself, by the program `referee` in PATH: ./my_bot --self-play walls
#pragma once

#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace referee_bot {

using json = nlohmann::json;
using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

inline constexpr int status_failed = 1, status_refused = 2, status_lost = 3;
inline constexpr std::chrono::milliseconds pause_first = 50ms, pause_max = 2s;
inline constexpr std::chrono::milliseconds first_patience = 10s;  // for a referee that isn't there yet
inline constexpr std::chrono::milliseconds patience_max = 60s;    // one that stays away longer has given the game up
inline constexpr int dial_seconds = 10;
inline constexpr int port_max = 65535;
inline constexpr std::size_t debug_max = 1024;  // what the referee keeps

// A line for people: standard output may belong to the referee.
inline void say(const std::string& text) { std::cerr << text + "\n" << std::flush; }

// A game that is on, as a bot sees it.
struct Game {
    std::string id;
    std::string kind;                // "walls"
    std::size_t seat = 0;            // your own, counted from 0
    std::vector<std::string> names;  // the players by seat
    json params;                     // the setup, with all defaults filled in
    json clock;                      // how time is charged: kind, measure, budget_us, hard_limit_us
    json state;                      // as the game's page describes it
    std::int64_t turn = 0;
    std::int64_t budget_us = 0;      // what this turn may take
    json last;                       // how your last turn went: charged_us, late, notes; null before
    bool resumed = false;            // the connection was lost, and the game goes on
    json history = json::array();    // after that: moves and used_us of each turn so far; else empty
    json memory = json::object();    // yours, for the length of the game; a lost connection doesn't clear it
    std::shared_ptr<void> own;       // the same for any object: std::make_shared<MyThoughts>()

    // Milliseconds of this turn that are left, seen from here; the way to the referee isn't in it.
    double left_ms() const {
        const std::chrono::duration<double, std::milli> used = Steady::now() - read_at;
        return static_cast<double>(budget_us) / 1000 - used.count();
    }
    // Text for you alone, kept beside this turn's move.
    void debug(const std::string& text) { debug_text = text.substr(0, debug_max); }

    // For the kit alone.
    Steady::time_point read_at{};
    std::string debug_text;
};

// Returns the move, anything that JSON can say.
using Choose = std::function<json(Game&)>;

using Choosers = std::map<std::string, Choose>;  // by kind of game

// The login was refused, another connection took the bot's place, or the address is none: to try again is of no use.
struct Refused : std::runtime_error { using runtime_error::runtime_error; };
// What answers is no referee.
struct NotAReferee : std::runtime_error { using runtime_error::runtime_error; };
// No connection, or none any more.
struct Lost : std::runtime_error { using runtime_error::runtime_error; };

// Null where the variable is not set, or empty.
inline const char* environment(const char* name) {
    const auto* value = std::getenv(name);
    return value == nullptr || *value == 0 ? nullptr : value;
}

// The referee's own streams where it launched this bot: what is printed goes to standard error, and nothing is there to read.
struct OwnStreams {
    int in = STDIN_FILENO, out = STDOUT_FILENO;
    OwnStreams() {
        if (environment("REFEREE_ADDRESS") != nullptr) return;
        in = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        ::dup2(STDERR_FILENO, STDOUT_FILENO);
        const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        ::dup2(nothing, STDIN_FILENO);
        ::close(nothing);
    }
};
inline const OwnStreams& own_streams() {
    static const OwnStreams streams;
    return streams;
}
// Made before main(), so that nothing a bot prints gets between the messages. A program that prints something else than moves
// defines this macro: there the streams are taken as the game begins.
#ifndef REFEREE_BOT_TAKES_STREAMS_LATE
inline const bool streams_are_taken = &own_streams() != nullptr;
#endif

// Lines of JSON over two descriptors, which it owns; the same twice for a socket.
class Connection {
 public:
    Connection(int in, int out) : in_(in), out_(out) {}
    virtual ~Connection() {
        ::close(in_);
        if (out_ != in_) ::close(out_);
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    int socket() const { return in_; }
    // False where the stream has ended.
    virtual bool read(std::string& line) {
        for (auto end = rest_.find('\n'); ; end = rest_.find('\n', looked_)) {
            if (end != std::string::npos) {
                line = rest_.substr(0, end);
                rest_.erase(0, end + 1);
                looked_ = 0;
                return true;
            }
            looked_ = rest_.size();
            char room[1 << 16];
            const auto bytes = receive(room, sizeof room);
            if (bytes < 0 && errno == EINTR) continue;
            if (bytes <= 0) return false;
            rest_.append(room, static_cast<std::size_t>(bytes));
        }
    }
    virtual void send(const json& message) {
        const auto line = message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
        for (std::size_t sent = 0; sent < line.size();) {
            const auto bytes = transmit(line.data() + sent, line.size() - sent);
            if (bytes < 0 && errno == EINTR) continue;
            if (bytes <= 0) return;  // the next read tells that the stream has ended
            sent += static_cast<std::size_t>(bytes);
        }
    }

 protected:
    // Like read() and write().
    virtual ssize_t receive(char* room, std::size_t size) { return ::read(in_, room, size); }
    virtual ssize_t transmit(const char* data, std::size_t size) { return ::write(out_, data, size); }

 private:
    int in_, out_;
    std::string rest_;
    std::size_t looked_ = 0;
};

// By TCP to "host:port", also with an IPv6 address in brackets; without an address over standard input and output.
inline std::unique_ptr<Connection> dial(const std::string& address) {
    if (address.empty()) return std::make_unique<Connection>(own_streams().in, own_streams().out);
    if (address.rfind("tls://", 0) == 0) {
        throw Refused("a TLS address needs `referee connect`, which encrypts for this bot: referee connect '" + address +
                      "' --name NAME -- ./my_bot");
    }
    const auto colon = address.rfind(':');
    const std::string port = colon == std::string::npos ? "" : address.substr(colon + 1);
    std::string host = address.substr(0, colon);
    const bool digits = !port.empty() && port.size() <= 5 && std::all_of(port.begin(), port.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (host.empty() || !digits || std::stoi(port) < 1 || std::stoi(port) > port_max)
        throw Refused("REFEREE_ADDRESS must be host:port, such as localhost:7777, not '" + address + "'");
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found); error != 0)
        throw Lost("no connection to " + address + " (" + ::gai_strerror(error) + ")");
    int link = -1;
    for (auto* each = found; each != nullptr && link < 0; each = each->ai_next) {
        link = ::socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC, each->ai_protocol);
        const timeval limit{dial_seconds, 0};
        ::setsockopt(link, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        if (::connect(link, each->ai_addr, each->ai_addrlen) != 0) {
            const int error = errno;
            ::close(std::exchange(link, -1));
            errno = error;
        }
    }
    ::freeaddrinfo(found);
    if (link < 0) throw Lost("no connection to " + address + " (" + std::strerror(errno) + ")");
    const int on = 1;
    ::setsockopt(link, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(link, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    return std::make_unique<Connection>(link, link);
}

// Answers the referee's messages: one function for each kind of game.
class Bot {
 public:
    Bot(Choosers choosers, const std::string& name) : choosers_(std::move(choosers)) {
        login = {{"type", "login"}, {"name", name}, {"state", "delta"}, {"client", "C++ kit 1"}, {"games", json::array()}};
        for (const auto& [game, choose] : choosers_) login["games"].push_back(game);
        const std::map<const char*, const char*> variables{
            {"name", "REFEREE_NAME"}, {"token", "REFEREE_TOKEN"}, {"password", "REFEREE_PASSWORD"}, {"version", "REFEREE_VERSION"}};
        for (const auto& [member, variable] : variables)
            if (const auto* value = environment(variable)) login[member] = value;
    }

    // Until the referee says goodbye or the stream ends; whether it said goodbye.
    bool play(Connection& connection) {
        link_ = &connection;
        welcomed = false;
        for (std::string line; connection.read(line);) {
            read_at_ = Steady::now();
            const auto message = json::parse(line, nullptr, false);
            if (!message.is_object()) throw NotAReferee("what answers there is no referee: it said " + line.substr(0, 80));
            if (take(message)) return true;
        }
        return false;
    }
    bool welcomed = false;  // on this connection

    json login;                               // what it logs in with: as the environment says
    std::function<void(Game&)> prepare = {};  // called as a game begins, or goes on, before its clock runs

 private:
    bool take(const json& message) {
        const auto type = message.value("type", "");
        const auto text = message.value("message", "");
        if (type == "hello") link_->send(login);
        if (type == "welcome") {
            welcomed = true;
            for (auto& [id, game] : games_) before_[id] = std::move(game);
            games_.clear();
        }
        if (type == "ping") link_->send({{"type", "pong"}, {"id", message.at("id")}});
        if (type == "start") start(message);
        if (type == "history") remember(message);
        if (type == "turn") turn(message);
        if (type == "end") end(message);
        const auto code = message.value("code", "");
        const auto where = " in game " + message.value("game_id", "") + ", turn " + message.value("turn", json()).dump();
        if (type == "error" || type == "fault" || type == "note") say(type + (type == "fault" ? where : "") + ": " + code + ": " + text);
        if (type != "bye") return false;  // messages that a later protocol adds are passed over
        const auto reason = message.value("reason", "finished");
        if (reason == "refused" || reason == "replaced") throw Refused((welcomed ? "" : "login refused: ") + (text.empty() ? reason : text));
        say("goodbye: " + (text.empty() ? reason : text));
        return true;
    }

    void start(const json& message) {
        const std::string id = message.at("game_id");
        const bool resumed = message.value("resumed", false);
        if (!resumed) before_.clear();  // what was not resumed by now is over
        auto& game = games_[id] = resumed ? std::move(before_[id]) : Game();
        before_.erase(id);
        game.id = id;
        game.kind = message.at("game");
        game.seat = message.at("seat");
        game.names = message.value("names", std::vector<std::string>());
        game.params = message.at("params");
        game.clock = message.value("clock", json::object());
        game.state = message.at("state");
        game.turn = message.value("turn", std::int64_t{0});
        game.resumed = resumed;
        game.history = json::array();
        std::string told = "game " + id + (resumed ? " goes on from turn " + std::to_string(game.turn) : " begins") + ": " + game.kind;
        for (const auto& name : game.names) told += (&name == &game.names.front() ? ", " : " against ") + name;
        say(told);
        if (prepare) prepare(game);
        link_->send({{"type", "ready"}, {"game_id", id}});
    }

    void remember(const json& message) {
        const auto game = games_.find(message.at("game_id"));
        if (game == games_.end()) return;
        for (const auto& turn : message.at("turns")) game->second.history.push_back(turn);
    }

    void turn(const json& message) {
        const auto found = games_.find(message.at("game_id"));
        if (found == games_.end()) return;
        auto& game = found->second;
        game.read_at = read_at_;
        game.turn = message.at("turn");
        game.budget_us = message.value("budget_us", std::int64_t{0});
        game.last = message.value("last", json());
        game.debug_text.clear();
        json answer{{"type", "move"}, {"game_id", game.id}, {"turn", game.turn}, {"move", nullptr}};
        try {
            game.state = message.contains("state") ? message["state"] : game.state.patch(message.at("delta"));
            answer["move"] = choosers_.at(game.kind)(game);
        } catch (const std::exception& error) {
            say("no move in turn " + std::to_string(game.turn) + " of game " + game.id + ", the turn is given away: " + error.what());
            game.debug(std::string("threw: ") + error.what());
        }
        if (!game.debug_text.empty()) answer["debug"] = game.debug_text;
        link_->send(answer);
    }

    void end(const json& message) {
        const std::string id = message.at("game_id");
        const auto seats = message.value("seats", json::array());
        std::string told;
        if (const auto game = games_.find(id); game != games_.end() && game->second.seat < seats.size()) {
            const auto& own = seats[game->second.seat];
            if (seats.size() > 1) told = "place " + own.value("place", json()).dump() + " of " + std::to_string(seats.size()) + ", ";
            told += "score " + own.value("score", json()).dump() + ": ";
        }
        say("game " + id + " is over: " + told + message.value("reason", ""));
        games_.erase(id);
    }

    Choosers choosers_;
    std::map<std::string, Game> games_;   // by game_id
    std::map<std::string, Game> before_;  // those of the connection that was lost: over, if they are not resumed
    Connection* link_ = nullptr;
    Steady::time_point read_at_{};
};

// How a bot comes to its referee, and how long it tries.
struct Dialling {
    std::function<std::unique_ptr<Connection>(const std::string& address)> dial = referee_bot::dial;
    std::chrono::milliseconds patience = first_patience;
};

// Dials again, with growing pauses, where the connection is lost.
inline void play_dialled(Bot& bot, const std::string& address, const Dialling& how = {}) {
    auto patience = how.patience, pause = pause_first;
    while (true) {
        std::string trouble = "the connection was lost";
        bot.welcomed = false;
        try {
            const auto link = how.dial(address);
            if (bot.play(*link)) return;
        } catch (const Lost& lost) {
            trouble = lost.what();
        }
        if (bot.welcomed) {
            patience = patience_max;
            pause = pause_first;
        }
        if (patience <= 0ms) throw Lost(trouble);
        say(trouble + ", trying again");
        std::this_thread::sleep_for(pause);
        patience -= pause;
        pause = std::min(pause * 2, pause_max);
    }
}

inline std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

// A game against itself, without a daemon. All that stands behind the game's name goes to `referee play`. Returns where that
// program can't be begun.
inline int self_play(const Choosers& choosers, std::vector<std::string> rest) {
    char path[4096] = {};
    if (::readlink("/proc/self/exe", path, sizeof path - 1) < 0) return status_failed;
    const std::string program = path;
    const std::string game = rest.empty() ? choosers.begin()->first : rest.front();
    std::vector<std::string> words{"referee", "play", game, "--reads", program.substr(0, program.rfind('/'))};
    const int seats = game == "walls" ? 2 : game == "light_cycles" ? 4 : 1;
    for (int seat = 0; seat < seats; ++seat) words.insert(words.end(), {"--bot", quoted(program)});
    if (!rest.empty()) words.insert(words.end(), rest.begin() + 1, rest.end());
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::unsetenv("REFEREE_ADDRESS");
    ::dup2(own_streams().in, STDIN_FILENO);
    ::dup2(own_streams().out, STDOUT_FILENO);
    ::execvp("referee", pointers.data());
    say("self-play needs the program `referee` in PATH, and there is none: install the referee, or add the folder where it was "
        "built (build/release/bin) to PATH");
    return status_refused;
}

// Plays until the referee says goodbye, and returns the exit status for main(): 0; 2 where the login was refused or the address
// is none; 3 where there is no connection. Without an address it plays over standard input and output.
inline int play(Bot& bot, const std::string& address, const Dialling& how = {}) {
    ::signal(SIGPIPE, SIG_IGN);
    try {
        if (!address.empty()) {
            play_dialled(bot, address, how);
        } else {
            if (::isatty(own_streams().in) != 0) say("REFEREE_ADDRESS is not set: this bot waits for a referee on its standard input");
            if (!bot.play(*how.dial(address))) throw Lost("the connection broke: the referee is gone");
        }
        return 0;
    } catch (const Refused& refused) {
        say(refused.what());
        return status_refused;
    } catch (const std::exception& error) {
        say(std::string("cannot reach the referee: ") + error.what());
        return status_lost;
    }
}

// The same as the environment says. Where a bot's function throws, the turn is given away, and standard error says why.
inline int run(int argc, char** argv, const Choosers& choosers, const std::string& name) {
    const std::vector<std::string> words(argv, argv + argc);
    const auto option = std::find(words.begin(), words.end(), "--self-play");
    if (option != words.end()) return self_play(choosers, {option + 1, words.end()});
    const auto* address = environment("REFEREE_ADDRESS");
    if (argc > 1 && words[1][0] == '-' && address == nullptr && environment("REFEREE_NAME") == nullptr) {
        say("no such option: " + words[1] + "; expected --self-play [GAME], or nothing and a referee in REFEREE_ADDRESS");
        return status_refused;
    }
    Bot bot(choosers, name);
    return play(bot, address == nullptr ? "" : address);
}

}  // namespace referee_bot
