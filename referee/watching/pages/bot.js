// A bot's page: its place, its times as a plot, its games with results and faults.

import {element, fill, name_element, short_time} from "./dom.js";
import {api_answer} from "./source_api.js";
import {ranking_table} from "./ranking.js";

const bot_room = document.querySelector("main");

function bot_game_link(id) { return "/g/" + id.split("/").map(encodeURIComponent).join("/"); }

// What a turn took in the middle, of a game's time for all turns of the bot.
function bot_mean_us(game) { return game.turns ? game.used_us / game.turns : 0; }

// A bar for each game, the earliest first; its height goes with the root, because short times would not be seen beside long ones.
function bot_times(games) {
    const timed = games.filter((game) => game.used_us !== undefined).reverse();
    if (timed.length === 0) { return element("p", {}, "No game has told its times yet."); }
    const longest = timed.reduce((most, game) => Math.max(most, bot_mean_us(game)), 1);
    const bars = timed.map((game) => {
        const bar = element("a", {class: "bar", href: bot_game_link(game.game), title: game.game + ": " + short_time(Math.round(bot_mean_us(game))) + " a turn",
                                  "aria-label": game.game + ": " + short_time(Math.round(bot_mean_us(game))) + " a turn"});
        bar.style.height = Math.max(4, 100 * Math.sqrt(bot_mean_us(game) / longest)) + "%";
        return element("li", {}, bar);
    });
    return element("div", {}, [
        element("p", {class: "explained"}, "Each bar is a game, the earliest first: what was charged for a turn on average. The highest is " + short_time(Math.round(longest)) + "."),
        element("ul", {class: "plain bars"}, bars)]);
}

function bot_faults(game) {
    if (!game.faults_total) { return game.faults_total === 0 ? "none" : "\u2013"; }
    const told = game.faults.map((fault) => element("li", {}, [
        element("a", {href: bot_game_link(game.game) + "#turn=" + fault.turn}, "Turn " + fault.turn), ": " + fault.code.replace(/_/g, " ") + ". " + (fault.message || "") + " " + (fault.rule_text || "")]));
    return element("details", {}, [element("summary", {}, String(game.faults_total)), element("ul", {class: "plain"}, told)]);
}

function bot_row(game) {
    const opponents = [];
    for (const name of game.opponents) { opponents.push(opponents.length ? ", " : "", name_element(name)); }
    const time = game.used_us === undefined ? "\u2013" : short_time(game.used_us);
    return element("tr", {}, [
        element("th", {scope: "row"}, element("a", {href: bot_game_link(game.game)}, game.game)), element("td", {}, opponents.length ? opponents : "\u2013"),
        element("td", {class: "number"}, String(game.place)), element("td", {class: "number"}, game.score === undefined || game.score === null ? "\u2013" : String(game.score)),
        element("td", {class: "number"}, time), element("td", {}, bot_faults(game))]);
}

function bot_games(told) {
    if (told.games.length === 0) { return element("p", {}, "No game of this bot is over yet."); }
    const head = ["Game", "Against", "Place in the match", "Score", "Time used", "Faults"].map((title) => element("th", {scope: "col"}, title));
    const rest = told.games_total - told.games.length;
    return element("div", {}, [
        rest > 0 ? element("p", {class: "explained"}, "These are the latest; " + rest + " more were played before.") : null,
        element("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Games"},
            element("table", {}, [element("thead", {}, element("tr", {}, head)), element("tbody", {}, told.games.map(bot_row))]))]);
}

function bot_show(told) {
    const rating = told.standing.rating;
    const interval = rating && rating.elo_error95 !== undefined && rating.elo_error95 !== null;
    fill(bot_room, [
        element("header", {class: "title"}, [element("h1", {}, name_element(told.standing.name)),
            element("a", {href: "/t/" + encodeURIComponent(told.tournament)}, element("bdi", {}, told.tournament))]),
        told.standing.withdrawn ? element("p", {}, "It was withdrawn: " + told.standing.withdrawn) : null,
        ranking_table({tie_breaks: told.tie_breaks, bots: [told.standing]}),
        interval ? element("p", {}, "Its rating is " + Math.round(rating.elo) + "; with 95% certainty from " + Math.round(rating.elo - rating.elo_error95) + " to " + Math.round(rating.elo + rating.elo_error95) + ".") : null,
        element("h2", {}, "Time used"), bot_times(told.games), element("h2", {}, "Games"), bot_games(told)]);
    document.title = told.standing.name + ": " + told.tournament;
}

const [, , bot_tournament, , bot_name] = window.location.pathname.split("/");
api_answer("/api/v1/tournaments/" + bot_tournament + "/bot?name=" + bot_name).then(bot_show).catch((error) => {
    fill(bot_room, [element("h1", {}, "A bot"), element("p", {class: "trouble", role: "alert"}, error.message)]);
});
