// The projector's screen: standings in letters that are read from the back of a room, and the games that are played now. It turns its pages by itself.

import {element, fill, is_pressing, name_element, refill, seat_chip, theme_now} from "./dom.js";
import {board_of, make_easel, palette} from "./pen.js";
import {bot_mark, titled, tournament_facts, winner_line} from "./ranking.js";
import {api_answer, follow_table, game_page} from "./server.js";

const projector_rows = 12;  // of a page at most: each is as high as a hand from 3 m away
const projector_turn_ms = 12000;
const projector_look_ms = 5000;  // states and new tournaments are looked for so often

// Titles and members of what ranks, of which the first that a row has is shown.
const projector_figures = [["Rating", "ladder_rating"], ["Share", "share"], ["Points", "points"]];

const projector_ties = 3;

function projector_pages(data) { return Math.ceil(data.bots.length / projector_rows); }

// As many tie-breaks as tell all ranks apart.
function tie_breaks_shown(data) {
    const members = (data.tie_breaks || []).filter((member) => member !== "points").slice(0, projector_ties);
    const last = (bot, next) => (bot.rank === next.rank || bot.points !== next.points ? 0 : members.findIndex((member) => bot[member] !== next[member]) + 1);
    return members.slice(0, data.bots.slice(1).reduce((most, next, at) => Math.max(most, last(data.bots[at], next)), 0));
}

// What orders changed, since ranks change by it.
function by_order(data) {
    const counts = [["games annulled", data.annulled], ["results set", data.ruled]].filter(([, count]) => count).map(([what, count]) => what + " by order: " + count);
    return counts.length || !data.arbiter ? counts : ["changed by order"];
}

// Pages are alike long. As many rows as the screen has place for are of the same height on each.
function projector_table(data, page) {
    const most = Math.ceil(data.bots.length / projector_pages(data));
    const rows = data.bots.slice(page * most, (page + 1) * most);
    const [title, figure] = projector_figures.find(([, member]) => data.bots.some((bot) => bot[member] !== undefined)) || projector_figures[2];
    const ties = figure === "points" ? tie_breaks_shown(data) : [];
    const heads = [["Rank", "number"], ["Bot", null], [title, "number"], ...ties.map((tie) => [titled(tie), "number tie"]), ...["Won", "Drawn", "Lost"].map((head) => [head, "number"])];
    const shown = (value) => (typeof value === "number" ? String(Math.round(value * 100) / 100) : "");
    const lines = rows.map((bot) => element("tr", {}, [
        element("td", {class: "number"}, bot.house ? "house" : shown(bot.rank)), element("th", {scope: "row"}, [name_element(bot.name), bot_mark(data.bots, bot)]),
        ...[figure, ...ties, "won", "drawn", "lost"].map((member) => element("td", {class: ties.includes(member) ? "number tie" : "number"}, shown(bot[member])))]));
    const table = element("table", {class: "screen"}, [element("thead", {}, element("tr", {}, heads.map(([text, kind]) => element("th", {scope: "col", class: kind}, text)))),
        element("tbody", {}, lines)]);
    table.style.setProperty("--rows", String(most));
    return table;
}

