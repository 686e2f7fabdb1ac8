// What stands beside a board: the seats with their scores and moves, what the referee noted, debug texts, faults, the result.

import {element, fill, name_element, seat_chip, short_time} from "./dom.js";

// A move in few words: the board's, else as it came.
function move_words(board, made, seat, showing) {
    if (made === null || made === undefined) { return "\u2013"; }
    const words = board && board.move ? board.move(made, seat, showing) : null;
    return words || (typeof made === "string" ? made : JSON.stringify(made));
}

// The wall time of a turn, where it is not only what was charged and allowed.
function wall_of(used, times) {
    const taken_off = (times.waited_us || 0) + (times.corrected_us || 0) + (times.doubted_us || 0);
    return times.wall_us || (taken_off && used + (times.allowed_us || 0) + taken_off);
}

// The time that a turn took, and how it came about where there is more to tell.
function time_words(frame, seat) {
    const used = frame && frame.used_us ? frame.used_us[seat] : null;
    if (used === null || used === undefined) { return "\u2013"; }
    const more = (frame.times || []).find((each) => each.seat === seat);
    const wall = more ? wall_of(used, more) : 0;
    return short_time(used) + (wall > used ? " (wall " + short_time(wall) + ")" : "");
}

export function make_seats(frames, board) {
    const showing = frames.showing;
    const rows = showing.bots.map((name, seat) => {
        const cells = {score: element("td"), move: element("td", {class: "move"}), time: element("td")};
        const head = element("th", {scope: "row"}, [seat_chip(seat), " ", name_element(name)]);
        return {cells: cells, row: element("tr", {}, [head, cells.score, cells.move, cells.time])};
    });
    const head = element("tr", {}, ["Bot", board ? "Score" : "", "Move", "Time"].map((text) => element(text ? "th" : "td", text ? {scope: "col"} : {}, text)));
    const root = element("div", {class: "scroll"}, element("table", {class: "seats"},
        [element("caption", {}, "Bots"), element("thead", {}, head), element("tbody", {}, rows.map((each) => each.row))]));
    return {
        root: root,
        show: (number) => {
            const frame = frames.frame(number);
            const scores = board ? board.scores(frames.state(number), showing) : null;
            rows.forEach((each, seat) => {
                each.cells.score.textContent = scores ? scores[seat] : "";
                each.cells.move.textContent = frame && frame.moves ? move_words(board, frame.moves[seat], seat, showing) : "\u2013";
                each.cells.time.textContent = time_words(frame, seat);
            });
        }
    };
}

// What the engine noted of a turn, and a forfeit.
export function make_notes(frames) {
    const list = element("ul", {class: "plain notes"});
    return {
        root: list,
        show: (number) => {
            const frame = frames.frame(number) || {};
            const rows = (frame.notes || []).map((note) => element("li", {class: note.fault ? "fault" : ""},
                [seat_chip(note.seat), " ", name_element(frames.showing.bots[note.seat]), ": ", element("bdi", {}, note.message)]));
            if (frame.forfeit !== undefined) {
                const name = name_element(frames.showing.bots[frame.forfeit]);
                rows.unshift(element("li", {class: "fault"}, [seat_chip(frame.forfeit), " ", name, " is out of the game by forfeit."]));
            }
            fill(list, rows);
        }
    };
}

// The bots' own words of a turn; there is nothing of it where no frame has any.
export function make_debug(frames) {
    const told = frames.showing.bots.map(() => element("pre", {dir: "auto", tabindex: 0}));
    const boxes = told.map((pre, seat) => element("div", {}, [element("h3", {}, [seat_chip(seat), " ", name_element(frames.showing.bots[seat])]), pre]));
    const silent = element("p", {class: "explained"}, "Nothing was said in this turn.");
    const root = element("section", {class: "debug", "aria-label": "Debug texts"}, [element("h2", {}, "Debug"), ...boxes, silent]);
    return {
        root: root,
        any: () => frames.showing.frames.some((frame) => frame.debug),
        show: (number) => {
            const frame = frames.frame(number);
            told.forEach((pre, seat) => {
                const text = frame && frame.debug ? frame.debug[seat] : null;
                boxes[seat].hidden = !text;
                pre.textContent = text || "";
            });
            silent.hidden = boxes.some((box) => !box.hidden);
        }
    };
}

// Times are counted from the game's beginning on.
const evidence_names = {received: "line received", sent_us: "turn sent at", received_us: "received at", noticed_us: "noticed at"};

function evidence_name(key) {
    return evidence_names[key] || key.replace(/_us$/, "").replace(/_/g, " ");
}

const fault_follows = {none: "nothing more", missing_move: "the turn is played without the bot's move", lost_turn: "the turn is lost, as the game's rules say",
                       strike: "a strike; too many of them forfeit the game", forfeit: "the game is lost"};

function evidence_rows(fault, times, used) {
    const pairs = [["What follows", fault_follows[fault.consequence] || fault.consequence], ["Rule", fault.rule], ["It says", fault.rule_text]];
    const evidence = fault.evidence || {};
    for (const [key, value] of Object.entries(evidence)) {
        const is_time = key.endsWith("_us") && typeof value === "number";
        pairs.push([evidence_name(key), is_time ? short_time(value) + " (" + value + " \u00b5s)" : value]);
    }
    const more = times ? {wall_us: wall_of(used || evidence.charged_us || 0, times) || undefined, ...times} : {};
    for (const [key, value] of Object.entries(more)) {
        if (key !== "seat" && value !== undefined && !(key in evidence)) {
            pairs.push([evidence_name(key), key.endsWith("_us") ? short_time(value) : value]);
        }
    }
    const rows = [];
    for (const [name, value] of pairs) {
        if (value === undefined || value === null || value === "") { continue; }
        rows.push(element("dt", {}, name));
        rows.push(element("dd", {}, element("bdi", {class: "verbatim"}, typeof value === "string" ? value : JSON.stringify(value))));
    }
    return rows;
}

