// The matches of a tournament with links to their games, and the cross table.

import {element, fill, is_pressing, name_element, refill, table_region} from "./dom.js";

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
