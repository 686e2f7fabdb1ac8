// Who is logged in on the site, and what only they see and do.

#include <utility>

#include "protocol/codec.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/watch/pages/pages.h"
#include "referee/watch/web/request.h"
#include "referee/watch/web/site.h"

namespace referee::web {
namespace {

using pages::escaped;

namespace json = protocol::json;

constexpr std::string_view form_type = "application/x-www-form-urlencoded";
constexpr std::string_view no_logins =
    "nobody logs in here, because other machines reach this page without encryption; expected "
    "\"tls\": true in listen.web";

// What a refused login or registration comes to, in a status.
unsigned status_of(const std::string& code) {
    if (code == "too_many_tries" || code == "too_many_registrations") return 429;
    if (code == "wrong_token" || code == "unknown_name" || code == "wrong_password") return 401;
    return 403;
}

// Nothing where the request's body is none.
std::optional<Fields> posted_form(const Request& request) {
    auto form = read_form(request.body);
    if (!form || !request.content_type.starts_with(form_type)) return std::nullopt;
    return *std::move(form);
}

Answer refused(const WebOutcome& outcome) {
    return error_answer(status_of(outcome.code), outcome.code, outcome.message);
}

}  // namespace

std::string Site::cookie(std::string_view session, Duration lasts) const {
    std::string text = "referee_session=";
    text.append(session).append("; HttpOnly; SameSite=Strict; Path=/; Max-Age=");
    text += std::to_string(std::chrono::duration_cast<std::chrono::seconds>(lasts).count());
    if (terms_.secure) text += "; Secure";
    return text;
}

// A page of ours that goes on to the visitor's: a browser that came by a link from elsewhere sends
// its new cookie only with requests that begin here.
Answer Site::let_in(const Visitor& visitor) {
    const std::string own_page = visitor.instructor ? "/instructor" : "/me";
    auto answer = page_answer("Welcome", {},
                              "<p>You are logged in as " +
                                  escaped(visitor.instructor ? "the instructor" : visitor.bot) +
                                  ": " + pages::link(own_page, "go on") + ".</p>\n");
    const auto session = sessions_.begin(visitor, dependencies_.now());
    answer.headers.emplace_back("Set-Cookie", cookie(session, limits::session_lasts));
    answer.headers.emplace_back("Refresh", "0; url=" + own_page);
    return answer;
}

void Site::enter_by_ticket(const Asked& asked) {
    const auto ticket = asked.request.query.find("ticket");
    if (!terms_.logins) return asked.refuse(403, "no_logins", no_logins);
    if (ticket == asked.request.query.end())
        return asked.refuse(403, "no_logins",
                            "expected a link with a ticket, as the referee gives one with each "
                            "login of a bot");
    if (asked.request.only_head)
        return asked.refuse(405, "wrong_method", "expected a GET: it uses the link up");
    const auto visitor = sessions_.take(ticket->second, dependencies_.now());
    if (!visitor)
        return asked.refuse(403, "used_ticket",
                            "this link was used already, or is too old; expected a new one: the "
                            "referee gives one with each login of the bot");
    asked.reply(let_in(*visitor));
}

// Where names are hidden, no refusal says whether there is such a name.
WebOutcome Site::discreet_login(WebOutcome outcome) const {
    const bool tells = outcome.code == "unknown_name" || outcome.code == "token_needed" ||
                       outcome.code == "wrong_token";
    if (terms_.names_secret.empty() || !tells) return outcome;
    return {false, "wrong_token", "expected a bot's name and the token that belongs to it", {}};
}

// Nor which one it is like.
WebOutcome Site::discreet_registration(WebOutcome outcome) const {
    if (!terms_.names_secret.empty() && outcome.code == "name_too_similar")
        outcome.message = "this name can't be had here; expected another one";
    return outcome;
}

void Site::enter_by_token(const Asked& asked) {
    if (!terms_.logins) return asked.refuse(403, "no_logins", no_logins);
    const auto form = posted_form(asked.request);
    if (!form || !form->contains("token"))
        return asked.refuse(400, "wrong_form",
                            "expected a form such as name=ada&token=the+token+of+ada");
    const auto name = form_field(*form, "name");
    if (!name.empty() && !protocol::is_valid_name(name))
        return asked.refuse(400, "wrong_form",
                            "expected a bot's name, one line of printable text such as ada");
    dependencies_.loop.enter({name, form_field(*form, "token"), {}, asked.request.address},
                             [this, name, reply = asked.reply](const WebOutcome& outcome) {
                                 if (!outcome.done) return reply(refused(discreet_login(outcome)));
                                 reply(let_in({name, name.empty()}));
                             });
}

void Site::leave(const Asked& asked) {
    sessions_.end(session_of(asked.request));
    auto answer = json_answer("{\"done\":true}");
    answer.headers.emplace_back("Set-Cookie", cookie("", Duration::zero()));
    asked.reply(std::move(answer));
}

bool Site::needs_login(const Asked& asked) {
    const bool needs = asked.visitor.bot.empty();
    if (needs)
        asked.refuse(401, "login_expected",
                     "expected a session: open the link that the referee gives with each login of "
                     "a bot, or log in at /me by name and token");
    return needs;
}

void Site::who_am_i(const Asked& asked) {
    const auto& [bot, instructor] = asked.visitor;
    std::string text;
    json::Writer writer(text);
    writer.begin_object().key("bot");
    bot.empty() ? writer.null() : writer.string(bot);
    writer.member("instructor", instructor).member("logins", terms_.logins);
    writer.member("registration", terms_.logins && terms_.registration).end_object();
    asked.reply(json_answer(std::move(text)));
}

void Site::my_games(const Asked& asked) {
    if (needs_login(asked)) return;
    dependencies_.loop.games_of(asked.visitor.bot, [this, visitor = asked.visitor,
                                                    reply =
                                                        asked.reply](const WebOutcome& outcome) {
        reply(outcome.done ? json_answer(masked_games(outcome.text, visitor)) : refused(outcome));
    });
}

void Site::my_story(const Asked& asked) {
    if (needs_login(asked)) return;
    const auto key = game_key(asked.id);
    if (!key)
        return asked.refuse(404, "no_such_game",
                            "expected the id of a game of yours, such as friday/12.1");
    const auto name_mask = name_mask_for(key->tournament, asked.visitor);
    dependencies_.loop.story_of(
        asked.visitor.bot, *key, [name_mask, reply = asked.reply](const WebOutcome& outcome) {
            if (outcome.done) return reply(json_answer(name_mask.json(outcome.text)));
            reply(error_answer(404, outcome.code, name_mask.words(outcome.message)));
        });
}

void Site::register_name(const Asked& asked) {
    if (!terms_.logins || !terms_.registration)
        return asked.refuse(403, "no_registration",
                            "no names are registered on this page; expected \"registration\": "
                            "true in listen.web, and a class password");
    const auto form = posted_form(asked.request);
    const auto name = form ? form_field(*form, "name") : std::string();
    if (name.empty() || !protocol::is_valid_name(name))
        return asked.refuse(
            400, "wrong_form",
            "expected a form such as name=ada&token=a+token+of+yours&password=of+the+class");
    dependencies_.loop.register_name(
        {name, form_field(*form, "token"), form_field(*form, "password"), asked.request.address},
        [this, name, reply = asked.reply](const WebOutcome& outcome) {
            if (!outcome.done) return reply(refused(discreet_registration(outcome)));
            std::string text;
            json::Writer writer(text);
            writer.begin_object().member("registered", name).end_object();
            reply(json_answer(std::move(text)));
        });
}

void Site::new_token(const Asked& asked) {
    if (needs_login(asked)) return;
    const auto& bot = asked.visitor.bot;
    dependencies_.loop.new_token(bot, [this, bot, reply = asked.reply](const WebOutcome& outcome) {
        if (!outcome.done) return reply(refused(outcome));
        sessions_.forget(bot);
        std::string text;
        json::Writer writer(text);
        writer.begin_object().member("bot", bot).member("token", outcome.text).end_object();
        reply(json_answer(std::move(text)));
    });
}

pseudonyms::NameMask Site::name_mask_for(const std::string& tournament, const Visitor& visitor) {
    if (terms_.names_secret.empty() || visitor.instructor) return {};
    auto& pseudonyms = pseudonyms_[tournament];
    if (pseudonyms == nullptr) {
        pseudonyms = std::make_shared<const pseudonyms::Pseudonyms>(
            terms_.names_secret, tournament,
            std::vector<std::string>(names_.begin(), names_.end()));
    }
    return {pseudonyms, visitor.bot};
}

void Site::learn(const std::vector<std::string>& names) {
    bool is_new = false;
    for (const auto& name : names) is_new = names_.insert(name).second || is_new;
    if (is_new) pseudonyms_.clear();
}

void Site::set_terms(SiteTerms terms) {
    const bool others = terms.names_secret != terms_.names_secret;
    terms_ = std::move(terms);
    if (!others) return;
    showings_.clear();
    showings_bytes_ = 0;
    pseudonyms_.clear();
    wall_.begin_anew();
    // Who looks on loads the page again, with the names that are told now.
    while (!live_.empty()) {
        const auto id = live_.begin()->first;
        live_.begin()->second.fail();
        dependencies_.loop.unwatch(id);
        give_up(id);
    }
}

// The bot's own games are of several tournaments, and others have a pseudonym in each.
std::string Site::masked_games(const std::string& list, const Visitor& visitor) {
    protocol::json::Document document;
    if (terms_.names_secret.empty() || !document.parse(list)) return list;
    std::string text;
    protocol::json::Writer writer(text);
    json::rewrite(writer, document.root(), [&](std::string_view name, json::View value) {
        if (name != "games") return false;
        writer.begin_array();
        for (const auto game : value.elements()) {
            std::vector<std::string> bots;
            for (const auto bot : game.find("names").elements())
                bots.emplace_back(bot.string().value_or(""));
            const std::string tournament(game.find("tournament").string().value_or(""));
            learn(bots);
            writer.raw(name_mask_for(tournament, visitor).json(game.json_text()));
        }
        writer.end_array();
        return true;
    });
    return text;
}

}  // namespace referee::web
