// A bot's page: its place, its rating over time, whom it met, its games with results and faults, its times as a plot.

import {element, fill, name_element, short_time, table_region} from "./dom.js";
import {ranking_figures} from "./ranking.js";
import {api_answer, bot_page, game_page} from "./server.js";

const history_size = {width: 800, height: 200, left: 66, right: 14, top: 14, bottom: 14};

function history_element(name, attributes, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) { made.setAttribute(key, String(value)); }
    if (text !== undefined) { made.textContent = text; }
    return made;
}

// How something went on, as a line: an SVG of our own. `values`, the first one first; `told` says it in words to who can't see it.
function history_plot(values, told) {
    const {width, height, left, right, top, bottom} = history_size;
    const least = values.reduce((found, value) => Math.min(found, value), Infinity);
    const most = values.reduce((found, value) => Math.max(found, value), -Infinity);
    const x = (index) => left + (width - left - right) * (values.length > 1 ? index / (values.length - 1) : 1);
    const y = (value) => height - bottom - (height - top - bottom) * (value - least) / Math.max(most - least, 1);
    const root = history_element("svg", {viewBox: "0 0 " + width + " " + height, class: "history", role: "img", "aria-label": told});
    for (const value of new Set([least, (least + most) / 2, most])) {
        root.append(history_element("line", {x1: left, x2: width - right, y1: y(value), y2: y(value), class: "rule"}),
                    history_element("text", {x: left - 6, y: y(value) + 5}, Math.round(value)));
    }
    const last = values.length - 1;
    root.append(history_element("polyline", {points: values.map((value, index) => x(index).toFixed(1) + "," + y(value).toFixed(1)).join(" ")}),
                history_element("circle", {cx: x(last), cy: y(values[last]), r: 5}));
    return element("div", {class: "plot"}, root);
}

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
