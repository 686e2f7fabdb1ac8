#include "referee/watch/web/web_sessions.h"

#include "protocol/base/bytes.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"

namespace referee::web {

namespace {

namespace json = protocol::json;

std::string digest_of(std::string_view secret) {
    return std::string(base::bytes_of(base::digest_of(secret)));
}

}  // namespace

// The bot's own games are of several tournaments, and others have a pseudonym in each.
std::string BotNames::masked_games(const std::string& list, const Visitor& visitor) {
    json::Document document;
    if (!are_hidden() || !document.parse(list)) return list;
    std::string text;
    json::Writer writer(text);
    json::rewrite(writer, document.root(), [&](std::string_view name, json::View value) {
        if (name != "games") return false;
        writer.begin_array();
        for (const auto game : value.elements()) {
            const std::string tournament(game.find("tournament").text());
            writer.raw(mask_for(tournament, visitor).json(game.json_text()));
        }
        writer.end_array();
        return true;
    });
    return text;
}

void WebSessions::expect(std::string_view ticket, std::string bot, Instant now) {
    tickets_.touch(digest_of(ticket)) = {{std::move(bot), false}, now + ticket_lasts};
}

std::optional<Visitor> WebSessions::take(std::string_view ticket, Instant now) {
    const auto digest = digest_of(ticket);
    const auto* const found = tickets_.find(digest);
    if (found == nullptr) return std::nullopt;
    const auto pass = *found;
    tickets_.erase(digest);
    if (now >= pass.until) return std::nullopt;
    return pass.visitor;
}

std::string WebSessions::begin(Visitor visitor, Instant now) {
    auto secret = fresh_();
    sessions_.touch(digest_of(secret)) = {std::move(visitor), now + session_lasts};
    return secret;
}

Visitor WebSessions::visitor(std::string_view session, Instant now) const {
    if (session.empty()) return {};
    const auto* pass = sessions_.find(digest_of(session));
    return pass == nullptr || now >= pass->until ? Visitor{} : pass->visitor;
}

void WebSessions::end(std::string_view session) {
    sessions_.erase(digest_of(session));
}

void WebSessions::forget(std::string_view bot) {
    const auto is_its = [bot](const Pass& pass) { return pass.visitor.bot == bot; };
    tickets_.erase_if(is_its);
    sessions_.erase_if(is_its);
}

}  // namespace referee::web
