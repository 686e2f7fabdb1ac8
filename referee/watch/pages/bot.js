// A bot's page: its place, its rating over time, whom it met, its games with results and faults, its times as a plot.

import {element, fill, name_element, short_time, table_region} from "./dom.js";
import {history_plot} from "./history.js";
import {api_answer, bot_page, game_page} from "./source_api.js";
import {ranking_figures} from "./ranking.js";

const bot_room = document.querySelector("main");
const bot_form_matches = 20;

// What the budget is compared to: the time of a turn on average, or of the whole game.
function bot_time_us(game) { return game.clock === "game" ? game.used_us : game.turns ? game.used_us / game.turns : 0; }

// A bar for each game, the earliest first. Heights go by powers of ten, because a budget is often a thousand times what is used.
function bot_times(games) {
    const timed = games.filter((game) => game.used_us !== undefined).reverse();
    const missing = games.filter((game) => game.kept === false).length;
    const not_kept = missing ? " Not kept: the times of " + missing + (missing === 1 ? " game" : " games") + ", whose replays are gone." : "";
    if (timed.length === 0) { return element("p", {}, "No game has told its times yet." + not_kept); }
    const longest = timed.reduce((most, game) => Math.max(most, bot_time_us(game)), 1);
    const latest = timed[timed.length - 1];
    const budget = latest.budget_us || 0;
    const top = Math.max(10, longest, budget);
    const height = (us) => 100 * Math.log(Math.max(us, 1)) / Math.log(top);
    const what = latest.clock === "game" ? " in all" : " a turn";
    const bars = timed.map((game) => {
        const told = game.game + ": " + short_time(Math.round(bot_time_us(game))) + (game.clock === "game" ? " in all" : " a turn");
        const bar = element("a", {class: "bar", href: game_page(game.game), title: told, "aria-label": told});
        bar.style.height = Math.max(4, height(bot_time_us(game))) + "%";
        return element("li", {}, bar);
    });
    const line = element("div", {class: "budget", title: "The budget: " + short_time(budget)});
    line.style.bottom = height(budget) + "%";
    return element("div", {}, [
        element("p", {class: "explained"}, "Each bar is a game, the earliest first: what was charged for " + (latest.clock === "game" ? "the whole game" : "a turn on average") +
            ". Each step of the same height is ten times as much. The highest is " + short_time(Math.round(longest)) +
            (budget ? "; the line is the budget, " + short_time(budget) + what + "." : ".") + not_kept),
        element("div", {class: "scroll bars", tabindex: 0, role: "region", "aria-label": "Times"}, element("div", {class: "drawn"}, [
            element("ul", {class: "plain"}, bars), budget ? line : null]))]);
}

function bot_faults(game) {
    if (!game.faults_total) { return game.faults_total === 0 ? "none" : "\u2013"; }
    const told = game.faults.map((fault) => element("li", {}, [
        element("a", {href: game_page(game.game) + "#turn=" + fault.turn}, "Turn " + fault.turn), ": " + fault.code.replace(/_/g, " ") + ". " + (fault.message || "") + " " + (fault.rule_text || "")]));
    return element("details", {}, [element("summary", {}, String(game.faults_total)), element("ul", {class: "plain"}, told)]);
}

// How many faults its latest games had, and the last one of them.
function bot_faults_line(games) {
    const known = games.filter((game) => game.faults_total !== undefined);
    const at_fault = known.filter((game) => game.faults_total > 0);
    if (known.length === 0) { return null; }
    if (at_fault.length === 0) { return element("p", {}, "No fault in its last " + known.length + (known.length === 1 ? " game." : " games.")); }
    const [{game, faults}] = at_fault;
    const fault = faults[faults.length - 1];
    const total = at_fault.reduce((sum, one) => sum + one.faults_total, 0);
    return element("p", {class: "fault"}, [total + (total === 1 ? " fault" : " faults") + " in " + at_fault.length + " of its last " + known.length + (known.length === 1 ? " game" : " games") + ". The latest: ",
        element("a", {href: game_page(game) + "#turn=" + fault.turn}, game + ", turn " + fault.turn), ", " + fault.code.replace(/_/g, " ") + (fault.message ? ": " + fault.message : "")]);
}

const bot_letters = {won: "W", drawn: "D", lost: "L"};

function bot_outcome(outcome) {
    return outcome ? element("span", {class: "letter " + outcome, title: outcome}, [bot_letters[outcome], element("span", {class: "unseen"}, " " + outcome)]) : "\u2013";
}

function bot_link(name) { return element("a", {href: bot_page(decodeURIComponent(bot_tournament), name)}, name_element(name)); }

