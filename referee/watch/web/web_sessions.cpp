#include "referee/watch/web/web_sessions.h"

#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/game/result/game_result.h"
#include "referee/watch/showing/showing.h"

namespace referee::web {

namespace {

std::string digest_of(std::string_view secret) {
    return std::string(base::bytes_of(base::digest_of(secret)));
}

namespace json = protocol::json;

// What was measured stays; texts are what the bot sent or printed, and how it was measured.
bool is_measured(const json::Member& of_evidence) {
    return of_evidence.value.kind() != json::Kind::string || of_evidence.name == "measure" ||
           of_evidence.name == "method";
}

// The words about what has no form quote it.
std::string words_without_quotes(json::View fault) {
    const auto code = fault.find("code").string().value_or("");
    const auto words = fault.find("message").string().value_or("");
    if (code == "malformed") return "what it sent has not the form of a move";
    if (code == "disconnected") return std::string(words.substr(0, words.find(", and said: ")));
    return std::string(code == "protocol" ? words.substr(0, words.find(": ")) : words);
}

void write_fault(json::Writer& writer, json::View fault) {
    json::rewrite(writer, fault, [&](std::string_view name, json::View value) {
        if (name == "evidence") {
            writer.begin_object();
            json::write_members(writer, value, is_measured);
            writer.end_object();
        } else if (name == "message") {
            writer.string(words_without_quotes(fault));
        } else {
            return false;
        }
        return true;
    });
}

void write_result(json::Writer& writer, json::View result, const std::vector<std::string>& bots,
                  const Visitor& visitor) {
    const auto is_own = [&](std::size_t seat) {
        return seat < bots.size() && visitor.may_know(bots[seat]);
    };
    json::rewrite(writer, result, [&](std::string_view name, json::View value) {
        if (name == "program") {
            std::size_t seat = 0;
            writer.texts(value.elements(), [&](json::View program) {
                return is_own(seat++) ? program.string().value_or("") : std::string_view();
            });
        } else if (name == "faults") {
            writer.begin_array();
            for (const auto fault : value.elements()) {
                const auto seat = fault.find("seat").unsigned_integer();
                seat&& is_own(*seat) ? fault.write(writer) : write_fault(writer, fault);
            }
            writer.end_array();
        }
        return name == "program" || name == "faults";
    });
}

}  // namespace

void WebSessions::expect(std::string_view ticket, std::string bot, Instant now) {
    tickets_.touch(digest_of(ticket)) = {{std::move(bot), false}, now + limits::ticket_lasts};
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
    sessions_.touch(digest_of(secret)) = {std::move(visitor), now + limits::session_lasts};
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

PlayersOfReplay players_of(std::string_view replay) {
    json::Document line;
    PlayersOfReplay players;
    if (!line.parse(replay.substr(0, replay.find('\n')))) return players;
    players.game = line.root().find("game").string().value_or("");
    for (const auto bot : line.root().find("bots").elements())
        players.bots.emplace_back(bot.string().value_or(""));
    return players;
}

std::string replay_for(std::string_view replay, const Visitor& visitor) {
    if (visitor.instructor) return std::string(replay);
    const auto last = base::last_line(replay);
    std::string text(replay.substr(0, static_cast<std::size_t>(last.data() - replay.data())));
    json::Document document;
    if (!document.parse(last)) return text;
    const auto bots = players_of(replay).bots;
    json::Writer writer(text);
    json::rewrite(writer, document.root(), [&](std::string_view name, json::View value) {
        if (name == "result") write_result(writer, value, bots, visitor);
        return name == "result";
    });
    return text + '\n';
}

bool may_know_seed(std::string_view replay, const Visitor& visitor) {
    if (visitor.instructor) return true;
    json::Document document;
    if (!document.parse(base::last_line(replay))) return false;
    const auto status =
        status_named(document.root().find("result").find("status").string().value_or(""));
    return players_of(replay).bots.size() > 1 && status && counts(*status);
}

std::string end_of(std::string_view replay) {
    const auto known = replay_for(replay, {});
    showing::LastLine last;
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    if (last.read(base::last_line(known), "the replay")) last.write(writer);
    writer.end_object();
    return text;
}

}  // namespace referee::web
