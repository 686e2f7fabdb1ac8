// The smallest way to a bot in C++: write a function, call play().
//
//     #include "referee_bot.hpp"
//
//     referee_bot::json choose(referee_bot::Game&) { return "F"; }
//
//     int main() { return referee_bot::play({{"walls", choose}}, "my-bot"); }
//
// Needs C++17, POSIX and nlohmann/json. The environment says where the referee is, as the referee sets it for the bots
// that it launches:
//
//     REFEREE_ADDRESS   host:port; without it the bot talks over standard input and output
//     REFEREE_NAME      the name to log in with; without it the one given to play()
//     REFEREE_TOKEN     what proves the name; may be missing where the referee asks for none
//     REFEREE_PASSWORD  the class password, which registers a new name with your token: only the first login needs it
//
// While the protocol runs over standard output, what the program prints there goes to standard error.
#pragma once

#include <netdb.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

namespace referee_bot {

using json = nlohmann::json;

// A game that is on, as a bot sees it.
struct Game {
    std::string id;
    std::string kind;         // "walls"
    int seat = 0;             // your own, counted from 0
    json names;               // by seat
    json params;              // the setup, with all defaults filled in
    json state;               // as the game's page describes it
    json memory;              // yours, for the length of the game; a lost connection doesn't clear it
    int turn = 0;
    long long budget_us = 0;  // what this turn may take
};

// Gives the move: anything that JSON can say.
using Chooser = std::function<json(Game&)>;

enum Status { finished = 0, refused = 2, lost = 3 };

constexpr std::chrono::milliseconds pause_first{50}, pause_max{2000};
constexpr std::chrono::seconds first_patience{10};  // for a referee that isn't there yet
constexpr std::chrono::seconds patience{60};        // a referee that stays away longer has given the game up

class Bot {
 public:
    Bot(std::map<std::string, Chooser> choosers, std::string name) : choosers_(std::move(choosers)), name_(known("REFEREE_NAME", name)) {}

    int play() {
        std::signal(SIGPIPE, SIG_IGN);
        const auto address = known("REFEREE_ADDRESS");
        if (address.empty()) {
            in_ = STDIN_FILENO;
            out_ = dup(STDOUT_FILENO);
            dup2(STDERR_FILENO, STDOUT_FILENO);
            return listen();
        }
        const auto colon = address.rfind(':');
        if (address.rfind("tls://", 0) == 0 || colon == std::string::npos || colon + 1 == address.size()) {
            std::cerr << "REFEREE_ADDRESS must be host:port, such as localhost:7777, not " << address
                      << "; a TLS address needs `referee connect`\n";
            return refused;
        }
        int status = lost;
        while (status == lost && dial(address.substr(0, colon), address.substr(colon + 1), welcomed_ ? patience : first_patience)) {
            status = listen();
            close(in_);
            if (status == lost && !welcomed_) break;
            if (status == lost) std::cerr << "the connection was lost, trying again\n";
        }
        if (status == lost) std::cerr << "the referee can't be reached at " << address << '\n';
        return status;
    }

 private:
    static std::string known(const char* variable, const std::string& otherwise = "") {
        const char* value = std::getenv(variable);
        return value == nullptr ? otherwise : value;
    }

    bool dial(const std::string& host, const std::string& port, std::chrono::seconds most) {
        auto pause = pause_first;
        for (const auto until = std::chrono::steady_clock::now() + most; std::chrono::steady_clock::now() < until;) {
            addrinfo wanted{}, *found = nullptr;
            wanted.ai_socktype = SOCK_STREAM;
            getaddrinfo(host.c_str(), port.c_str(), &wanted, &found);
            for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
                in_ = out_ = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
                if (connect(in_, one->ai_addr, one->ai_addrlen) == 0) {
                    const int on = 1;
                    setsockopt(in_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                    freeaddrinfo(found);
                    return true;
                }
                close(in_);
            }
            if (found != nullptr) freeaddrinfo(found);
            std::this_thread::sleep_for(pause);
            pause = std::min(pause * 2, pause_max);
        }
        return false;
    }

