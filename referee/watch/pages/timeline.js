// A game from left to right: each bot's time as bars with the budget as a line, the scores as curves, the faults as marks.

import {element, name_element, seat_chip, short_time} from "./dom.js";
import {draw_review, review_lane, review_lane_name} from "./review.js";

const timeline_lane = 34;     // pixels a bot's bars are high
const timeline_flat = 22;     // where there are more than two bots
const timeline_scores = 56;   // and the scores' curves
const timeline_edge = 8;      // half of the slider's thumb: position 0 stands so far from the left
const timeline_chunk_ms = 8;  // scores are read from the states by and by

// Short times would not be seen beside the budget: the height goes with the root of the time.
function bar_height(us, most) { return Math.sqrt(Math.min(us / most, 1)); }

// What each frame's bar tells: the time of its turn, or where the budget is for the whole game what was used of it so far.
function bar_times(showing, seat) {
    const whole_game = showing.clock.kind === "game" && showing.clock.budget_us;
    let sum = 0;
    return showing.frames.map((frame) => {
        const used = frame.used_us?.[seat] || 0;
        sum += used;
        return whole_game ? sum : used;
    });
}

function lane_height(showing) { return showing.bots.length > 2 ? timeline_flat : timeline_lane; }

function draw_lane(context, showing, seat, top, x_of, colours) {
    const lane = lane_height(showing);
    const times = bar_times(showing, seat);
    // The most that the lane shows: the budget, or the time that is longest.
    const most = times.reduce((found, us) => Math.max(found, us), showing.clock.budget_us || 1);
    const tall = lane - 6;
    const width = Math.max(1, x_of(1) - x_of(0) - 1);
    const columns = new Map();
    times.forEach((us, index) => {
        const x = Math.floor(x_of(index + 1) - width / 2);
        columns.set(x, Math.max(columns.get(x) || 0, us));
    });
    context.fillStyle = colours["seat" + seat % 8];
    for (const [x, used] of columns) {
        const height = used > 0 ? Math.max(1, tall * bar_height(used, most)) : 0;
        context.fillRect(x, top + lane - height, width, height);
    }
    if (showing.clock.budget_us) {
        const y = Math.round(top + lane - tall * bar_height(showing.clock.budget_us, most)) - 0.5;
        context.strokeStyle = colours.bad;
        context.setLineDash([5, 3]);
        context.beginPath();
        context.moveTo(0, y);
        context.lineTo(context.canvas.clientWidth, y);
        context.stroke();
        context.setLineDash([]);
    }
}

function draw_scores(context, scores, top, x_of, colours) {
    const most = scores.reduce((found, all) => Math.max(found, ...all), 1);
    const least = scores.reduce((found, all) => Math.min(found, ...all), most);
    const y_of = (score) => top + timeline_scores - 4 - (timeline_scores - 8) * (score - least) / Math.max(most - least, 1e-9);
    const seats = scores.length ? scores[0].length : 0;
    for (let seat = 0; seat < seats; ++seat) {
        context.strokeStyle = colours["seat" + seat % 8];
        context.lineWidth = 2;
        // Curves that lie on each other show through each other's gaps.
        context.setLineDash(seat % 4 === 0 ? [] : [3 + 3 * (seat % 4), 3]);
        context.beginPath();
        scores.forEach((all, number) => context[number ? "lineTo" : "moveTo"](x_of(number), y_of(all[seat])));
        context.stroke();
    }
    context.setLineDash([]);
    context.lineWidth = 1;
}

function draw_faults(context, frames, height, x_of, colours) {
    for (const fault of frames.showing.faults || []) {
        const x = x_of(frames.number_of_turn(fault.turn));
        context.fillStyle = colours.bad;
        context.fillRect(x - 0.5, 0, 1, height);
        context.beginPath();
        context.moveTo(x - 5, 0);
        context.lineTo(x + 5, 0);
        context.lineTo(x, 8);
        context.fill();
    }
}

