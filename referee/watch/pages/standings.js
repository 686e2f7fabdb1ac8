// A tournament's page: standings, rating intervals, matches, games, the cross table, and how sure the order is.

// The matches of a tournament with links to their games, and the cross table.

import {element, fill, is_pressing, name_element, refill, table_region} from "./dom.js";
import {ranked_by, ranking_table, rating_plot, tournament_facts, winner_line} from "./ranking.js";

const matches_again_ms = 300;  // so long matches wait that came while somebody pressed a link
const matches_of_page = 25;    // as many as a server tells at once

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
function round_table(round, link) {
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

// Says in `room` what went wrong.
export function tell_trouble(room) { return (error) => fill(room, element("p", {class: "trouble", role: "alert"}, error.message)); }

// Matches by pages, the newest first: all, those of a bot, or those of a round. `question(query)` promises what a server answers at
// `.../matches`; `link(game)` is the address of a game. It asks by itself; `renew()` only where the newest are shown.
export function matches_section(question, link) {
    const place = element("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Matches"});
    const told = element("span", {role: "status"});
    const look = element("input", {type: "search", id: "look", input: () => ask([])});
    const round = element("select", {id: "round", change: () => ask([])}, element("option", {value: ""}, "all"));
    const of_round = element("span", {hidden: true}, [element("label", {for: "round"}, "Round "), round]);
    const newer = element("button", {type: "button", click: () => ask(pages.slice(0, -1))}, "Newer");
    const older = element("button", {type: "button", click: () => ask([...pages, answer.older])}, "Older");
    let pages = [];  // the numbers before which each page that was turned begins
    let answer = {};
    let asked = 0;

    function draw(body) {
        answer = body;
        const rounds = body.rounds > 1 ? body.rounds : 0;
        for (let number = round.options.length; number <= rounds; ++number) { round.append(element("option", {value: number}, String(number))); }
        of_round.hidden = rounds === 0;
        newer.hidden = pages.length === 0;
        older.hidden = body.older === undefined;
        told.textContent = body.total + (body.total === 1 ? " match" : " matches");
        refill(place, () => (body.matches.length ? round_table(body, link) : element("p", {}, body.total ? "No match is so old." : look.value.trim() || round.value ? "There is no such match yet." : "No match was drawn yet.")));
    }
    function take(body, mine) {
        if (mine !== asked) { return; }
        if (is_pressing()) { window.setTimeout(take, matches_again_ms, body, mine); } else { draw(body); }
    }
    function ask(next) {
        pages = next;
        const mine = ++asked;
        const query = new URLSearchParams();
        if (pages.length) { query.set("before", pages[pages.length - 1]); }
        if (look.value.trim()) { query.set("look", look.value.trim()); }
        if (round.value) { query.set("round", round.value); }
        question(query).then((body) => take(body, mine)).catch(tell_trouble(place));
    }
    ask([]);
    return {
        root: element("div", {}, [element("p", {class: "row"}, [element("label", {for: "look"}, "A bot, or a match's number "), look, of_round, told]), place,
            element("p", {class: "row"}, [newer, older])]),
        renew: () => { if (pages.length === 0) { ask([]); } }
    };
}

// A question of matches_section() that is answered from the rounds themselves.
export function ask_rounds(rounds) {
    const all = rounds.flatMap((each) => each.matches.map((match) => ({...match, round: each.round})));
    return (query) => {
        const look = (query.get("look") || "").toLowerCase();
        const found = all.filter((match) => (!query.has("round") || match.round === Number(query.get("round"))) &&
            (!look || match.match.split("/").pop() === look || match.seats.some((seat) => seat.name.toLowerCase().includes(look))));
        const shown = rounds.length === 1 ? rounds[0] : rounds.find((each) => each.round === Number(query.get("round")));
        const end = query.has("before") ? Number(query.get("before")) : found.length;
        const begin = query.has("round") ? 0 : Math.max(0, end - matches_of_page);
        const part = found.slice(begin, end);
        const matches = query.has("round") ? part : part.reverse();
        return Promise.resolve({total: found.length, rounds: rounds.length, older: begin || undefined, matches, byes: shown && shown.byes});
    };
}

// In the form of crosstable.json.
export function cross_table(told) {
    const rows = told.bots.map((bot) => element("tr", {}, [element("td", {class: "number"}, String(bot.number)), element("th", {scope: "row"}, element("bdi", {}, bot.name)),
        ...bot.cells.map((cell) => element("td", {class: cell === "*" ? "number own" : "number"}, cell === "*" ? "" : cell)), element("td", {class: "number"}, bot.points === null ? "" : String(bot.points))]));
    const by_round = told.columns.some((title) => title.startsWith("round"));
    const legend = told.columns.length === 0 ? "With so many bots it would be too wide: the matches stand above." : "A column for each " + (by_round ? "round" : "bot") + ": W won, D drawn, L lost, of more than two bots the place, + and - a forfeit; then " +
        (by_round ? "the numbers of those met, the seat from a, and the points." : "the points of each match, or of how many they are.") + " A star: the arbiter set it.";
    return element("div", {}, [element("p", {class: "explained"}, legend),
        table_region("Cross table", [["No.", true], ["Bot"], ...[...told.columns, "Points"].map((title) => [title, true])], rows, {class: "cross"})]);
}

