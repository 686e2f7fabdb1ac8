// The site's pages: HTML without a script in it.

#include <algorithm>
#include <cmath>
#include <utility>

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
using pages::link;

constexpr const char* icon_type = "image/svg+xml";
constexpr std::string_view icon_path = "/page/icon.svg";
constexpr std::string_view navigation =
    "<nav class=\"pages\" aria-label=\"Pages\"><a href=\"/\">Home</a> <a "
    "href=\"/wall\">Projector</a> <a href=\"/me\">My bot</a></nav>\n";
constexpr std::size_t leaders_shown = 20;
constexpr std::size_t boards_shown = 3;
constexpr std::size_t games_shown = 12;

std::string names(const std::vector<std::string>& bots, const pseudonyms::NameMask& name_mask) {
    return base::joined(bots, ", ", [&name_mask](const std::string& bot) {
        return "<bdi>" + in_markup(name_mask.name(bot)) + "</bdi>";
    });
}

Answer linked(std::string_view title, std::string_view script, pages::Links links) {
    const auto path = "/page/" + std::string(script);
    if (!script.empty()) links.scripts = {path};
    links.style = "/page/style.css";
    links.source = "api";
    links.icon = icon_path;
    links.navigation.insert(0, navigation);
    return text_answer("text/html; charset=utf-8", pages::linked_html(title, links));
}

// Each line as an element of its own, which says by how many steps it is indented.
std::string lines_of_story(std::string_view story) {
    constexpr std::size_t step = 4;
    constexpr std::size_t steps_max = 2;
    std::string html;
    while (!story.empty()) {
        const auto line = base::next_line(story);
        const auto steps = std::min(line.find_first_not_of(' ') / step, steps_max);
        html += fmt::format("<span class=\"in{}\">{}\n</span>", steps, in_markup(line));
    }
    return html;
}

std::vector<std::string> winners_of(const TournamentData& data) {
    std::vector<std::string> winners;
    for (const auto text : data.first_rows(leaders_shown)) {
        protocol::json::Document document;
        if (!document.parse(text) || document.root().find("rank").integer() != 1) break;
        winners.emplace_back(document.root().find("name").text());
    }
    return winners;
}

// A tournament in a line: what it is, and how far it has come.
std::string line_of(const TournamentNews& news, const TournamentData& data,
                    const pseudonyms::NameMask& name_mask) {
    auto text = tournament_link(news.id) + ": " + in_markup(news.game);
    if (!news.comes_next.empty()) {
        text += ", " + in_markup(name_mask.words(news.comes_next));
    } else if (news.state == "waiting") {
        text += ", begins by order";
    }
    if (news.bots > 0) text += ", " + base::counted(news.bots, "bot");
    if (news.matches_played > 0) {
        text += ", " + base::counted(news.matches_played, "match", "matches");
        if (news.matches_total && !news.over) text += " of " + std::to_string(*news.matches_total);
    }
    if (const auto winners = winners_of(data); news.over && !winners.empty())
        text += ", won by " + names(winners, name_mask);
    if (news.state == "paused" || news.state == "aborted")
        text += ", " + in_markup(news.state) + ": " + in_markup(name_mask.words(news.reason));
    return "<li>" + text + "</li>\n";
}

// Empty where there is no line.
std::string list_under(std::string_view title, const std::string& lines) {
    if (lines.empty()) return {};
    return "<section><h2>" + std::string(title) + "</h2>\n<ul class=\"plain\">\n" + lines +
           "</ul></section>\n";
}

}  // namespace

Answer page_answer(std::string_view title, std::string_view script, const std::string& html) {
    return linked(title, script,
                  {.body = "<main><h1>" + base::in_markup(title) + "</h1>\n" + html + "</main>\n"});
}

Answer drawn_page(std::string_view title, std::string_view script, const std::string& links) {
    return linked(title, script, {.navigation = links});
}

std::string tournament_link(const std::string& id) {
    return pages::link("/t/" + in_url(id), id);
}

std::string game_link(const std::string& id) {
    return pages::link("/g/" + in_url(id), id);
}

std::string bot_path(std::string_view tournament, std::string_view bot) {
    return "/t/" + in_url(tournament) + "/bots/" + in_url(bot);
}

