// The rounds of a tournament, in the form of pairings.json: its matches, their games with links; and the cross table.

import {element, fill, name_element, table_region} from "./dom.js";

// A larger cross table nobody can read; its file has it.
const cross_bots_max = 64;
const games_shown = 100;

function seat_names(seats) {
    return seats.flatMap((seat, place) => [place ? " \u2013 " : null, name_element(seat.name)]);
}

function game_links(games, link) {
    return games.flatMap((game, place) => [place ? " " : null, element("a", {href: link(game)}, element("bdi", {}, game))]);
}

// A match's games, and what an order made of them.
function games_of(match, link) {
    const annulled = (match.annulled || []).map(({game, reason}) =>
        element("span", {class: "explained"}, [" ", ...game_links([game], link), " annulled by order: ", element("bdi", {}, reason)]));
    return [...game_links(match.games || [], link), ...annulled, match.ruled ? " result set by the arbiter" : null];
}

// With a column of rounds where the matches are of several.
export function round_table(round, link) {
    const numbered = round.rounds > 1;
    const rows = round.matches.map((match) => {
        const points = match.over ? match.seats.map((seat) => (seat.points === undefined ? "" : seat.points)).join(" \u2013 ") : "not over";
        return element("tr", {}, [element("th", {scope: "row"}, seat_names(match.seats).concat(match.by_hand ? " #" : [])), numbered ? element("td", {}, String(match.round)) : null, element("td", {}, points + (match.ruled ? " *" : "") + (match.dropped ? " dropped" : "")),
                                  element("td", {}, games_of(match, link))]);
    });
    for (const bye of round.byes || []) {
        const kind = bye.kind === "zero_point" ? "absent" : "bye (" + String(bye.kind).replace(/_/g, " ") + ")";
        rows.push(element("tr", {}, [element("th", {scope: "row"}, name_element(bye.name)), numbered ? element("td", {}) : null, element("td", {}, String(bye.points)), element("td", {}, kind)]));
    }
    const head = element("tr", {}, ["Match", ...(numbered ? ["Round"] : []), "Points", "Games"].map((title) => element("th", {scope: "col"}, title)));
    const marks = [round.matches.some((match) => match.ruled) ? "* The arbiter set this result." : null,
                   round.matches.some((match) => match.by_hand) ? "# The arbiter set this match before its round was drawn." : null].filter(Boolean);
    return [element("table", {}, [element("thead", {}, head), element("tbody", {}, rows)]), ...marks.map((mark) => element("p", {class: "explained"}, mark))];
}

// A round at a time; the last one first.
export function rounds_section(rounds, link) {
    const place = element("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Matches of the round"});
    const choices = rounds.map((each, index) => element("option", {value: index}, "Round " + each.round));
    const chosen = element("select", {id: "round", change: () => show(Number(chosen.value))}, choices);
    function show(index) { fill(place, round_table(rounds[index], link)); }
    if (rounds.length === 0) { return element("p", {}, "No match was drawn yet."); }
    chosen.value = String(rounds.length - 1);
    show(rounds.length - 1);
    return element("div", {}, [element("p", {}, [element("label", {for: "round"}, "Round "), chosen]), place]);
}

// All games, with a box to look for a bot or a game.
export function games_section(rounds, link) {
    const over = rounds.flatMap((round) => round.matches).filter((match) => match.over);
    const games = over.flatMap((match) => (match.games || []).map((game) =>
        ({game: game, seats: match.seats, text: [game].concat(match.seats.map((seat) => seat.name)).join(" ").toLowerCase()})));
    const list = element("ul", {class: "plain games"});
    const count = element("p", {role: "status"});
    const more = element("button", {type: "button", click: () => { shown += games_shown; show(); }}, "Show more");
    const box = element("input", {type: "search", id: "look", input: () => { shown = games_shown; show(); }});
    let shown = games_shown;
    function show() {
        const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
        const found = games.filter((each) => words.every((word) => each.text.includes(word)));
        fill(list, found.slice(0, shown).map((each) => element("li", {}, [...game_links([each.game], link), " ", ...seat_names(each.seats)])));
        count.textContent = found.length + (found.length === 1 ? " game" : " games") + (found.length > shown ? ", " + shown + " shown" : "");
        more.hidden = found.length <= shown;
    }
    show();
    return element("div", {}, [element("p", {}, [element("label", {for: "look"}, "Bot or game "), box]), count, list, more]);
}

// Who got how many points from whom, in the order of the standings.
export function cross_table(data) {
    const bots = data.bots;
    if (bots.length > cross_bots_max) {
        return element("p", {}, "With " + bots.length + " bots it is too large for a page; the file crosstable.csv has it.");
    }
    const numbers = new Map(bots.map((bot, index) => [bot.name, index]));
    const rows = bots.map((bot, index) => {
        const points = bots.map(() => null);
        for (const match of bot.matches || []) {
            for (const opponent of match.opponents) {
                const column = numbers.get(opponent);
                if (column !== undefined) { points[column] = (points[column] || 0) + match.points; }
            }
        }
        return element("tr", {}, [element("th", {scope: "row"}, [String(index + 1) + " ", name_element(bot.name)]),
            ...points.map((value, column) =>
                element("td", {class: "number" + (column === index ? " own" : "")}, value === null ? "" : String(Math.round(value * 1000) / 1000)))]);
    });
    return table_region("Cross table", [["Bot"], ...bots.map((bot, index) => [String(index + 1), true, bot.name])], rows, {class: "cross"});
}