// What the lanes are called, for those who can't see the colours.
function lane_names(showing, has_scores) {
    const budget = showing.clock.budget_us;
    const rows = showing.bots.map((name, seat) => element("li", {}, [seat_chip(seat), " ", name_element(name), ": time of each turn"]));
    if (has_scores) { rows.unshift(element("li", {}, "Scores: each bot's curve in its colour")); }
    if (showing.review) { rows.unshift(review_lane_name(showing)); }
    const of_what = showing.clock.kind === "game" ? " for the whole game" : " a turn";
    if (budget) { rows.push(element("li", {}, "Dashed line: the budget, " + short_time(budget) + of_what)); }
    rows.push(element("li", {}, "Bars grow with the root of the time. Triangles: faults."));
    return element("details", {}, [element("summary", {}, "What the timeline shows"), element("ul", {class: "plain"}, rows)]);
}

// `seek(number)` is called when somebody moves the slider.
export function make_timeline(frames, board, colours_now, seek) {
    const showing = frames.showing;
    const canvas = element("canvas", {class: "lanes", "aria-hidden": "true"});
    const cursor = element("div", {class: "cursor", "aria-hidden": "true"});
    const slider = element("input", {type: "range", min: 0, max: frames.last(), value: 0, step: 1, class: "slider", "aria-label": "Turn",
                                     input: () => seek(Number(slider.value))});
    const explained = element("div", {class: "explained"}, lane_names(showing, Boolean(board)));
    const root = element("section", {class: "timeline", "aria-label": "Timeline"}, [element("div", {class: "lanebox"}, [canvas, cursor]), slider, explained]);
    const scores = [];
    let waiting = false;

    function x_of(number) {
        const width = canvas.clientWidth - 2 * timeline_edge;
        return timeline_edge + (frames.last() ? width * number / frames.last() : 0);
    }

    function draw() {
        const ratio = window.devicePixelRatio || 1;
        const top = board ? timeline_scores : 0;
        const height = lanes_height();
        canvas.style.height = height + "px";
        canvas.width = Math.round(canvas.clientWidth * ratio);
        canvas.height = Math.round(height * ratio);
        const context = canvas.getContext("2d");
        context.scale(ratio, ratio);
        const colours = colours_now();
        showing.bots.forEach((_, seat) => draw_lane(context, showing, seat, top + seat * lane_height(showing), x_of, colours));
        if (scores.length) { draw_scores(context, scores, 0, x_of, colours); }
        if (showing.review) { draw_review(context, frames, height - review_lane, x_of, colours); }
        draw_faults(context, frames, height, x_of, colours);
    }

    function read_scores() {
        waiting = false;
        if (!root.isConnected) { return; }
        const until = performance.now() + timeline_chunk_ms;
        while (scores.length <= frames.last() && performance.now() < until) { scores.push(board.scores(frames.state(scores.length), showing)); }
        if (scores.length > frames.last()) { draw(); } else { later(); }
    }

    function later() {
        if (!board || waiting) { return; }
        waiting = true;
        window.setTimeout(read_scores, 0);
    }

    function show(number) {
        slider.value = number;
        slider.setAttribute("aria-valuetext", "turn " + frames.turn(number) + " of " + frames.turn(frames.last()));
        cursor.style.transform = "translateX(" + x_of(number) + "px)";
    }

    canvas.addEventListener("click", (event) => {
        const width = Math.max(1, canvas.clientWidth - 2 * timeline_edge);
        seek(Math.round((event.offsetX - timeline_edge) / width * frames.last()));
    });
    function lanes_height() { return (board ? timeline_scores : 0) + lane_height(showing) * showing.bots.length + (showing.review ? review_lane : 0); }

    return {
        root: root,
        height: lanes_height,
        show: show,
        // The window is another size, the colours are others, or frames came.
        renew: (number) => {
            slider.max = frames.last();
            draw();
            show(number);
            later();
        }
    };
}
