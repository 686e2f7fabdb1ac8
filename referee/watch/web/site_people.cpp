// Who is logged in on the site, and what only they see and do.

#include <array>
#include <map>
#include <utility>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/codec.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/watch/pages/pages.h"
#include "referee/watch/web/request.h"
#include "referee/watch/web/site.h"

namespace referee::web {
namespace {

using base::in_markup;

namespace json = protocol::json;

constexpr std::string_view no_logins =
    "nobody logs in here, because other machines reach this page without encryption; expected "
    "\"tls\": true in listen.web";

constexpr std::size_t name_shown_bytes_max = 80;  // of one that can't be had

// What a refused login or registration comes to, in a status.
unsigned status_of(const std::string& code) {
    if (code == "too_many_tries" || code == "too_many_registrations") return 429;
    if (code == "wrong_token" || code == "unknown_name" || code == "wrong_password") return 401;
    return 403;
}

Answer refused(const WebOutcome& outcome) {
    return error_answer(status_of(outcome.code), outcome.code, outcome.message);
}

std::string entry_forms(bool registration) {
    std::string text =
        "<p>Open the link that the referee gives with each login of your bot, or log in by its "
        "name and token.</p>\n<form method=\"post\" action=\"/enter\" "
        "data-then=\"/me\"><p><label>Name <input name=\"name\" autocomplete=\"username\"></label> "
        "<label>Token <input name=\"token\" type=\"password\" "
        "autocomplete=\"current-password\"></label> <button>Log in</button></p></form>\n";
    if (registration)
        text +=
            "<h2>A new name</h2>\n<form method=\"post\" action=\"/api/v1/register\"><p><label>Name "
            "<input name=\"name\"></label> <label>A token of your choice <input name=\"token\" "
            "type=\"password\"></label> <label>Class password <input name=\"password\" "
            "type=\"password\"></label> <button>Register</button></p></form>\n";
    return text;
}

// The games of a `game_list` as tables, one for each tournament.
std::string own_games(std::string_view list) {
    constexpr std::array<std::string_view, 7> heads{
        "Game", "Bots", "Place", "Score", "Faults", "What happened", "How it ended"};
    json::Document document;
    if (!document.parse(list)) return {};
    std::map<std::string, std::string> all_rows;  // by tournament
    for (const auto game : document.root().find("games").elements()) {
        const std::string id(game.find("game_id").text());
        std::string bots;
        for (const auto name : game.find("names").elements())
            bots.append(bots.empty() ? "<bdi>" : ", <bdi>")
                .append(in_markup(name.text()))
                .append("</bdi>");
        const auto place = game.find("place").integer();
        const auto score = game.find("score");
        // A phone shows each game as some lines, with its heads in them.
        const std::array<std::string, heads.size()> cells{
            game_link(id),
            bots,
            place ? std::to_string(*place) : "",
            !score || score.is_null() ? "" : in_markup(score.json_text()),
            std::to_string(game.find("faults").integer().value_or(0)),
            pages::link("/me/games/" + in_url(id), "story"),
            in_markup(game.find("reason").text())};
        auto& rows = all_rows[std::string(game.find("tournament").text())];
        rows += "<tr class=\"mine\">";
        for (std::size_t i = 0; i < heads.size(); ++i)
            rows.append("<td data-head=\"").append(heads[i]).append("\">" + cells[i] + "</td>");
        rows += "</tr>\n";
    }
    if (all_rows.empty()) return "<p>No game of this bot is over yet.</p>\n";
    std::string tables;
    for (const auto& [tournament, rows] : all_rows)
        tables += "<h2>" + in_markup(tournament) + "</h2>\n" +
                  pages::table_html("Games of " + tournament, {heads.begin(), heads.end()}, rows);
    return tables;
}

std::string cookie(std::string_view session, Duration lasts, bool secure) {
    std::string text(session_cookie);
    text.append("=").append(session).append("; HttpOnly; SameSite=Strict; Path=/; Max-Age=");
    text += std::to_string(std::chrono::duration_cast<std::chrono::seconds>(lasts).count());
    if (secure) text += "; Secure";
    return text;
}

// Where names are hidden, no refusal says whether there is such a name.
WebOutcome discreet_login(WebOutcome outcome, const std::string& name, const BotNames& names) {
    const bool tells = outcome.code == "unknown_name" || outcome.code == "token_needed" ||
                       outcome.code == "wrong_token";
    if (name.empty() || !names.are_hidden() || !tells) return outcome;
    return {false, "wrong_token", "expected a bot's name and the token that belongs to it", {}};
}

// Nor which one it is like.
WebOutcome discreet_registration(WebOutcome outcome, const BotNames& names) {
    if (names.are_hidden() && outcome.code == "name_too_similar")
        outcome.message = "this name can't be had here; expected another one";
    return outcome;
}

}  // namespace

// A page of ours that goes on to the visitor's: a browser that came by a link from elsewhere sends
// its new cookie only with requests that begin here.
Answer Site::let_in(const Visitor& visitor) {
    const std::string own_page = visitor.instructor ? "/instructor" : "/me";
    auto answer = page_answer("Welcome", {},
                              "<p>You are logged in as " +
                                  in_markup(visitor.instructor ? "the instructor" : visitor.bot) +
                                  ": " + pages::link(own_page, "go on") + ".</p>\n");
    const auto session = sessions_.begin(visitor, dependencies_.now());
    answer.headers.emplace_back("Set-Cookie", cookie(session, session_lasts, terms_.secure));
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
                                 if (!outcome.done)
                                     return reply(refused(discreet_login(outcome, name, names_)));
                                 reply(let_in({name, name.empty()}));
                             });
}