// Turns the pages of `room`: first `games` ({root, any(), paint(), known()}), where there are any, then the standings of tournaments that go
// on, or else of the last one. Of `only` alone, where that is a tournament's id. It stands still while somebody has stopped it or is at a link by the keyboard.
function make_projector(room, games, only) {
    const tables = new Map();  // by id, what follow_table() told last
    const ends = new Map();
    const without = new Set();  // whose table is not written yet
    const course = element("p", {class: "course"});
    const next = element("ul", {class: "plain next"});
    games.root.append(next);
    const sheet = element("section", {"aria-label": "Standings"});
    const stood = element("span", {class: "stood"});
    const stop = element("button", {type: "button", "aria-pressed": "false", click: () => {
        stop.setAttribute("aria-pressed", String(stop.getAttribute("aria-pressed") === "false"));
    }}, "Stop turning");
    const games_title = games.root.querySelector("h1").textContent;
    let current = "games";  // the page's key, since pages come and go
    let turned = false;
    let timer = 0;

    function sheets() {
        const found = games.any() ? [{key: "games"}] : [];
        for (const [id, data] of tables) {
            for (let page = 0; page < projector_pages(data); ++page) { found.push({key: id + " " + page, id, data, page}); }
        }
        return found.length ? found : [{key: "games"}];
    }
    function show() {
        const all = sheets();
        // Games come a moment after the page is opened.
        if (!turned && games.any()) { current = "games"; }
        const at = Math.max(0, all.findIndex((each) => each.key === current));
        const now = all[at];
        current = now.key;
        games.root.hidden = now.data !== undefined;
        sheet.hidden = !now.data;
        stop.hidden = all.length === 1;
        document.title = now.data ? now.id + ": standings" : games_title;
        stood.textContent = all.length > 1 ? (at + 1) + " of " + all.length : "";
        if (!now.data) { games.paint(); return; }
        const facts = [...tournament_facts(now.data, now.data.now || {}), ...by_order(now.data)].join(", ");
        refill(sheet, () => [element("h1", {}, [element("a", {href: "/t/" + encodeURIComponent(now.id)}, element("bdi", {}, now.id)), element("span", {class: "explained"}, ": " + facts)]),
            winner_line(now.data), projector_table(now.data, now.page)]);
    }
    function turn(by) {
        const all = sheets();
        turned = turned || by !== 0;
        current = all[(Math.max(0, all.findIndex((each) => each.key === current)) + by + all.length) % all.length].key;
        show();
        window.clearTimeout(timer);
        timer = window.setTimeout(tick, projector_turn_ms);
    }
    function tick() {
        const held = stop.getAttribute("aria-pressed") === "true" || is_pressing() || room.matches(":has(a:focus-visible)");
        turn(held ? 0 : 1);
    }
    function look() {
        api_answer("/api/v1/tournaments").then((told) => {
            const {title, tournaments} = told;
            course.textContent = title;
            const waits = tournaments.filter((each) => (only ? each.id === only && (without.has(only) || each.state === "waiting") : each.comes_next || each.state === "waiting"));
            if (!only || waits.length) { games.known(); }
            if (!is_pressing()) { refill(next, () => waits.map((each) => element("li", {}, [element("a", {href: "/t/" + encodeURIComponent(each.id)}, element("bdi", {}, each.id)), " ", each.state === "paused" ? "is paused" : each.comes_next || ({waiting: "begins by order", running: "has begun"}[each.state] || "is over")]))); }
            const played = tournaments.filter((each) => (only ? each.id === only : each.matches_played > 0));
            const on = played.filter((each) => each.state === "running" || each.state === "paused");
            const shown = (only ? played : on.length ? on : played.slice(-1)).map((each) => each.id);
            for (const [id, end] of Array.from(ends)) { if (!shown.includes(id)) { end(); ends.delete(id); tables.delete(id); } }
            for (const id of shown) {
                if (!ends.has(id)) { ends.set(id, follow_table(id, (data) => { tables.set(id, data); show(); }, () => without.add(id))); }
            }
        }).catch(() => null);
        window.setTimeout(look, projector_look_ms);
    }
    window.addEventListener("keydown", (event) => {
        const by = {ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1}[event.key];
        if (by) { turn(by); }
    });
    fill(room, [course, games.root, sheet, element("p", {class: "turning"}, [stop, stood])]);
    turn(0);
    look();
    return {renew: show};
}

// Some of the games that are played now, each as a small board. A server sends positions by events.

const wall_again_ms = 1000;  // so long the page waits that was too slow before, and the card that somebody is at
const wall_room = document.querySelector("main");
// The screen of one tournament (/wall/friday) shows its standings alone.
const wall_named = window.location.pathname.startsWith("/wall/") ? decodeURIComponent(window.location.pathname.slice("/wall/".length)) : null;
const wall_waits = wall_named ? "Its standings appear here by themselves." : "No game is played right now. Those that begin appear here by themselves.";
const wall_empty = element("p", {class: "next"}, "Loading \u2026");
const wall_grid = element("ul", {class: "plain wall"});
const wall_told = element("p", {class: "unseen", "aria-live": "polite"});
const wall_games = element("section", {"aria-label": "Games now"}, [element("h1", {}, wall_named || "Games that are played now"), wall_empty, wall_grid, wall_told]);
let wall_projector = null;
const wall_cards = new Map();  // by the game's id
const wall_facts = new Map();  // of games whose first position is still to come

function wall_arrange() {
    const count = wall_cards.size;
    if (wall_projector) { wall_projector.renew(); }
    wall_empty.hidden = count > 0;
    // As many columns as rows, or one more.
    const columns = Math.max(1, Math.ceil(Math.sqrt(count)));
    wall_grid.style.setProperty("--columns", String(columns));
    wall_grid.style.setProperty("--rows", String(Math.max(1, Math.ceil(count / columns))));
    wall_paint_all();
}