// All faults, each with its evidence in a box that opens. `seek(number)` is called by the button to its turn.
export function make_faults(frames, seek) {
    const showing = frames.showing;
    const list = element("ol", {class: "plain faults"});
    const root = element("section", {"aria-label": "Faults"});
    let boxes = [];

    function box(fault) {
        const number = frames.number_of_turn(fault.turn);
        const frame = frames.frame(number);
        const played = frame && frame.turn === fault.turn ? frame : {};
        const times = (played.times || []).find((each) => each.seat === fault.seat);
        return element("details", {}, [
            element("summary", {}, ["Turn " + fault.turn + ": ", seat_chip(fault.seat), " ", name_element(showing.bots[fault.seat]), ", " + fault.code]),
            element("p", {}, element("bdi", {}, fault.message)),
            element("dl", {}, evidence_rows(fault, times, (played.used_us || [])[fault.seat])),
            element("button", {type: "button", click: () => seek(number)}, "Show turn " + fault.turn)
        ]);
    }

    function renew() {
        boxes = (showing.faults || []).map(box);
        fill(list, boxes.map((each) => element("li", {}, each)));
        const missing = (showing.faults_total || 0) - boxes.length;
        fill(root, [element("h2", {}, "Faults"),
                    boxes.length ? list : element("p", {}, showing.live ? "None are told before the end." : "None."),
                    missing > 0 ? element("p", {}, "And " + missing + " more that were not kept.") : null]);
    }

    renew();
    return {
        root: root,
        renew: renew,
        // Opens the evidence of a turn's faults.
        open: (number) => (showing.faults || []).forEach((fault, index) => {
            if (frames.number_of_turn(fault.turn) === number) { boxes[index].open = true; }
        }),
        // The numbers of the positions with faults, in their order.
        numbers: () => (showing.faults || []).map((fault) => frames.number_of_turn(fault.turn)).sort((a, b) => a - b)
    };
}

// Who played whom; `link(name)` is the address of a bot's page, where there is one.
export function players_title(showing, link) {
    return showing.bots.flatMap((name, seat) => [seat ? " \u2013 " : null,
        element("span", {class: "player"}, [seat_chip(seat), " ", link ? element("a", {href: link(name)}, name_element(name)) : name_element(name)])]);
}

// What it came to, in few words.
export function make_outcome(frames) {
    const root = element("strong", {class: "outcome"});
    function renew() {
        const outcome = frames.showing.result && frames.showing.result.outcome;
        const names = frames.showing.bots;
        root.hidden = !outcome;
        if (!outcome) { return; }
        const first = names.filter((_, seat) => outcome.placing[seat] === 1);
        const by_place = names.map((_, seat) => seat).sort((a, b) => outcome.placing[a] - outcome.placing[b]);
        const scores = by_place.map((seat) => outcome.scores[seat]).join(" : ");
        fill(root, names.length === 1 ? scores : first.length === 1 ? [name_element(first[0]), " won, " + scores] : "Drawn, " + scores);
    }
    renew();
    return {root: root, renew: renew};
}

export function make_result(frames) {
    const root = element("section", {"aria-label": "Result"});
    function renew() {
        const result = frames.showing.result;
        const outcome = result && result.outcome;
        const places = outcome ? outcome.placing.map((place, seat) => ({place: place, seat: seat, score: outcome.scores[seat]})) : [];
        places.sort((a, b) => a.place - b.place);
        const rows = places.map((each) =>
            element("li", {}, [each.place + ". ", seat_chip(each.seat), " ", name_element(frames.showing.bots[each.seat]), ": " + each.score]));
        fill(root, [element("h2", {}, "Result"),
            element("p", {}, result ? [result.status + ": ", element("bdi", {}, result.reason)] : "The game goes on."),
            frames.showing.annulled ? element("p", {class: "trouble"}, ["This play does not count any more, by order: ", element("bdi", {}, frames.showing.annulled)]) : null,
            element("ol", {class: "plain"}, rows)]);
    }
    renew();
    return {root: root, renew: renew};
}

// What the shapes mean. `sign(paint)` makes an element of a drawing.
export function make_legend(frames, board, sign) {
    const rows = board.legend(frames.showing).map((each) => element("li", {}, [sign(each.paint), " ", element("bdi", {}, each.text)]));
    return element("details", {class: "legend"}, [element("summary", {}, "What the shapes mean"), element("ul", {class: "plain"}, rows)]);
}

// What must be known of a game before its board is believed: that it was played on from another one, that the rules say
// otherwise now.
export function make_origin(showing) {
    const from = showing.forked_from;
    const rows = (showing.differences || []).map((text) => element("li", {}, element("bdi", {}, text)));
    return element("div", {class: "origin"}, [
        from ? element("p", {}, ["Played on from ", element("bdi", {}, String(from.game_id)), ", anew from turn " + from.turn + "."]) : null,
        rows.length ? element("div", {class: "trouble"}, ["The record tells otherwise than the rules of this program do:", element("ul", {}, rows)]) : null
    ]);
}
