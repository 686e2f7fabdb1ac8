#include "referee/connect/relay/lines.h"

#include <array>
#include <charconv>

#include "protocol/base/find.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/writer.h"

namespace referee::relay {
namespace {

constexpr std::string_view turn_beginning = R"({"type":"turn","game_id":")";
constexpr std::string_view before_number = R"(","turn":)";

namespace json = protocol::json;

constexpr std::string_view login_beginning = R"({"type":"login")";
constexpr std::string_view hidden = "...";
constexpr std::array<std::string_view, 5> of_identities{"type", "name", "token", "password",
                                                        "version"};

}  // namespace

std::string printed_text(std::string_view line) {
    constexpr std::string_view tab = "    ";
    std::string text(line);
    for (auto at = text.find('\t'); at != std::string::npos; at = text.find('\t', at + tab.size()))
        text.replace(at, 1, tab);
    return base::visible_line(text);
}

std::optional<TurnPeek> peek_at_turn(std::string_view line) {
    if (!line.starts_with(turn_beginning)) return std::nullopt;
    line.remove_prefix(turn_beginning.size());
    const auto id_end = line.find_first_of("\"\\");
    if (id_end == std::string_view::npos || line[id_end] != '"') return std::nullopt;
    TurnPeek peek;
    peek.game_id = line.substr(0, id_end);
    line.remove_prefix(id_end);
    if (!line.starts_with(before_number)) return std::nullopt;
    line.remove_prefix(before_number.size());
    const auto* const end = line.data() + line.size();
    const auto [behind, error] = std::from_chars(line.data(), end, peek.turn);
    if (error != std::errc() || behind == end || (*behind != ',' && *behind != '}'))
        return std::nullopt;
    return peek;
}

std::string login_line(json::View login, const BotIdentity& identity) {
    std::string line;
    json::Writer writer(line);
    writer.begin_object().member("type", "login");
    const auto of_identity = [&](std::string_view name, const std::string& value) {
        if (!value.empty()) {
            writer.member(name, value);
        } else if (const auto given = login.find(name)) {
            writer.key(name);
            given.write(writer);
        }
    };
    of_identity("name", identity.name);
    of_identity("token", identity.token);
    of_identity("password", identity.password);
    of_identity("version", identity.version);
    json::write_members(writer, login, [](const json::Member& member) {
        return !base::contains(of_identities, member.name);
    });
    writer.end_object();
    return line;
}

std::string without_secrets(std::string_view line) {
    if (!line.starts_with(login_beginning)) return std::string(line);
    json::Document document;
    if (!document.parse(line)) return std::string(line);
    BotIdentity shown;
    if (document.root().find("token")) shown.token = hidden;
    if (document.root().find("password")) shown.password = hidden;
    return login_line(document.root(), shown);
}

}  // namespace referee::relay
