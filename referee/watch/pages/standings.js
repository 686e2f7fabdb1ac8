// A tournament's page: standings, rating intervals, rounds, games and the cross table.

import {certainty_tables} from "./certainty.js";
import {element, fill} from "./dom.js";
import {ranked_by, ranking_table, rating_plot} from "./ranking.js";
import {all_rounds, cross_table, games_section, rounds_section} from "./rounds.js";

// A part that is drawn when somebody opens it, so that a large tournament shows at once.
function standings_part(title, open, draw) {
    const place = element("div");
    const part = element("details", {class: "part", toggle: draw_once}, [element("summary", {}, element("h2", {}, title)), place]);
    let drawn = false;
    function draw_once() {
        if (part.open && !drawn) {
            drawn = true;
            fill(place, draw());
        }
    }
    part.open = open;
    draw_once();
    return part;
}

// `link(game)` is the address of a game, `bot_link(name)` that of a bot, where there is one; `pairings` may be missing. What was open before stays open when new data come.
export function show_standings(room, data, pairings, link, bot_link) {
    const before = Array.from(room.querySelectorAll("details.part"), (part) => part.open);
    const rounds = all_rounds(data, pairings);
    const plot = rating_plot(data);
    const sure = certainty_tables(data);
    const was_open = (index, usual) => (before.length ? before[index] : usual);
    const matches = data.matches + (data.matches === 1 ? " match" : " matches");
    const facts = [data.game.replace(/_/g, " "), data.format.replace(/_/g, " "), matches, data.finished ? "finished" : "goes on"].join(", ");
    fill(room, [
        element("header", {class: "title"}, [element("h1", {}, element("bdi", {}, data.tournament)), element("span", {class: "game-id"}, facts)]),
        data.bots.length ? element("p", {class: "explained"}, ranked_by(data)) : null,
        data.bots.length ? ranking_table(data, bot_link) : element("p", {}, "Nobody takes part yet."),
        data.certainty ? element("p", {class: "certainty"}, data.certainty) : null,
        data.arbiter ? element("ul", {class: "arbiter", "aria-label": "What the arbiter ordered"}, data.arbiter.map((sentence) => element("li", {}, element("bdi", {}, "Arbiter: " + sentence)))) : null,
        standings_part("Ratings", was_open(0, Boolean(plot)), () => plot || element("p", {}, "Nobody has a rating yet.")),
        standings_part("Rounds", was_open(1, true), () => rounds_section(rounds, link)),
        standings_part("Games", was_open(2, false), () => games_section(rounds, link)),
        standings_part("Cross table", was_open(3, false), () => cross_table(data)),
        standings_part("How sure it is", was_open(4, false), () => sure || element("p", {}, "The matches tell nothing of circles, seats or seeds."))
    ]);
    document.title = data.tournament + ": standings";
}
