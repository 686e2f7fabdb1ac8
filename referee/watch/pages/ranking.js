// The table of a tournament's standings, and the plot of its ratings. The order is that of the data.

import {element, name_element, table_region} from "./dom.js";

const ranking_titles = {points: "Points", scores: "Scores", buchholz: "Buchholz", buchholz_cut_1: "Buchholz cut 1", sonneborn_berger: "Sonneborn-Berger",
                        direct_encounter: "Direct", average: "Average", time_used: "Time used"};

export function titled(member) {
    const words = member.replace(/_/g, " ");
    return ranking_titles[member] || words.charAt(0).toUpperCase() + words.slice(1);
}

function plain_number(value) {
    if (value === null || value === undefined) { return "\u2013"; }
    return typeof value === "number" && !Number.isInteger(value) ? String(Math.round(value * 1000) / 1000) : String(value);
}

// An Elo, which counts from the bots' mean: no other scale is meant.
function signed_elo(elo) {
    return elo === null || elo === undefined ? "\u2013" : (elo < 0 ? "\u2212" : "+") + Math.round(Math.abs(elo));
}

// Titles and what a bot has beneath them. What no bot has is left out.
function ranking_columns(data) {
    const columns = [];
    // What the format itself ranks by.
    const is_ladder = data.bots.some((bot) => bot.ladder_rating !== undefined);
    if (is_ladder) { columns.push(["Rating", (bot) => plain_number(bot.ladder_rating)]); }
    if (data.bots.some((bot) => bot.share !== undefined)) {
        columns.push(["Share", (bot) => plain_number(bot.share)]);
        columns.push(["Share (95%)", (bot) => plain_number(bot.share_low95) + "\u2013" + plain_number(bot.share_high95)]);
    }
    for (const member of data.tie_breaks || ["points"]) { columns.push([titled(member), (bot) => plain_number(bot[member])]); }
    columns.push(["Played", (bot) => plain_number(bot.played)]);
    if (data.bots.some((bot) => bot.won || bot.drawn || bot.lost)) {
        for (const member of ["won", "drawn", "lost"]) { columns.push([titled(member), (bot) => plain_number(bot[member])]); }
    }
    if (data.bots.some((bot) => bot.rating)) {
        columns.push([is_ladder ? "Elo of all matches" : "Elo", (bot) => signed_elo(bot.rating?.elo)]);
        columns.push(["\u00b1 (95%)", (bot) => plain_number(bot.rating?.elo_error95 && Math.round(bot.rating.elo_error95))]);
    }
    if (data.bots.some((bot) => bot.rank_interval)) {
        columns.push(["Ranks (95%)", (bot) => (bot.rank_interval ? Array.from(new Set(bot.rank_interval)).join("\u2013") : "\u2013")]);
    }
    return columns;
}

// What stands behind a bot's name: that it was withdrawn, or why it stands behind others of a lower rating.
export function bot_mark(bots, bot) {
    const is_new = !bot.house && bots.some((other) => !other.house && other.rank < bot.rank && other.ladder_rating < bot.ladder_rating);
    const mark = bot.withdrawn ? " withdrawn" : is_new ? " few matches yet" : null;
    return mark && element("span", {class: "explained", title: bot.withdrawn}, mark);
}

// By what the order is made, in words.
export function ranked_by(data) {
    if (data.format === "ladder") { return "A ladder ranks by its rating, which each match changes. Who has played fewer than 3 matches, or is withdrawn, stands behind the others. The Elo is estimated from all matches at once: how far a bot stands above (+) or below the mean. It ranks nobody."; }
    if (data.format === "adaptive") { return "Ranked by the share of the points of a round robin without end, from all matches so far."; }
    if (data.format === "knockout") { return "Ranked by how far a bot came. Who went out in the same round shares a rank."; }
    if (data.format === "stages") { return "Ranked by the last stage that a bot reached, then by its rank there. Who goes on is decided by the tie-breaks of each stage, which may be others than these columns."; }
    const titles = (data.tie_breaks || []).map((member) => titled(member).toLowerCase());
    return titles.length ? "Ranked by " + titles.join(", then ") + "." : "";
}