    // Until the referee says goodbye, or the stream ends.
    int listen() {
        std::string text;
        char piece[1 << 16];
        while (true) {
            const auto got = read(in_, piece, sizeof piece);
            if (got <= 0) return lost;
            text.append(piece, static_cast<std::size_t>(got));
            std::size_t from = 0;
            for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', from)) {
                const auto message = json::parse(text.substr(from, end - from), nullptr, false);
                from = end + 1;
                if (message.is_discarded()) continue;
                if (message.value("type", "") == "bye") return farewell(message);
                handle(message);
            }
            text.erase(0, from);
        }
    }

    int farewell(const json& bye) const {
        const auto reason = bye.value("reason", "finished");
        std::cerr << "goodbye: " << bye.value("message", reason) << '\n';
        return reason == "refused" || reason == "replaced" ? refused : finished;
    }

    void handle(const json& message) {
        const auto type = message.value("type", "");
        if (type == "hello") {
            log_in();
        } else if (type == "welcome") {
            welcomed_ = true;
        } else if (type == "ping") {
            send({{"type", "pong"}, {"id", message["id"]}});
        } else if (type == "start") {
            auto& game = games_[message["game_id"]];
            game.id = message["game_id"];
            game.kind = message["game"];
            game.seat = message["seat"];
            game.names = message.value("names", json::array());
            game.params = message["params"];
            game.state = message["state"];
            std::cerr << "game " << game.id << ": " << game.kind << (message.value("resumed", false) ? " goes on\n" : " begins\n");
            send({{"type", "ready"}, {"game_id", game.id}});
        } else if (type == "turn") {
            take_turn(message);
        } else if (type == "end") {
            std::cerr << "game " << message["game_id"] << " is over: " << message.value("reason", "") << '\n';
            games_.erase(message["game_id"]);
        } else if (type == "error" || type == "fault") {
            std::cerr << type << ": " << message.value("code", "") << ": " << message.value("message", "") << '\n';
        }  // whatever a later protocol adds is passed over
    }

    void log_in() {
        json login = {{"type", "login"}, {"name", name_}, {"client", "referee_bot.hpp"}, {"state", "delta"}};
        login["games"] = json::array();
        for (const auto& chooser : choosers_) login["games"].push_back(chooser.first);
        for (const auto* proof : {"token", "password"}) {
            const auto value = known(proof[0] == 't' ? "REFEREE_TOKEN" : "REFEREE_PASSWORD");
            if (!value.empty()) login[proof] = value;
        }
        send(login);
    }

    void take_turn(const json& message) {
        const auto found = games_.find(message["game_id"]);
        if (found == games_.end()) return;
        auto& game = found->second;
        game.state = message.contains("state") ? message["state"] : game.state.patch(message["delta"]);
        game.turn = message["turn"];
        game.budget_us = message.value("budget_us", 0LL);
        json move;
        try {
            move = choosers_.at(game.kind)(game);
        } catch (const std::exception& error) {
            std::cerr << "turn " << game.turn << " is given away: " << error.what() << '\n';
        }
        send({{"type", "move"}, {"game_id", game.id}, {"turn", game.turn}, {"move", move}});
    }

    void send(const json& message) const {
        const auto line = message.dump() + "\n";
        for (std::size_t sent = 0; sent < line.size();) {
            const auto count = write(out_, line.data() + sent, line.size() - sent);
            if (count <= 0) return;  // the next read tells
            sent += static_cast<std::size_t>(count);
        }
    }

    std::map<std::string, Chooser> choosers_;
    std::string name_;
    std::map<std::string, Game> games_;
    bool welcomed_ = false;
    int in_ = -1, out_ = -1;
};

// Plays until the referee says goodbye. Gives the program's exit status: 0; 2 where the login was refused or the
// address is none; 3 where there is no connection.
inline int play(std::map<std::string, Chooser> choosers, const std::string& name) {
    return Bot(std::move(choosers), name).play();
}

}  // namespace referee_bot
