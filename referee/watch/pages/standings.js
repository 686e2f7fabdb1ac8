// A tournament's page: standings, rating intervals, rounds, games and the cross table.

import {element, fill, refill} from "./dom.js";
import {ranked_by, ranking_table, rating_plot, tournament_facts, winner_line} from "./ranking.js";

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

// The parts below a table, each as `draw` draws it.
export function tournament_parts({matches, crosstable, certainty}) {
    return [["Matches", true, matches], ["Cross table", false, crosstable], ["How sure it is", false, certainty]];
}

// `parts` are [title, whether it is open at first, what draws it]; `bot_link(name)` is the address of a bot, `screen` that of the projector's view, where there
// are any. What was open before stays open when new data come.
export function show_standings(room, data, parts, bot_link, screen) {
    const before = Array.from(room.querySelectorAll("details.part"), (part) => part.open);
    const plot = rating_plot(data);
    const [game, ...more] = tournament_facts(data, data.now || {});
    const facts = [game, data.format.replace(/_/g, " "), ...more, more.length === 1 ? "goes on" : null].filter(Boolean).join(", ");
    const all = [["Ratings", Boolean(plot), () => plot || element("p", {}, "Nobody has a rating yet.")], ...parts];
    refill(room, () => [
        element("header", {class: "title"}, [element("h1", {}, element("bdi", {}, data.tournament)), element("span", {class: "game-id"}, facts),
            screen ? element("a", {href: screen}, "For a projector") : null]),
        winner_line(data),
        data.bots.length ? element("p", {class: "explained"}, ranked_by(data)) : null,
        data.bots.length ? ranking_table(data, bot_link) : element("p", {}, "Nobody takes part yet."),
        data.certainty ? element("p", {class: "certainty"}, data.certainty) : null,
        data.arbiter ? element("ul", {class: "arbiter", "aria-label": "What the arbiter ordered"}, data.arbiter.map((sentence) => element("li", {}, element("bdi", {}, "Arbiter: " + sentence)))) : null,
        ...all.map(([title, usual, draw], index) => standings_part(title, before.length ? before[index] : usual, draw))
    ]);
    document.title = data.tournament + ": standings";
}