function wall_paint_all() { for (const card of wall_cards.values()) { wall_paint(card); } }

function wall_paint(card) {
    if (!card.state || wall_games.hidden) { return; }
    if (card.board) {
        card.easel.paint(card.board, card.facts, card.state, () => null, palette(theme_now()), card.picture.clientWidth);
        card.picture.setAttribute("aria-label", "Turn " + card.turn + ". " + card.board.describe(card.state, card.facts));
        const scores = card.board.scores(card.state, card.facts);
        card.scores.forEach((place, seat) => { place.textContent = scores ? String(scores[seat]) : ""; });
    } else {
        card.picture.textContent = card.text || "";
    }
    card.stood.textContent = "Turn " + card.turn;
}

// Boards ask a showing for its `state`: the first that is told here.
function wall_hang(facts, state) {
    facts.state = state;
    const board = board_of(facts.game);
    const picture = board ? element("canvas", {class: "small", role: "img", "aria-label": "The board"}) : element("pre", {tabindex: 0, "aria-label": "The board as text"});
    const scores = facts.bots.map(() => element("span", {class: "score"}));
    const seats = facts.bots.map((bot, seat) => element("li", {}, [seat_chip(seat), " ", name_element(bot), " ", scores[seat]]));
    const stood = element("span", {class: "stood"});
    const root = element("li", {class: "card"}, [
        element("h2", {}, [element("a", {href: game_page(facts.game_id)}, [facts.title + " ", element("bdi", {class: "game-id"}, facts.game_id)]), stood]),
        picture, element("ul", {class: "plain players"}, seats)]);
    if (board) {
        const size = board.size(facts);
        picture.style.aspectRatio = size.width + " / " + size.height;
        picture.style.setProperty("--shape", String(size.width / size.height));
    }
    const older = Array.from(wall_cards.values()).filter((card) => card.facts.order < facts.order);
    const next = older.reduce((most, card) => (most && most.facts.order > card.facts.order ? most : card), null);
    wall_cards.set(facts.game_id, {root, picture, facts, board, scores, stood, easel: board ? make_easel(picture) : null, state: null, turn: 0});
    wall_grid.insertBefore(root, next ? next.root : null);
    wall_arrange();
    wall_told.textContent = facts.title + ": " + facts.bots.join(" and ") + " play.";
}

function wall_position(position) {
    const facts = wall_facts.get(position.game_id);
    wall_facts.delete(position.game_id);
    if (facts) { wall_hang(facts, position.state); }
    const card = wall_cards.get(position.game_id);
    if (!card) { return; }
    Object.assign(card, position);
    wall_paint(card);
}

function wall_over({game_id}) {
    const card = wall_cards.get(game_id);
    if (card) { card.stood.textContent = "over"; }
}

function wall_gone({game_id}) {
    wall_facts.delete(game_id);
    const card = wall_cards.get(game_id);
    if (card) { wall_take_down(card); }
}

// Whoever is at its link still gets there.
function wall_take_down(card) {
    if (card.root.matches(":has(a:focus-visible, a:active)")) { window.setTimeout(wall_take_down, wall_again_ms, card); return; }
    card.root.remove();
    if (wall_cards.get(card.facts.game_id) === card) { wall_cards.delete(card.facts.game_id); }
    wall_arrange();
}

function wall_follow() {
    const stream = new window.EventSource("/api/v1/wall");
    // What is on the wall is told anew from the beginning.
    stream.addEventListener("open", () => {
        wall_facts.clear();
        for (const id of Array.from(wall_cards.keys())) { wall_gone({game_id: id}); }
    });
    for (const [name, call] of [["game", (facts) => wall_facts.set(facts.game_id, facts)], ["position", wall_position], ["over", wall_over], ["gone", wall_gone]]) {
        stream.addEventListener(name, (event) => call(JSON.parse(event.data)));
    }
    stream.addEventListener("reload", () => {
        stream.close();
        window.setTimeout(wall_follow, wall_again_ms);
    });
}

wall_projector = make_projector(wall_room, {root: wall_games, any: () => wall_cards.size > 0, paint: wall_paint_all, known: () => { wall_empty.textContent = wall_waits; }}, wall_named);
document.body.classList.add("wide");
window.addEventListener("resize", wall_arrange);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", wall_arrange);
wall_arrange();
if (!wall_named) { wall_follow(); }
