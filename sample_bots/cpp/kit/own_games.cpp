#include "sample_bots/cpp/kit/own_games.h"

#include <cstddef>
#include <cstdint>

#include "protocol/json/text.h"

namespace kit {
namespace {

using Json = referee_bot::json;

constexpr std::int64_t ms_per_minute = 60'000;

Json next(referee_bot::Connection& connection, const std::string& wanted) {
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
    line += "; " + std::to_string(game.value("faults", std::int64_t{0})) + " faults of yours; " +
            std::to_string(game.value("ago_ms", std::int64_t{0}) / ms_per_minute) + " min ago; " +
            game.value("reason", "");
    if (game.contains("ruling")) line += "; " + game.value("ruling", "");
    return protocol::json::visible_line(line) + '\n';
}

std::string text_of(const Json& told) {
    auto text = told.value("story", "");
    const auto notes = told.value("debug", Json::array());
    if (!notes.empty()) text += "\nYour debug text:\n";
    for (const auto& note : notes) {
        text += "  turn " + note.at("turn").dump() + ": " +
                protocol::json::visible_line(note.value("debug", "")) + '\n';
    }
    for (const auto& member : told.value("cut", Json::array()))
        text += "\nNot all is shown of: " + member.get<std::string>() + '\n';
    return text;
}

}  // namespace

std::string own_games(referee_bot::Connection& connection, Json login, const std::string& game_id) {
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

}  // namespace kit