std::string Site::leader_board(const std::string& id, const Visitor& visitor) {
    const auto& data = data_of(id);
    const auto leaders = data.first_rows(leaders_shown);
    if (leaders.empty()) return {};
    const auto name_mask = names_.mask_for(id, visitor);
    std::string rows;
    std::string_view by = "Points";
    double least = HUGE_VAL;
    constexpr std::pair<std::string_view, std::string_view> figures[] = {
        {"ladder_rating", "Rating"}, {"share", "Share"}, {"points", "Points"}};
    for (const auto text : leaders) {
        protocol::json::Document document;
        if (!document.parse(text)) continue;
        const auto row = document.root();
        const auto cell = [&row](std::string_view member) {
            const auto value = row.find(member);
            return "<td class=\"number\">" +
                   (member == "ladder_rating"
                        ? std::to_string(std::lround(value.number().value_or(0)))
                    : value.is_null() ? std::string()
                                      : in_markup(value.json_text())) +
                   "</td>";
        };
        const auto name = name_mask.name(row.find("name").text());
        const auto* const figure =
            std::find_if(std::begin(figures), std::end(figures) - 1,
                         [&row](const auto& one) { return bool{row.find(one.first)}; });
        by = figure->second;
        // Whoever has played few matches on a ladder stands behind others of a lower rating.
        const auto rating = row.find("house") ? std::nullopt : row.find("ladder_rating").number();
        const bool is_new = rating && *rating > least;
        if (rating) least = std::min(least, *rating);
        rows += (row.find("house") ? "<tr class=\"house\"><td class=\"number\">house</td>"
                                   : "<tr>" + cell("rank")) +
                "<th scope=\"row\">" +
                pages::link_around(bot_path(id, name), "<bdi>" + in_markup(name) + "</bdi>") +
                (row.find("withdrawn") ? " <span class=\"explained\">withdrawn</span>"
                 : is_new              ? " <span class=\"explained\">few matches yet</span>"
                                       : "") +
                "</th>" + cell(figure->first) + cell("won") + cell("drawn") + cell("lost") +
                "</tr>\n";
    }
    std::string heads;
    for (const auto head :
         {std::string_view("Rank"), std::string_view("Bot"), by, std::string_view("Won"),
          std::string_view("Drawn"), std::string_view("Lost")})
        heads += (head == "Bot" ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"number\">") +
                 std::string(head) + "</th>";
    return "<section><h2>" + tournament_link(id) + "</h2>\n<table class=\"leaders\"><thead><tr>" +
           heads + "</tr></thead><tbody>\n" + rows + "</tbody></table>" +
           (data.bots() > leaders.size()
                ? "<p>" + link("/t/" + in_url(id), fmt::format("All {} bots", data.bots())) + "</p>"
                : "") +
           "</section>\n";
}

void Site::home_page(const Asked& asked) {
    const auto& visitor = asked.visitor;
    std::string now, next, over, boards;
    std::size_t shown = 0;
    // What goes on stands before what is over.
    for (const bool is_over : {false, true}) {
        for (const auto& [id, tournament] : tournaments_) {
            if (tournament.over != is_over) continue;
            auto& list = is_over ? over : tournament.state == "waiting" ? next : now;
            list += line_of(tournament, data_of(id), names_.mask_for(id, visitor));
            if (&list == &next || shown == boards_shown) continue;
            if (const auto board = leader_board(id, visitor); !board.empty()) {
                boards += board;
                ++shown;
            }
        }
    }
    std::string games;
    std::size_t count = 0;
    for (const auto& [id, game] : games_.going_on()) {
        if (++count > games_shown) break;
        const auto bots = names(game.bots, names_.mask_for(game.key.tournament, visitor));
        games += "<li>" + pages::link_around("/g/" + in_url(id), bots) +
                 " <span class=\"game-id\">" + in_markup(id) + "</span></li>\n";
    }
    auto body = list_under("Now", now) + list_under("Next", next) +
                list_under("<a href=\"/wall\">Games that are played now</a>", games) +
                list_under("Over", over);
    body = "<div class=\"home\"><div>" + body + "</div><div class=\"boards\">" + boards +
           "</div></div>\n";
    if (tournaments_.empty()) body = "<p>There is no tournament.</p>\n";
    body = "<div class=\"fresh\">" + body + "</div>\n<footer>" +
           link("/instructor", "For the instructor") + "</footer>\n";
    asked.reply(page_answer(terms_.title.empty() ? "Tournaments" : terms_.title, "live.js", body));
}

// A tournament, or with /bots/NAME behind it one of its bots, which the page asks for.
void Site::tournament_page(const Asked& asked) {
    constexpr std::string_view of_bot = "/bots/";
    const auto place = asked.id.find(of_bot);
    auto of_tournament = asked;
    auto& id = of_tournament.id;
    id.resize(std::min(place, id.size()));
    if (!tournaments_.contains(id)) return asked.reply(no_such_tournament());
    if (place == std::string::npos) return asked.reply(drawn_page(id, "standings.js"));
    if (!known_bot(of_tournament, asked.id.substr(place + of_bot.size())).empty())
        asked.reply(drawn_page(id, "bot.js"));
}

