// How sure a tournament's order is: cycles, what seats were worth, and comparisons on common seeds, as tables with intervals.

import {element, name_element, table_region} from "./dom.js";

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
