#include "tests/sim/lobby_room.h"

#include <boost/asio/post.hpp>

namespace tests::sim {

using namespace std::chrono_literals;

const engines::Registry& games() {
    static const engines::Registry registry;
    return registry;
}

void ScriptedBot::move(const std::string& game_id, std::int64_t turn, const Json& move) {
    say(Json{{"type", "move"}, {"game_id", game_id}, {"turn", turn}, {"move", move}});
}

void ScriptedBot::play() {
    for (const auto& message : std::exchange(messages, {})) {
        if (message["type"] == "start") ready(message["game_id"]);
        if (message["type"] == "turn") move(message["game_id"], message["turn"], "L");
    }
}

std::vector<Json> ScriptedBot::heard(const std::string& type) const {
    std::vector<Json> found;
    for (const auto& message : messages) {
        if (message["type"] == type) found.push_back(message);
    }
    return found;
}

Json ScriptedBot::last(const std::string& type) const {
    const auto found = heard(type);
    return found.empty() ? Json() : found.back();
}

std::string ScriptedBot::error() const {
    const auto found = last("error");
    return found.is_null() ? std::string() : found["code"].get<std::string>();
}

void ScriptedBot::on_bytes(Link& /*link*/, std::string_view bytes) {
    lines_.add(bytes, [this](const std::string& line) {
        messages.push_back(Json::parse(line));
        if (messages.back()["type"] == "ping" && answers_pings)
            say(Json{{"type", "pong"}, {"id", messages.back()["id"]}});
    });
}

LobbyRoom::LobbyRoom(referee::lobby::LobbyLimits limits) : world(1) {
    std::vector<std::string> known;
    for (const auto& game : games().games()) known.emplace_back(game->info().id);
    lobby = std::make_unique<referee::lobby::Lobby>(world.referee(), world.loop().get_executor(),
                                                    *this, *this, known, limits, "1.0");
}

void LobbyRoom::on_question(const referee::lobby::Bot& bot, referee::session::Session& session,
                            const protocol::Question& question) {
    if (on_asked) on_asked(bot, session, question);
}

LobbyRoom::~LobbyRoom() {
    lobby->close_all(protocol::ByeReason::shutdown, "the test is over");
    for (const auto& bot : bots_) bot->link->close();
    world.run([this] { return world.quiet(); }, 1h);
    lobby.reset();
}

referee::lobby::LoginRoster::Answer LobbyRoom::check(const protocol::Login& login,
                                                     const std::string& address) {
    if (login.name == "nobody") return {Verdict::unknown_name};
    if (login.name == "unwelcome")
        return {Verdict::refused,
                {protocol::ErrorCode::name_refused, std::string(login.name) + " of " + address}};
    if (login.name == "free" || login.name == "Ada")
        return {login.password == "class" ? Verdict::token_needed : Verdict::wrong_password};
    return {login.token == "secret" ? Verdict::welcome : Verdict::wrong_token};
}

ScriptedBot& LobbyRoom::dial(const LinkTraits& traits, const referee::lobby::Admission& admission) {
    auto& bot = *bots_.emplace_back(std::make_unique<ScriptedBot>());
    ++dialled_;
    bot.link = std::make_shared<Link>(world, dialled_, traits, Random(dialled_), bot, nullptr);
    boost::asio::post(world.loop(), [this, link = bot.link, admission] {
        lobby->admit(link->server_end(), admission);
    });
    pass(2 * traits.delay + 1us);
    return bot;
}

ScriptedBot& LobbyRoom::log_in(const std::string& name, const LinkTraits& traits,
                               const Json& extra) {
    auto& bot = dial(traits);
    Json login{{"type", "login"},
               {"name", name},
               {"token", "secret"},
               {"games", {"walls", "light_cycles", "superball"}}};
    login.update(extra);
    bot.say(login);
    pass(2 * traits.delay + 1us);
    return bot;
}

TableRoom::TableRoom(std::string_view game, std::string_view params, std::size_t core_count)
    : cores(core_count) {
    setup.key = {"t", 1, 1, 1};
    setup.game = games().find(game);
    setup.params = params;
    setup.clock.budget = 1s;
    setup.clock.allowance = false;
    setup.clock = referee::clock::completed(setup.clock);
}

void TableRoom::start(const std::vector<std::string>& names,
                      std::span<const engines::Seat> absent) {
    std::vector<referee::lobby::Bot*> bots;
    for (const auto& name : names) bots.push_back(&room.lobby->bot(name));
    setup.bots = names;
    table = std::make_unique<referee::table::Table>(
        setup, referee::table::MatchFacts{"t/1", 2, alone}, bots, room.world.referee(), room.world,
        cores, [this](referee::table::Table&) { ++finished; });
    table->start(absent);
    room.pass(1us);
}

void TableRoom::move(ScriptedBot& bot, std::int64_t turn, const Json& move) {
    bot.move(id(), turn, move);
    room.pass(1ms);
}

void TableRoom::play(const std::vector<std::string>& names, const std::vector<ScriptedBot*>& bots) {
    start(names);
    // A launched bot may have to wait for a core before it is sent its start.
    std::vector<ScriptedBot*> waiting = bots;
    for (auto left = bots.size(); left > 0 && !waiting.empty(); --left) {
        std::erase_if(waiting, [this](ScriptedBot* bot) {
            const auto starts = bot->heard("start");
            if (starts.empty() || starts.back()["game_id"] != id()) return false;
            bot->ready(id());
            return true;
        });
        room.pass(1us);
    }
}

}  // namespace tests::sim