void Site::wall_page(const Asked& asked) {
    asked.reply(drawn_page("Projector", "wall.js"));
}

void Site::icon(const Asked& asked) {
    asked.reply(text_answer(icon_type, std::string(pages::icon())));
}

std::string Site::game_links(const GameKey& key) {
    const auto& games = data_of(key.tournament).counted();
    const auto here = std::lower_bound(games.begin(), games.end(), key);
    const auto is_play_of_it = [&key](const GameKey& other) {
        return other.match == key.match && other.number == key.number;
    };
    const auto behind = std::find_if_not(here, games.end(), is_play_of_it);
    auto text = "<nav class=\"pages\" aria-label=\"This game\">" + tournament_link(key.tournament);
    const auto add = [&](const GameKey& other, const std::string& words) {
        if (!games_.is_held(game_id(other)))
            text += " " + link("/g/" + in_url(game_id(other)), words);
    };
    if (here != games.begin()) add(*(here - 1), "Previous game");
    if (behind != games.end()) add(*behind, "Next game");
    for (const auto& [other, why] : data_of(key.tournament).annulled())
        if (is_play_of_it(other) && other.attempt < key.attempt)
            add(other, "Its earlier play: " + game_id(other));
    if (here != behind && here->attempt > key.attempt)
        add(*here, "Played again: " + game_id(*here));
    if (data_of(key.tournament).is_ruled(key))
        text += " <span class=\"explained\">An arbiter set the result of this game's match.</span>";
    return text + "</nav>\n";
}

// The page asks for the game that its address names.
void Site::game_page(const Asked& asked) {
    const auto key = game_key(asked.id);
    if (!key || !tournaments_.contains(key->tournament))
        return asked.reply(drawn_page(asked.id, "viewer.js"));
    const auto& going_on = games_.going_on();
    const auto on = going_on.find(asked.id);
    const auto name_mask = names_.mask_for(key->tournament, asked.visitor);
    std::string title;
    for (const auto& name :
         on == going_on.end() ? data_of(key->tournament).players_of(*key) : on->second.bots)
        title += (title.empty() ? "" : " \u2013 ") + name_mask.name(name);
    title += (title.empty() ? "" : ": ") + asked.id;
    asked.reply(drawn_page(title, "viewer.js", game_links(*key)));
}

void Site::my_story_page(const Asked& asked) {
    auto inner = asked;
    inner.reply = [reply = asked.reply](Answer answer) {
        protocol::json::Document document;
        if (answer.status != http_ok || !document.parse(*answer.body))
            return reply(std::move(answer));
        const auto told = document.root();
        const std::string id(told.find("game_id").text());
        std::string body = "<p>" + game_link(id) +
                           " shows it move by move, and <code>referee review</code> where it was "
                           "lost.</p>\n<pre class=\"story\" tabindex=\"0\">" +
                           lines_of_story(told.find("story").text()) + "</pre>\n";
        for (const auto line : told.find("debug").elements())
            body += fmt::format("<p>Turn {}: <bdi>{}</bdi></p>\n",
                                line.find("turn").integer().value_or(0),
                                in_markup(line.find("debug").text()));
        if (const auto end = told.find("stderr_tail").string(); end && !end->empty())
            body += "<h2>The end of its standard error</h2>\n<pre tabindex=\"0\">" +
                    in_markup(*end) + "</pre>\n";
        reply(page_answer("What happened", {}, body));
    };
    my_story(inner);
}

Answer Site::page_of_error(Answer answer) {
    protocol::json::Document document;
    const auto told =
        document.parse(*answer.body) ? document.root().find("error") : protocol::json::View();
    auto page = page_answer("This is not here", {},
                            "<p>" + in_markup(told.find("message").text()) + "</p>\n");
    answer.body = std::move(page.body);
    answer.type = std::move(page.type);
    return answer;
}

void Site::part_of_page(const Asked& asked) {
    constexpr const char* script_type = "text/javascript; charset=utf-8";
    if (asked.id == "style.css")
        return asked.reply(text_answer("text/css; charset=utf-8", std::string(pages::style())));
    if (asked.id == "icon.svg") return icon(asked);
    constexpr std::string_view ending = ".js";
    auto script = asked.id.ends_with(ending)
                      ? pages::script(asked.id.substr(0, asked.id.size() - ending.size()))
                      : std::string();
    if (!script.empty()) return asked.reply(text_answer(script_type, std::move(script)));
    asked.refuse(404, "no_such_page",
                 "expected /page/style.css, /page/viewer.js or /page/standings.js");
}

}  // namespace referee::web