// Those that the table has; a server may have played more since.
function matches_of(data) { return data.matches_played; }

// Who won; nothing while it goes on.
export function winner_line(data) {
    const won = data.finished && matches_of(data) > 0 ? data.bots.filter((bot) => bot.rank === 1) : [];
    return won.length ? element("p", {class: "winner"}, ["Won by ", ...won.flatMap((bot, place) => [place ? " and " : null, name_element(bot.name)])]) : null;
}

// What stands behind a tournament's name. `now` is its state, as a server tells it; of a file there is none.
export function tournament_facts(data, now) {
    const round = now.round && now.rounds && !data.finished ? "round " + now.round + " of " + now.rounds : null;
    const state = data.finished ? "finished" : now.state === "paused" || now.state === "aborted" ? now.state + (now.reason ? " (" + now.reason + ")" : "") : now.state === "waiting" && !now.comes_next ? "begins by order" : null;
    const matches = matches_of(data);
    return [data.game.replace(/_/g, " "), round, matches + (matches === 1 ? " match" : " matches"), state, data.finished ? null : now.comes_next].filter(Boolean);
}

// A row of the table as figures with their titles, for a bot's own page.
export function ranking_figures(data) {
    const [bot] = data.bots;
    const figures = [["Rank", (one) => (one.house ? "house" : plain_number(one.rank))], ...ranking_columns(data)];
    return element("dl", {class: "figures"}, figures.map(([title, text]) => element("div", {}, [element("dt", {}, title), element("dd", {}, text(bot))])));
}

// `link(name)` is the address of a bot's page; it may be left out.
export function ranking_table(data, link) {
    const columns = ranking_columns(data);
    const named = (bot) => (link ? element("a", {href: link(bot.name)}, name_element(bot.name)) : name_element(bot.name));
    const rows = data.bots.map((bot) => element("tr", {}, [
        element("td", {class: "number"}, bot.house ? "house" : plain_number(bot.rank)),
        element("th", {scope: "row"}, [named(bot), bot_mark(data.bots, bot)]),
        ...columns.map(([, text]) => element("td", {class: "number"}, text(bot)))]));
    return table_region("Standings", [["Rank", true], ["Bot"], ...columns.map(([title]) => [title, true])], rows, {class: "ranking"});
}

// Each bot's rating as a point in its interval; nothing where nobody has one. The numbers stand in the table.
export function rating_plot(data) {
    const rated = data.bots.filter((bot) => bot.rating);
    if (rated.length === 0) { return null; }
    const low = (bot) => bot.rating.elo - (bot.rating.elo_error95 || 0);
    const high = (bot) => bot.rating.elo + (bot.rating.elo_error95 || 0);
    const least = rated.reduce((found, bot) => Math.min(found, low(bot)), Infinity);
    const most = rated.reduce((found, bot) => Math.max(found, high(bot)), -Infinity);
    const part = (elo) => 100 * (elo - least) / Math.max(most - least, 1);
    const rows = rated.map((bot) => {
        const bar = element("div", {class: "interval"});
        bar.style.left = part(low(bot)) + "%";
        bar.style.width = part(high(bot)) - part(low(bot)) + "%";
        const point = element("div", {class: "point"});
        point.style.left = part(bot.rating.elo) + "%";
        return element("div", {class: "rated"}, [name_element(bot.name), element("div", {class: "strip"}, [bar, point])]);
    });
    const ends = [least, most].map((elo) => element("span", {}, signed_elo(elo)));
    const scale = element("div", {class: "rated scale"}, [element("span", {}, "Elo"), element("div", {class: "ends"}, ends)]);
    const told = "Ratings as points in their 95% intervals; the table above has the numbers";
    return element("div", {class: "ratings", role: "img", "aria-label": told}, [scale, ...rows]);
}
