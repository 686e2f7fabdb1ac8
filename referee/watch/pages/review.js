// Where a game was lost, and how to play on from there: what stands beside the board, with commands of the program to be copied.

import {element, fill, name_element} from "./dom.js";
import {file_stem} from "./sources.js";

// Returns root, and show(words): the command line. Words are quoted for a shell, whatever is in them.
function make_command_box() {
    const command = element("pre", {tabindex: 0, "aria-label": "The command"});
    const copied = element("span", {role: "status"});
    const tell_copied = (text) => () => { copied.textContent = " " + text; };
    const copy = element("button", {type: "button", click: () => window.navigator.clipboard.writeText(command.textContent)
        .then(tell_copied("Copied."), tell_copied("Can't copy: mark it and copy it by hand."))}, "Copy");
    copy.hidden = !window.navigator.clipboard;
    return {
        root: element("div", {}, [command, copy, copied]),
        show: (words) => {
            command.textContent = words.map(quoted).join(" ");
            copied.textContent = "";
        }
    };
}

// On a server's page the replay is there to be had: a daemon may keep it in its store alone.
const replay_served = window.document.body.dataset.source === "api";

const replay_told = replay_served ? "Download the replay below, and run this where it lies." : "Put in the replay's path.";

function replay_link(showing) {
    if (!replay_served) { return null; }
    const path = "/api/v1/games/" + (showing.game_id || "").split("/").map(encodeURIComponent).join("/") + "/replay";
    return element("p", {}, [element("a", {href: path}, "The replay, to download")]);
}