void Site::leave(const Asked& asked) {
    sessions_.end(session_of(asked.request));
    auto answer = json_answer("{\"done\":true}");
    answer.headers.emplace_back("Set-Cookie", cookie("", Duration::zero(), terms_.secure));
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
    asked.reply(json_answer(json::object_text([&](json::Writer& writer) {
        writer.key("bot");
        asked.visitor.bot.empty() ? writer.null() : writer.string(asked.visitor.bot);
        writer.member("instructor", asked.visitor.instructor).member("logins", terms_.logins);
        writer.member("registration", terms_.logins && terms_.registration);
    })));
}

void Site::my_games(const Asked& asked) {
    if (needs_login(asked)) return;
    dependencies_.loop.games_of(
        asked.visitor.bot,
        [this, visitor = asked.visitor, reply = asked.reply](const WebOutcome& outcome) {
            reply(outcome.done ? json_answer(names_.masked_games(outcome.text, visitor))
                               : refused(outcome));
        });
}

// Where the bot stands in each tournament, and whether it was taken out of it.
std::string Site::own_places(const Visitor& visitor) {
    std::string lines;
    for (const auto& [id, news] : tournaments_) {
        json::Document document;
        if (!document.parse(data_of(id).row_of(visitor.bot))) continue;
        const auto row = document.root();
        const auto rank = row.find("rank").integer();
        const auto withdrawn = row.find("withdrawn").string();
        lines += "<li>" + pages::link(bot_path(id, visitor.bot), id) + ": " +
                 (rank ? fmt::format("rank {} of {}", *rank, data_of(id).ranked())
                       : "a house bot, which has no rank");
        if (withdrawn)
            lines += ", <strong class=\"fault\">withdrawn</strong>: " +
                     in_markup(names_.mask_for(id, visitor).words(*withdrawn));
        lines += "</li>\n";
    }
    return lines.empty() ? lines : "<ul class=\"plain\">\n" + lines + "</ul>\n";
}

void Site::my_page(const Asked& asked) {
    const auto& visitor = asked.visitor;
    const auto shown = [reply = asked.reply](const std::string& body) {
        reply(page_answer("My bot", "live.js", body));
    };
    if (!terms_.logins)
        return shown(
            "<p>Nobody logs in here, because this page is not encrypted on its way.</p>\n");
    if (!visitor.known()) return shown(entry_forms(terms_.registration));
    const std::string leave =
        "<form method=\"post\" action=\"/leave\" data-then=\"/me\"><p><button>Log "
        "out</button></p></form>\n";
    if (visitor.instructor)
        return shown(
            "<p>You are logged in as the instructor: replays show all that bots sent and "
            "printed. <a href=\"/instructor\">Orders</a> have a page of their own.</p>\n" +
            leave);
    dependencies_.loop.games_of(visitor.bot, [this, shown, leave,
                                              visitor](const WebOutcome& outcome) {
        shown("<p>You are logged in as <bdi>" + in_markup(visitor.bot) + "</bdi>.</p>\n" +
              own_places(visitor) +
              (outcome.done ? own_games(names_.masked_games(outcome.text, visitor))
                            : "<p>" + in_markup(outcome.message) + "</p>\n") +
              "<form method=\"post\" action=\"/api/v1/token\"><p><button>Make a new token</button> "
              "The old one is void then.</p></form>\n" +
              leave);
    });
}

void Site::my_story(const Asked& asked) {
    if (needs_login(asked)) return;
    const auto key = game_key(asked.id);
    if (!key)
        return asked.refuse(404, "no_such_game",
                            "expected the id of a game of yours, such as friday/12.1");
    dependencies_.loop.story_of(
        asked.visitor.bot, *key, names_.mask_for(key->tournament, asked.visitor),
        [reply = asked.reply](const WebOutcome& outcome) {
            reply(outcome.done ? json_answer(outcome.text)
                               : error_answer(404, outcome.code, outcome.message));
        });
}

void Site::register_name(const Asked& asked) {
    if (!terms_.logins || !terms_.registration)
        return asked.refuse(403, "no_registration",
                            "no names are registered on this page; expected \"registration\": "
                            "true in listen.web, and a class password");
    const auto form = posted_form(asked.request);
    const auto name = form ? form_field(*form, "name") : std::string();
    if (name.empty())
        return asked.refuse(
            400, "wrong_form",
            "expected a form such as name=ada&token=a+token+of+yours&password=of+the+class");
    if (!protocol::is_valid_name(name))
        return asked.refuse(400, "wrong_name",
                            "expected a name of 1 to 64 bytes of printable text without a blank at "
                            "its ends, such as ada, found " +
                                base::quoted(base::readable(name, name_shown_bytes_max)));
    dependencies_.loop.register_name(
        {name, form_field(*form, "token"), form_field(*form, "password"), asked.request.address},
        [this, name, reply = asked.reply](const WebOutcome& outcome) {
            if (!outcome.done) return reply(refused(discreet_registration(outcome, names_)));
            reply(json_answer(json::object_text(
                [&name](json::Writer& writer) { writer.member("registered", name); })));
        });
}

void Site::new_token(const Asked& asked) {
    if (needs_login(asked)) return;
    const auto& bot = asked.visitor.bot;
    dependencies_.loop.new_token(bot, [this, bot, reply = asked.reply](const WebOutcome& outcome) {
        if (!outcome.done) return reply(refused(outcome));
        sessions_.forget(bot);
        reply(json_answer(json::object_text([&](json::Writer& writer) {
            writer.member("bot", bot).member("token", outcome.text);
        })));
    });
}

}  // namespace referee::web