// How sure a tournament's order is: cycles, what seats were worth, and comparisons on common seeds, as tables with intervals.

const effects_shown = 40;  // a game of many maps has an effect for each; the file has all

function in_percent(value) { return (100 * value).toFixed(1) + " %"; }

// "+1.2 %": beside an even share.
function signed_percent(value) { return (value < 0 ? "\u2212" : "+") + in_percent(Math.abs(value)); }

function range_text(interval, text) { return interval ? text(interval[0]) + " to " + text(interval[1]) : "\u2013"; }

function short_number(value) { return String(Math.round(value * 100) / 100); }

// "at most 3 in 1,000": a chance in words that need no statistics.
function chance_text(p) {
    if (p >= 0.1) { return in_percent(p); }
    return p < 0.00001 ? "below 1 in 100,000" : "1 in " + Math.round(1 / p).toLocaleString("en");
}

function certainty_table(title, heads, rows) {
    const body = rows.map((cells) => element("tr", {}, cells.map((cell, place) => (place === 0
        ? element("th", {scope: "row"}, cell) : element("td", {class: heads[place][1] ? "number" : null}, cell)))));
    const made = table_region(title, heads, body);
    made.firstChild.prepend(element("caption", {}, title));
    return made;
}

function cycles_part(cycles) {
    if (!cycles || cycles.triples + cycles.told.length === 0) { return []; }
    const searched = cycles.triples + (cycles.triples === 1 ? " three of which each met the others" : " threes of which each met the others");
    if (cycles.told.length === 0) {
        const few = cycles.too_few ? " No two met often enough for that: " + cycles.needed + " different matches would be, if one won them all." : "";
        return [element("p", {}, "No circle such as A beats B, B beats C, C beats A is beyond chance, among " + searched + "." + few)];
    }
    const length = cycles.told[0].bots.length;
    const rows = cycles.told.map((cycle) => [
        cycle.bots.concat(cycle.bots[0]).flatMap((name, place) => [place ? " beats " : null, name_element(name)]), chance_text(cycle.p)]);
    return [certainty_table("Circles beyond chance", [["Who beats whom", false], ["By chance at most", true]], rows),
            element("p", {class: "explained"}, "Where bots beat each other in a circle, no order is fair to all of them. " + cycles.found +
                (cycles.found === 1 ? " was" : " were") + " found, " + (length === 3 ? "among " + searched : "of " + length + " bots each, and none of fewer") + ".")];
}

function effect_title(effect) {
    if (effect.kind === "first_move") { return "who moves first"; }
    return "seat " + effect.seat + (effect.kind === "setup" ? ", setup " + (effect.setup + 1) : "");
}

function seats_part(seats) {
    if (!seats || seats.effects.length === 0) { return []; }
    const told = seats.effects.filter((effect) => effect.advantage !== null);
    if (told.length === 0) { return [element("p", {}, "What a seat is worth can't be told from " + seats.matches + " matches.")]; }
    const rows = told.slice(0, effects_shown).map((effect) => [
        effect_title(effect), String(effect.games), signed_percent(effect.advantage), range_text(effect.advantage95, signed_percent), effect.real ? "yes" : "not shown"]);
    const more = told.length > effects_shown ? " " + (told.length - effects_shown) + " more are in the file standings.json." : "";
    const told_first = told.some((effect) => effect.real) ? "Some seats were better than others, beyond chance." : "No seat was better than another, as far as these matches tell.";
    const left = seats.rotation.filter((one) => Math.abs(one.left) >= 0.001).flatMap((one) => [one.kind === "seat" ? " Seats" : " First moves", " were given so that nobody gained more by them than ",
        name_element(one.most_left_with), ", with " + signed_percent(one.left) + " of its games' points."]);
    return [element("p", {}, told_first), certainty_table("What a seat is worth", [["Of", false], ["Games", true], ["Advantage", true], ["95% interval", true], ["Beyond chance", false]], rows),
            element("p", {class: "explained"}, ["The advantage is of a game's points, beside an even share." + more, ...left])];
}

function seeds_part(common) {
    if (!common || common.neighbours.length === 0) { return []; }
    const rows = common.neighbours.map((pair) => [
        [name_element(pair.better), " before ", name_element(pair.worse)], String(pair.seeds), short_number(pair.difference),
        range_text(pair.difference95, short_number), pair.told ? "yes" : "not shown", pair.told || !pair.needed_seeds ? "\u2013" : String(pair.needed_seeds)]);
    const order = common.neighbours.every((pair) => pair.told) ? "On the same seeds each bot was better than the next one, beyond chance."
        : "On the same seeds not every bot was better than the next one beyond chance: there the order may be luck.";
    return [element("p", {}, order), certainty_table("Neighbours on the same seeds",
        [["Order", false], ["Seeds", true], ["Difference", true], ["95% interval", true], ["Beyond chance", false], ["Seeds to tell", true]], rows),
            element("p", {class: "explained"}, "Both played the same " + common.seeds + " seeds, so only what differs seed by seed counts.")];
}

export function certainty_part(data) {
    const parts = [...cycles_part(data.cycles), ...seats_part(data.seats), ...seeds_part(data.common_seeds)];
    return parts.length ? element("div", {}, parts) : element("p", {}, "The matches tell nothing of circles, seats or seeds.");
}

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