function quoted(word) { return /^[\w./:~@%+-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'"; }

// Where a game was lost, as `referee review` found it: a curve with its interval in the timeline, and words beside the board.

export const review_lane = 56;  // pixels that the curve is high
const review_mark = 5;          // half of a costly turn's sign

// The position in which a turn was to be played.
function number_before(frames, turn) { return frames.number_of_turn(turn - 1); }

// The values that the lane shows: shares from 0 to 1, scores from the least to the most of them.
function review_range(review) {
    if (review.scale === "share") { return [0, 1]; }
    const all = review.points.map((point) => point.seats[review.seat]);
    const least = Math.min(...all.map((each) => each.low));
    return [least, Math.max(least + 1, ...all.map((each) => each.high))];
}

export function draw_review(context, frames, top, x_of, colours) {
    const review = frames.showing.review;
    const [least, most] = review_range(review);
    const y_of = (value) => top + review_lane - 6 - (review_lane - 12) * (value - least) / (most - least);
    const points = review.points.map((point) => ({x: x_of(number_before(frames, point.turn)), at: point.seats[review.seat]}));
    const colour = colours["seat" + review.seat % 8];
    context.fillStyle = colour;
    context.globalAlpha = 0.25;
    context.beginPath();
    points.forEach((each, index) => context[index ? "lineTo" : "moveTo"](each.x, y_of(each.at.high)));
    points.slice().reverse().forEach((each) => context.lineTo(each.x, y_of(each.at.low)));
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.beginPath();
    points.forEach((each, index) => context[index ? "lineTo" : "moveTo"](each.x, y_of(each.at.value)));
    context.stroke();
    context.lineWidth = 1;
    context.fillStyle = colours.bad;
    for (const lost of review.lost) {
        const x = x_of(frames.number_of_turn(lost.turn));
        const y = y_of(lost.as_played.value);
        context.fillRect(x - 0.5, top, 1, review_lane);
        context.beginPath();
        context.moveTo(x - review_mark, y);
        context.lineTo(x, y - review_mark);
        context.lineTo(x + review_mark, y);
        context.lineTo(x, y + review_mark);
        context.fill();
    }
}

// What the lane is called, for those who can't see it.
export function review_lane_name(showing) {
    return element("li", {}, ["Review: how it stood for ", name_element(showing.bots[showing.review.seat]),
                              ", with its interval; diamonds: the turns that cost most"]);
}

function rounded(value, scale) { return scale === "share" ? value.toFixed(2) : String(Math.round(value * 10) / 10); }

function standing_words(estimate, point, scale) {
    if (point.over) { return rounded(estimate.value, scale) + ", as it ended"; }
    const range = rounded(estimate.value, scale) + " (" + rounded(estimate.low, scale) + " to " + rounded(estimate.high, scale) + ")";
    return scale === "score" ? range + ", at best " + rounded(estimate.best, scale) : range;
}

// Asks for a bot, where there are several. Returns root, seat(), and words(): those of a command that name the seat.
function make_seat_choice(showing, id, question, first, renew) {
    const chosen = element("select", {id, change: renew}, showing.bots.map((name, seat) => element("option", {value: seat}, name)));
    const several = showing.bots.length > 1;
    chosen.value = String(Math.max(0, first));
    return {
        root: element("p", {hidden: !several}, [element("label", {for: id}, question), chosen]),
        seat: () => Number(chosen.value),
        words: () => (several ? ["--seat", chosen.value] : [])
    };
}

// A game that nobody has reviewed: the command that does. It is worth something when the game is over.
function make_unreviewed(frames) {
    const showing = frames.showing;
    const command = make_command_box();
    const file = file_stem(showing.game_id || "game");
    const places = showing.result && showing.result.outcome ? showing.result.outcome.placing : [];
    const choice = make_seat_choice(showing, "review-seat", "The turns of ", places.indexOf(Math.max(...places)), renew);
    const root = element("details", {class: "unreviewed"}, [element("summary", {}, ["Where was it lost? ", element("code", {}, "referee review"), " tells."]),
        element("p", {}, "This plays the game on from many of its turns, and tells which cost most. " + replay_told),
        choice.root, command.root, replay_link(showing),
        element("p", {class: "explained"}, "With --beside, where a daemon keeps the replay as a file (a ladder's by game_files), its page shows the review to all.")]);

    function renew() { command.show(["referee", "review", file + ".ndjson", ...choice.words(), "--html", file + ".review.html"]); }

    renew();
    return {root: root, show: () => { root.hidden = Boolean(showing.live); }};
}

// `seek(number)` is called to go to a turn.
export function make_review(frames, seek) {
    const showing = frames.showing;
    const review = showing.review;
    if (!review) { return make_unreviewed(frames); }
    const standing = element("p", {class: "standing"});
    const texts = (list) => list.map((text) => element("li", {}, element("bdi", {}, text)));
    const rows = review.lost.map((lost) => element("li", {}, [
        element("p", {}, element("bdi", {}, lost.told)),
        element("button", {type: "button", click: () => seek(number_before(frames, lost.turn))}, "Show before turn " + lost.turn),
        element("button", {type: "button", click: () => seek(frames.number_of_turn(lost.turn))}, "Show turn " + lost.turn)]));
    const differences = !review.differences ? null : element("div", {class: "differences", role: "note"}, [
        element("p", {}, "The record differs from what the rules say now: it was written by other rules, or changed since. All numbers are of its moves as the rules play them now."),
        element("ul", {}, texts(review.differences))]);
    const root = element("section", {class: "review", "aria-label": "Where it was lost"}, [
        element("h2", {}, ["Where ", name_element(showing.bots[review.seat]), review.scale === "share" ? " lost it" : " lost points"]),
        standing, differences, ...review.remarks.map((text) => element("p", {class: "explained"}, text)),
        rows.length ? element("ol", {class: "plain"}, rows) : null,
        element("details", {}, [element("summary", {}, "What was assumed, and how sure it is"), element("ul", {}, texts(review.assumed))])]);
    return {
        root: root,
        // The latest position that was looked at tells how it stood.
        show: (number) => {
            const known = review.points.filter((point) => number_before(frames, point.turn) <= number);
            const point = known[known.length - 1];
            fill(standing, !point ? [] : [
                point.turn > review.turns ? "At the end: " : "Before turn " + point.turn + ": ",
                standing_words(point.seats[review.seat], point, review.scale),
                review.scale === "share" ? " of a point" : " points in the middle playout"]);
        }
    };
}

// "Try again from here": the command that plays a game on from the turn after the position, with another program.

// `own`: the bot that is logged in, whose seat is chosen first; may be missing.
export function make_again(frames, own) {
    const showing = frames.showing;
    const choice = make_seat_choice(showing, "again-seat", "In the place of ", showing.bots.indexOf(own), renew);
    const command = make_command_box();
    const others = element("p", {hidden: showing.bots.length < 2});
    const root = element("details", {class: "again"}, [element("summary", {}, "Try again from here"),
        element("p", {}, "This plays the game on from the next turn, with your program. " + replay_told + " Put in your program's command."),
        choice.root, others, command.root, replay_link(showing)]);
    let at = 0;

    function renew() {
        const file = file_stem(showing.game_id || "game") + ".ndjson";
        const names = showing.bots.filter((_, seat) => seat !== choice.seat()).map(name_element);
        fill(others, ["In place of ", ...names.flatMap((name, place) => [place ? " and " : null, name]), " one of the referee's own bots plays. The command says which; with --against ./other_bot another one plays."]);
        command.show(["referee", "fork", file, "--turn", String(frames.turn(at) + 1), ...choice.words(), "--bot", "./my_bot"]);
    }

    return {
        root: root,
        show: (number) => {
            at = number;
            // After the last turn there is none to play.
            root.hidden = number >= frames.last();
            renew();
        }
    };
}
