// Some of the games that are played now, each as a small board, and the standings, for a projector. A server sends positions by events.

import {element, name_element, seat_chip, theme_now} from "./dom.js";
import {make_easel} from "./pen_canvas.js";
import {palette} from "./palette.js";
import {make_projector} from "./projector.js";
import {game_page} from "./source_api.js";

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

function wall_board(game) { return Object.prototype.hasOwnProperty.call(boards, game) ? boards[game] : null; }

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
    const board = wall_board(facts.game);
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
