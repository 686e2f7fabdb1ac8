#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engines/registry.h"
#include "referee/net/lobby/lobby.h"
#include "referee/tournament/table/table.h"
#include "tests/json.h"
#include "tests/sim/link.h"

namespace tests::sim {

using Json = nlohmann::json;

inline LinkTraits from(std::string address) {
    LinkTraits traits;
    traits.address = std::move(address);
    return traits;
}

// A connection whose bot is the test itself: it says what the test tells it to, and keeps what it
// hears.
class ScriptedBot final : public Link::Peer {
 public:
    void say(std::string_view line) { link->send(std::string(line) + "\n"); }
    void say(const char* line) { say(std::string_view(line)); }
    void say(const Json& message) { say(std::string_view(message.dump())); }
    void say_raw(std::string_view bytes) { link->send(bytes); }
    void move(const std::string& game_id, std::int64_t turn, const Json& move);
    void ready(const std::string& game_id) { say(Json{{"type", "ready"}, {"game_id", game_id}}); }
    // Answers what it was asked since the last call: gets ready for its games, and turns left.
    void play();

    // All messages of that type so far.
    std::vector<Json> heard(const std::string& type) const;
    // The last of them; null where there is none.
    Json last(const std::string& type) const;
    // The code of the last error; empty where there is none.
    std::string error() const;
    void forget() { messages.clear(); }

    void on_bytes(Link& link, std::string_view bytes) override;
    void on_closed(Link& /*link*/) override { closed = true; }

    std::shared_ptr<Link> link;
    std::vector<Json> messages;
    bool closed = false;
    bool answers_pings = true;

 private:
    LineCutter lines_;
};

// A lobby on simulated time. Every name may come in, with the token "secret", but "nobody" and
// "unwelcome"; "free" and "Ada" are names that nobody has registered, by the class password "class"
// and a longer token.
class LobbyRoom final : public referee::lobby::LoginRoster, public referee::lobby::LobbyEvents {
 public:
    explicit LobbyRoom(referee::lobby::LobbyLimits limits = {});
    ~LobbyRoom() override;

    // A new connection, which has heard hello.
    ScriptedBot& dial(const LinkTraits& traits = {},
                      const referee::lobby::Admission& admission = {});
    // The same, and the bot has logged in; `extra` replaces or adds members of the login.
    ScriptedBot& log_in(const std::string& name, const LinkTraits& traits = {},
                        const Json& extra = Json::object());
    void pass(Duration time) { world.pass(time); }
    // The bot says it, and hears what is answered at once.
    template <typename Line>
    void talk(ScriptedBot& bot, const Line& line) {
        bot.say(line);
        pass(std::chrono::milliseconds(1));
    }

    Answer check(const protocol::Login& login, const std::string& address) override;
    bool knows(std::string_view /*name*/) const override { return true; }
    std::string near(std::string_view name) const override { return name == "Ada" ? "ada" : ""; }
    std::optional<bool> is_token_of(std::string_view /*name*/,
                                    std::string_view token) const override {
        return token == "secret";
    }
    void on_guessing(const std::string& news) override { guessing.push_back(news); }
    void on_question(const referee::lobby::Bot& bot, referee::session::Session& session,
                     const protocol::Question& question) override;
    void on_arrived(referee::lobby::Bot& bot) override { arrived.push_back(bot.name()); }
    void on_left(referee::lobby::Bot& bot, referee::session::CloseCause cause) override {
        left.emplace_back(bot.name(), cause);
    }

    World world;
    std::vector<std::string> arrived;
    std::vector<std::pair<std::string, referee::session::CloseCause>> left;
    std::vector<std::string> guessing;  // what was told of it
    // Who answers questions; empty: nobody does.
    std::function<void(const referee::lobby::Bot& bot, referee::session::Session& session,
                       const protocol::Question& question)>
        on_asked;
    std::unique_ptr<referee::lobby::Lobby> lobby;

 private:
    std::uint64_t dialled_ = 0;
    std::vector<std::unique_ptr<ScriptedBot>> bots_;
};

// A table in such a room: a game of bots that are logged in.
class TableRoom {
 public:
    // The clock gives a second for each turn and no allowance, unless the test changes `setup`
    // before start().
    explicit TableRoom(std::string_view game = "walls",
                       std::string_view params = R"({"size":3,"first":0})",
                       std::size_t core_count = 1);

    // Seats the bots of these names, in this order, and starts.
    void start(const std::vector<std::string>& names, std::span<const engines::Seat> absent = {});
    // The same; then all of them say that they are ready.
    void play(const std::vector<std::string>& names, const std::vector<ScriptedBot*>& bots);
    // The bot sends that as its move of a turn, and it is read.
    void move(ScriptedBot& bot, std::int64_t turn, const Json& move);
    const referee::play::Play& game() const { return table->play(); }
    const std::string& id() const { return table->game_id(); }

    LobbyRoom room;
    referee::table::Cores cores;
    referee::play::PlaySetup setup;
    bool alone = false;  // a game that is set aside and tried again
    std::unique_ptr<referee::table::Table> table;
    int finished = 0;
};

// A game of Walls between two who are ready.
struct Duel : TableRoom {
    Duel() { play({"ada", "bob"}, {&ada, &bob}); }

    ScriptedBot& ada = room.log_in("ada");
    ScriptedBot& bob = room.log_in("bob");
};

const engines::Registry& games();

}  // namespace tests::sim
