#include "referee/connect/relay/identity.h"

#include <algorithm>
#include <array>

namespace referee::relay {
namespace {

namespace json = protocol::json;

constexpr std::string_view login_beginning = R"({"type":"login")";
constexpr std::string_view hidden = "...";
constexpr std::array<std::string_view, 5> of_identities{"type", "name", "token", "password",
                                                        "version"};

}  // namespace

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
    for (const auto& [name, value] : login.members()) {
        if (std::find(of_identities.begin(), of_identities.end(), name) != of_identities.end())
            continue;
        writer.key(name);
        value.write(writer);
    }
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
