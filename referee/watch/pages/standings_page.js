// The page of a tournament's standings, as a server has it (/t/friday).

import {certainty_tables, certainty_unknown} from "./certainty.js";
import {element, fill, is_pressing, refill, table_region} from "./dom.js";
import {round_table} from "./rounds.js";
import {api_answer, bot_page, game_page} from "./source_api.js";
import {show_standings} from "./standings.js";
import {follow_table} from "./table.js";

const standings_again_ms = 300;  // so long matches wait that came while somebody pressed a link
const standings_room = document.querySelector("main");

function standings_trouble(room) { return (error) => fill(room, element("p", {class: "trouble", role: "alert"}, error.message)); }

// Matches by pages, the newest first: all, those of a bot, or those of a round. It asks by itself; `renew()` only where the newest are shown.
function standings_matches(path) {
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
        refill(place, () => (body.matches.length ? round_table(body, game_page) : element("p", {}, body.total ? "No match is so old." : look.value.trim() || round.value ? "There is no such match yet." : "No match was drawn yet.")));
    }
    function take(body, mine) {
        if (mine !== asked) { return; }
        if (is_pressing()) { window.setTimeout(take, standings_again_ms, body, mine); } else { draw(body); }
    }
    function ask(next) {
        pages = next;
        const mine = ++asked;
        const query = new URLSearchParams();
        if (pages.length) { query.set("before", pages[pages.length - 1]); }
        if (look.value.trim()) { query.set("look", look.value.trim()); }
        if (round.value) { query.set("round", round.value); }
        api_answer(path + "/matches" + (query.size ? "?" + query : "")).then((body) => take(body, mine)).catch(standings_trouble(place));
    }
    ask([]);
    return {
        root: element("div", {}, [element("p", {class: "row"}, [element("label", {for: "look"}, "A bot, or a match's number "), look, of_round, told]), place,
            element("p", {class: "row"}, [newer, older])]),
        renew: () => { if (pages.length === 0) { ask([]); } }
    };
}

function standings_crosstable(told) {
    const rows = told.bots.map((bot) => element("tr", {}, [element("td", {class: "number"}, String(bot.number)), element("th", {scope: "row"}, element("bdi", {}, bot.name)),
        ...bot.cells.map((cell) => element("td", {class: cell === "*" ? "number own" : "number"}, cell === "*" ? "" : cell)), element("td", {class: "number"}, bot.points === null ? "" : String(bot.points))]));
    const by_round = told.columns.some((title) => title.startsWith("round"));
    const legend = "A column for each " + (by_round ? "round" : "bot") + ": W won, D drawn, L lost, of more than two bots the place, + and - a forfeit; then " +
        (by_round ? "the numbers of those met, the seat from a, and the points." : "the points of each match, or of how many they are.") + " A star: the arbiter set it.";
    return element("div", {}, [element("p", {class: "explained"}, legend),
        table_region("Cross table", [["No.", true], ["Bot"], ...[...told.columns, "Points"].map((title) => [title, true])], rows, {class: "cross"})]);
}

// What is asked for when a part is opened.
function standings_later(path, draw) {
    const place = element("div", {}, element("p", {}, "It is asked for \u2026"));
    api_answer(path).then((body) => fill(place, draw(body))).catch(standings_trouble(place));
    return place;
}

function standings_by_api(id) {
    const path = "/api/v1/tournaments/" + encodeURIComponent(id);
    let matches = null;
    function show(data) {
        if (matches) { matches.renew(); }
        // A ladder has one round, of all matches.
        const crosstable = ["Cross table", false, () => standings_later(path + "/crosstable", standings_crosstable)];
        show_standings(standings_room, data, [
            ["Matches", true, () => { matches = matches || standings_matches(path); return matches.root; }],
            ...(data.format === "ladder" ? [] : [crosstable]),
            ["How sure it is", false, () => standings_later(path + "/certainty", (body) => certainty_tables(body) || element("p", {}, certainty_unknown))]
        ], (name) => bot_page(id, name), "/wall/" + encodeURIComponent(id));
    }
    follow_table(id, show, standings_trouble(standings_room));
}

standings_by_api(decodeURIComponent(window.location.pathname.slice("/t/".length)));