// Nothing where there is but one point.
function bot_history({of, values}) {
    if (values.length < 2) { return null; }
    const whole = of === "rating" ? "Rating" : "Points";
    const told = whole + " over time: from " + Math.round(values[0]) + " to " + Math.round(values[values.length - 1]) + " in the course of its matches";
    return element("div", {}, [element("h2", {}, whole + " over time"), history_plot(values, told)]);
}

function bot_against(against) {
    if (against.length === 0) { return null; }
    const rows = against.map(({name, won, drawn, lost}) => {
        const parts = [["won", won], ["drawn", drawn], ["lost", lost]].map(([outcome, count]) => {
            const part = element("div", {class: outcome});
            part.style.flexGrow = count;
            return part;
        });
        return element("tr", {}, [element("th", {scope: "row"}, bot_link(name)), ...[won, drawn, lost].map((count) => element("td", {class: "number"}, String(count))),
            element("td", {class: "shares", "aria-hidden": "true"}, element("div", {}, parts))]);
    });
    return element("div", {}, [element("h2", {}, "Head to head"), table_region("Head to head",
        [["Against"], ["Won", true], ["Drawn", true], ["Lost", true], ["At a glance"]], rows, {class: "against"})]);
}

// The last matches at a glance, the latest first, each by its last game.
function bot_form(games) {
    const match = (game) => game.game.split(".")[0];
    const told = games.filter((game, place) => game.outcome && (place === 0 || match(games[place - 1]) !== match(game))).slice(0, bot_form_matches);
    return told.length ? element("p", {class: "form"}, ["The last matches: ", ...told.map((game) => element("a", {href: game_page(game.game)}, bot_outcome(game.outcome)))]) : null;
}

function bot_row(game) {
    const opponents = [];
    for (const name of game.opponents) { opponents.push(opponents.length ? ", " : "", bot_link(name)); }
    const time = game.used_us !== undefined ? short_time(game.used_us) : game.kept === false ? "not kept" : "\u2013";
    return element("tr", {}, [
        element("td", {}, bot_outcome(game.outcome)), element("th", {scope: "row"}, element("a", {href: game_page(game.game)}, game.game)), element("td", {}, opponents.length ? opponents : "\u2013"),
        element("td", {class: "number"}, String(game.place)), element("td", {class: "number"}, game.score === undefined || game.score === null ? "\u2013" : String(game.score)),
        element("td", {class: "number"}, time), element("td", {}, bot_faults(game))]);
}

function bot_games(told) {
    if (told.games.length === 0) { return element("p", {}, "No game of this bot is over yet."); }
    const heads = [["Match"], ["Game"], ["Against"], ["Place in the match", true], ["Score", true], ["Time used", true], ["Faults"]];
    const rest = told.games_total - told.games.length;
    return element("div", {}, [
        rest > 0 ? element("p", {class: "explained"}, "These are the latest; " + rest + " more were played before.") : null,
        table_region("Games", heads, told.games.map(bot_row))]);
}

// Games that counted and don't any more, because somebody ordered so.
function bot_annulled(games) {
    if (games.length === 0) { return null; }
    const lines = games.map((game) => element("li", {}, ["Game " + game.game + ": ", element("bdi", {}, game.reason)]));
    return element("div", {}, [element("h2", {}, "Games that don't count any more, by order"), element("ul", {}, lines)]);
}

function bot_show(told) {
    fill(bot_room, [
        element("header", {class: "title"}, [element("h1", {}, name_element(told.standing.name)),
            element("a", {href: "/t/" + encodeURIComponent(told.tournament)}, element("bdi", {}, told.tournament))]),
        told.standing.withdrawn ? element("p", {}, "It was withdrawn: " + told.standing.withdrawn) : null,
        ranking_figures({tie_breaks: told.tie_breaks, bots: [told.standing]}), bot_form(told.games), bot_faults_line(told.games),
        bot_annulled(told.standing.annulled || []),
        bot_history(told.history), bot_against(told.against), element("h2", {}, "Games"), bot_games(told), element("h2", {}, "Time used"), bot_times(told.games)]);
    document.title = told.standing.name + ": " + told.tournament;
}

// A name may have slashes in it.
const [, bot_tournament, bot_name] = window.location.pathname.match(/^\/t\/([^/]+)\/bots\/(.*)$/);
api_answer("/api/v1/tournaments/" + bot_tournament + "/bot?name=" + bot_name).then(bot_show).catch((error) => {
    fill(bot_room, [element("h1", {}, "A bot"), element("p", {class: "trouble", role: "alert"}, error.message)]);
});
