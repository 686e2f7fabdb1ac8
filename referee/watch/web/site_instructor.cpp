// The instructor's page: the orders of `referee ctl` that a class needs most, each told before it
// is done, and carried out by the daemon as ctl's are.

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/watch/pages/pages.h"
#include "referee/watch/web/request.h"
#include "referee/watch/web/site.h"

namespace referee::web {
namespace {

using base::in_markup;

// Texts of a form, as the daemon's request has them too.
enum class Reason : std::uint8_t { none, may, must };
struct OrderForm {
    std::string_view command;
    std::string_view title;
    bool of_tournament = false;
    bool of_bot = false;
    bool of_game = false;
    Reason reason = Reason::none;
    std::string_view flag;  // a member that is true where the box is ticked; empty: none
    std::string_view flag_title;
};
constexpr std::size_t games_offered = 20;  // of each tournament, the latest
constexpr std::array<OrderForm, 7> order_forms{{
    {"start", "Start a tournament", true, false, false, Reason::none, "now",
     "without waiting for bots that have not come"},
    {"pause", "Pause a tournament", true, false, false, Reason::may, "", ""},
    {"resume", "Resume a tournament", true, false, false, Reason::may, "", ""},
    {"withdraw", "Withdraw a bot", true, true, false, Reason::may, "", ""},
    {"admit", "Admit a bot, also again", true, true, false, Reason::none, "", ""},
    {"token", "Give a new token", false, true, false, Reason::none, "new", "also for a new name"},
    {"replay-game", "Annul a game, which is played again", false, false, true, Reason::must, "",
     ""},
}};

std::string text_field(std::string_view name, std::string_view label, std::string_view more) {
    return "<label>" + std::string(label) + " <input name=\"" + std::string(name) + "\" " +
           std::string(more) + "></label> ";
}

// What a form that this session was shown has with it, and no other page can know.
std::string form_token(std::string_view session, std::string_view command) {
    return base::hex_of(
        base::digest_of("an order's form, ", command, ", of the session ", session));
}

std::string form_of(const OrderForm& order, const std::string& tournaments,
                    std::string_view session) {
    std::string text =
        "<form class=\"order\" method=\"post\" action=\"/api/v1/orders\" aria-label=\"" +
        std::string(order.title) + "\"><h2>" + std::string(order.title) +
        "</h2><p><input type=\"hidden\" name=\"command\" value=\"" + std::string(order.command) +
        "\"><input type=\"hidden\" name=\"form_token\" value=\"" +
        form_token(session, order.command) + "\">";
    if (order.of_bot)
        text += text_field("bot", "Bot", "list=\"bots\" placeholder=\"choose or type\" required");
    if (order.of_game)
        text += text_field("game", "Game", "list=\"games\" placeholder=\"friday/12.1\" required");
    if (order.of_tournament)
        text +=
            "<label>Tournament <select name=\"tournament\">" + tournaments + "</select></label> ";
    if (order.reason != Reason::none)
        text += text_field("reason", "Reason", order.reason == Reason::must ? "required" : "");
    if (!order.flag.empty())
        text += "<label><input type=\"checkbox\" name=\"" + std::string(order.flag) +
                "\" value=\"yes\"> " + std::string(order.flag_title) + "</label> ";
    return text +
           "<button>What would it do?</button></p><p class=\"answer\" role=\"status\"></p>"
           "</form>\n";
}

std::string seen_of(protocol::json::View bot) {
    if (bot.find("connected").boolean().value_or(false)) return "here";
    const auto seconds = bot.find("last_seen_s").integer();
    if (!seconds) return "never";
    return base::span_text(*seconds) + " ago";
}

// The bots as `ctl bots` tells them, those with most faults first, and their names to choose from.
// `withdrawn_from(bot)`: the tournaments that it was taken out of, in words.
std::string bots_part(std::string_view told,
                      const std::function<std::string(std::string_view bot)>& withdrawn_from) {
    protocol::json::Document document;
    if (!document.parse(told)) return {};
    std::vector<protocol::json::View> bots;
    for (const auto bot : document.root().find("bots").elements()) bots.push_back(bot);
    const auto faults = [](protocol::json::View bot) {
        return bot.find("faults").integer().value_or(0);
    };
    std::ranges::stable_sort(bots, [&faults](const auto& one, const auto& other) {
        return faults(one) > faults(other);
    });
    std::string rows, choices;
    for (const auto bot : bots) {
        const auto called = bot.find("name").text();
        const auto name = in_markup(called);
        std::string ranks;
        for (const auto& [tournament, rank] : bot.find("ranks").members())
            ranks += (ranks.empty() ? "" : ", ") +
                     pages::link(bot_path(tournament, called),
                                 fmt::format("{} {}", tournament, rank.integer().value_or(0)));
        const auto from = withdrawn_from(called);
        rows += fmt::format(
            "<tr><th scope=\"row\"><bdi>{}</bdi>{}</th><td class=\"number{}\">{}</td><td "
            "class=\"number\">{}</td><td>{}</td><td>{}</td></tr>\n",
            name, from.empty() ? "" : " <span class=\"fault\">withdrawn from " + from + "</span>",
            faults(bot) > 0 ? " fault" : "", faults(bot),
            bot.find("games_played").integer().value_or(0), seen_of(bot), ranks);
        choices += "<option value=\"" + name + "\"></option>";
    }
    return pages::table_html("Bots", {"Bot", "Faults", "Games", "Last seen", "Ranks"}, rows) +
           "<datalist id=\"bots\">" + choices + "</datalist>\n";
}

// The line that ctl would send.
std::string request_of(const OrderForm& order, const Fields& form) {
    return protocol::json::object_text([&](protocol::json::Writer& writer) {
        writer.member("command", order.command);
        for (const auto& [asked, name] :
             {std::pair(order.of_tournament, "tournament"), std::pair(order.of_bot, "bot"),
              std::pair(order.of_game, "game"),
              std::pair(order.reason != Reason::none, "reason")}) {
            const auto value = form_field(form, name);
            if (asked && !value.empty()) writer.member(std::string_view(name), value);
        }
        if (!order.flag.empty() && form.contains(order.flag)) writer.member(order.flag, true);
        if (!form.contains("confirmed")) writer.member("dry_run", true);
    });
}

}  // namespace

void Site::instructor_page(const Asked& asked) {
    const auto shown = [reply = asked.reply](const std::string& body) {
        reply(page_answer("Instructor", "live.js", body));
    };
    if (!terms_.logins)
        return shown(
            "<p>Nobody logs in here, because this page is not encrypted on its way; expected "
            "\"tls\": true in listen.web, or a browser on this machine.</p>\n");
    if (!asked.visitor.instructor)
        return shown(
            "<form method=\"post\" action=\"/enter\" data-then=\"/instructor\"><p><label>Admin "
            "token <input name=\"token\" type=\"password\" "
            "autocomplete=\"current-password\"></label> <button>Log in</button></p></form>\n"
            "<p class=\"explained\">It is control.token of the config.</p>\n");
    dependencies_.loop.order(
        R"({"command":"bots"})",
        [this, shown, session = session_of(asked.request)](const WebOutcome& outcome) {
            shown(orders_html(session, outcome.text));
        });
}

std::string Site::orders_html(std::string_view session, std::string_view bots) {
    std::string state, options, games, to_start;
    const auto next_of = [](const TournamentNews& tournament) {
        return !tournament.comes_next.empty()  ? tournament.comes_next
               : tournament.state == "waiting" ? "begins by your order"
                                               : "";
    };
    // A column that nobody has anything in is left out.
    std::vector<std::string_view> heads{"Tournament", "State", "Matches", "Reason", "Game"};
    const bool has_next = std::ranges::any_of(
        tournaments_, [&](const auto& each) { return !next_of(each.second).empty(); });
    if (has_next) heads.insert(heads.begin() + 2, "What comes next");
    for (const auto& [id, tournament] : tournaments_) {
        state += fmt::format(
            "<tr><th scope=\"row\">{}</th><td>{}{}</td><td "
            "class=\"number\">{}</td><td>{}</td><td>{}</td></tr>\n",
            tournament_link(id), in_markup(tournament.state),
            has_next ? "</td><td>" + in_markup(next_of(tournament)) : "", tournament.matches_played,
            in_markup(tournament.reason), in_markup(tournament.game));
        const auto option = "<option>" + in_markup(id) + "</option>";
        options += option;
        if (!tournament.over) to_start += option;
        const auto& counted = data_of(id).counted();
        for (auto i = counted.size(); i > 0 && i + games_offered > counted.size(); --i) {
            const auto players =
                base::joined(data_of(id).players_of(counted[i - 1]), " \u2013 ", in_markup);
            games += "<option value=\"" + in_markup(game_id(counted[i - 1])) + "\">" + players +
                     "</option>";
        }
    }
    const auto withdrawn_from = [this](std::string_view bot) {
        std::vector<std::string> from;
        for (const auto& [id, tournament] : tournaments_) {
            protocol::json::Document row;
            if (row.parse(data_of(id).row_of(bot)) && row.root().find("withdrawn"))
                from.push_back(in_markup(id));
        }
        return base::joined(from, ", ");
    };
    std::string body =
        "<p class=\"explained\">Each order is told first, and done when you say so: as by "
        "<code>referee ctl</code>, and recorded as its orders are.</p>\n<div "
        "class=\"orders\">\n";
    for (const auto& order : order_forms)
        body += form_of(order, order.command == "start" ? to_start : options, session);
    return body + "</div>\n<div id=\"state\"><section>" +
           pages::table_html("Tournaments", heads, state) + "</section><section>" +
           bots_part(bots, withdrawn_from) + "</section><datalist id=\"games\">" + games +
           "</datalist></div>\n<form method=\"post\" action=\"/leave\" "
           "data-then=\"/instructor\"><p>"
           "<button>Log out</button></p></form>\n";
}

void Site::order(const Asked& asked) {
    if (!terms_.logins || !asked.visitor.instructor)
        return asked.refuse(401, "login_expected",
                            "expected the instructor's session: log in at /instructor by "
                            "control.token of the config");
    const auto form = posted_form(asked.request);
    if (!form) return asked.refuse(400, "wrong_form", form.error());
    const auto command = form_field(*form, "command");
    const auto* const order = std::ranges::find(order_forms, command, &OrderForm::command);
    if (order == order_forms.end())
        return asked.refuse(400, "wrong_form",
                            "expected one of the page's orders, such as command=pause; "
                            "referee ctl has the others");
    if (!base::same_secret(form_token(session_of(asked.request), command),
                           form_field(*form, "form_token")))
        return asked.refuse(403, "wrong_form_token",
                            "expected the form of the page that this session was shown; "
                            "load /instructor again");
    if (order->reason == Reason::must && form_field(*form, "reason").empty())
        return asked.refuse(400, "wrong_form", "expected a reason: it is recorded with the order");
    dependencies_.loop.order(
        request_of(*order, *form),
        [reply = asked.reply](const WebOutcome& outcome) { reply(json_answer(outcome.text)); });
}

}  // namespace referee::web
