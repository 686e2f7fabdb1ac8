// A game, frame by frame: the board, what stands beside it, the timeline, and the keys.

import {element, fill, theme_now} from "./dom.js";
import {make_frames, make_playback} from "./frames.js";
import {make_debug, make_faults, make_legend, make_notes, make_origin, make_outcome, make_result, make_seats, players_title} from "./panels.js";
import {board_of, make_easel, make_sign, palette} from "./pen.js";
import {make_again, make_review} from "./review.js";
import {make_place_keeper, place_now, place_text} from "./sources.js";
import {make_timeline} from "./timeline.js";

// The keys of the handout's visualizer, and some more. One table: what a key does, what help says of it.
const viewer_keys = [
    {keys: ["ArrowRight", "ArrowDown"], names: "right, down", action: "next", does: "next frame"},
    {keys: ["ArrowLeft", "ArrowUp"], names: "left, up", action: "previous", does: "previous frame"},
    {keys: ["Home", "PageUp"], names: "home, page up", action: "first", does: "first frame"},
    {keys: ["End", "PageDown"], names: "end, page down", action: "last", does: "last frame"},
    {keys: ["Enter"], names: "enter", action: "forward", does: "run forward"},
    {keys: ["Backspace"], names: "backspace", action: "backward", does: "run backward"},
    {keys: [" "], names: "space", action: "pause", does: "pause, and go on"},
    {keys: ["f"], names: "f", action: "faster", does: "faster"},
    {keys: ["s"], names: "s", action: "slower", does: "slower"},
    {keys: ["]"], names: "]", action: "next_fault", does: "to the next fault"},
    {keys: ["["], names: "[", action: "previous_fault", does: "to the fault before"},
    {keys: ["d"], names: "d", action: "debug", does: "show or hide the bots' debug texts"},
    {keys: ["p"], names: "p", action: "projector", does: "projector mode: the board large, and nothing but it and the scores"},
    {keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], names: "1 to 9", action: "choose", does: "choose a game, where there are several"},
    {keys: ["h"], names: "h", action: "help", does: "this help"},
    {keys: ["Escape", "q"], names: "escape, q", action: "close", does: "close"}
];

const key_presses = new Set(["Enter", " "]);

// What a pressed key asks for, or null: while a key is held with another, somebody types, or a button has the key.
function action_of_key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) { return null; }
    const target = event.target;
    if (target.closest && target.closest("dialog[open], textarea, select, input:not([type=range])")) { return null; }
    if (key_presses.has(event.key) && target.closest && target.closest("button, a, summary")) { return null; }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const entry = viewer_keys.find((each) => each.keys.includes(key));
    return entry ? {name: entry.action, key: key} : null;
}

// A browser's own Escape closes a dialog a moment later, and what is pressed in between goes to a
// dialog that is already on its way out.
const closing_keys = ["h", "q", "Escape"];

// The dialog that tells the keys.
function make_help() {
    const rows = viewer_keys.map((each) => element("tr", {}, [element("th", {scope: "row"}, element("kbd", {}, each.names)), element("td", {}, each.does)]));
    const dialog = element("dialog", {class: "help", "aria-labelledby": "help-title"}, [
        element("h2", {id: "help-title"}, "Keys"),
        element("table", {}, element("tbody", {}, rows)),
        element("form", {method: "dialog"}, element("button", {autofocus: true}, "Close"))
    ]);
    // What opens it closes it.
    dialog.addEventListener("keydown", (event) => {
        if (closing_keys.includes(event.key)) {
            event.preventDefault();
            event.stopPropagation();
            dialog.close();
        }
    });
    return dialog;
}

const viewer_tell_ms = 400;  // the position is told to a screen reader when it has stood so long
const viewer_sign = 1.6;     // letters' heights of a sign in the legend

const viewer_buttons = [["first", "First frame"], ["backward", "Run backward"], ["previous", "Previous frame"], ["pause", "Pause or go on"],
                        ["next", "Next frame"], ["forward", "Run forward"], ["last", "Last frame"]];
const viewer_word_buttons = [["slower", "Slower"], ["faster", "Faster"], ["previous_fault", "Fault before"], ["next_fault", "Next fault"],
                             ["debug", "Debug"], ["projector", "Projector"], ["help", "Help"]];

function viewer_sign_of(action, pen) {
    const right = (x) => pen.polygon([x, 0.15, x + 0.5, 0.5, x, 0.85], "ink");
    const left = (x) => pen.polygon([x, 0.15, x - 0.5, 0.5, x, 0.85], "ink");
    const bar = (x) => pen.rect(x, 0.15, 0.13, 0.7, "ink");
    const signs = {
        first: () => { bar(0.12); left(0.85); }, backward: () => { left(0.55); left(0.97); }, previous: () => left(0.72),
        pause: () => { bar(0.25); bar(0.62); }, next: () => right(0.28), forward: () => { right(0.03); right(0.45); },
        last: () => { right(0.15); bar(0.75); }
    };
    signs[action]();
}

function viewer_picture(frames, board) {
    const canvas = element("canvas", {class: "board", role: "img", "aria-label": "The board"});
    const text = element("pre", {class: "board", tabindex: 0, "aria-label": "The board as text"});
    const easel = make_easel(canvas);
    return {
        root: board ? canvas : text,
        show: (number, colours) => {
            if (board) {
                easel.paint(board, frames.showing, frames.state(number), frames.past(number), colours, canvas.clientWidth, frames.frame(number));
            } else {
                text.textContent = frames.text(number) || JSON.stringify(frames.state(number), null, 1);
            }
        },
        // As wide as fits: a tall board is bounded by the window's height, less the `below` pixels of the timeline.
        fit: (below) => {
            if (!board) { return; }
            canvas.style.setProperty("--below", below + "px");
            const size = board.size(frames.showing);
            canvas.style.aspectRatio = size.width + " / " + size.height;
            canvas.style.setProperty("--shape", String(size.width / size.height));
        },
        describe: (number) => (board ? board.describe(frames.state(number), frames.showing) : "")
    };
}

// `sign(paint, size)` makes an element of a small drawing.
function viewer_controls(act, sign) {
    const speed = element("output", {class: "speed"}, "1\u00d7");
    const stood = element("span", {class: "stood"});
    const link = element("a", {class: "here", href: "#turn=0"}, "Link to this turn");
    const signs = viewer_buttons.map(([action, title]) =>
        element("button", {type: "button", "data-action": action, title: title, "aria-label": title, click: () => act(action)},
                sign((pen) => viewer_sign_of(action, pen), 1.1)));
    const words = viewer_word_buttons.map(([action, title]) => element("button", {type: "button", "data-action": action, click: () => act(action)}, title));
    const root = element("div", {class: "controls", role: "group", "aria-label": "Controls"},
        [element("div", {class: "row"}, [...signs, stood]), element("div", {class: "row"}, [...words.slice(0, 2), speed, ...words.slice(2), link])]);
    return {root: root, speed: speed, stood: stood, link: link, button: (action) => root.querySelector("[data-action=" + action + "]")};
}

function colours_now() { return palette(theme_now()); }

// Everything that a game is shown with, as one object that the functions below share.
function make_view(showing, options) {
    const frames = make_frames(showing);
    const view = {frames: frames, showing: showing, options: options, signs: [], tell_timer: 0, unsubscribe: null};
    view.playback = make_playback(frames, (number) => show_position(view, number), () => show_running(view));
    view.picture = viewer_picture(frames, options.board);
    view.timeline = make_timeline(frames, options.board, colours_now, view.playback.seek);
    view.seats = make_seats(frames, options.board);
    view.notes = make_notes(frames);
    view.debug = make_debug(frames);
    view.faults = make_faults(frames, (number) => seek_fault(view, number));
    view.result = make_result(frames);
    view.outcome = make_outcome(frames);
    view.again = make_again(frames, options.own);
    view.review = make_review(frames, view.playback.seek);
    view.help = make_help();
    view.keeper = make_place_keeper();
    view.told = element("p", {class: "told", "aria-live": "polite"});
    view.live = element("span", {class: "live"}, "live");
    const actions = view_actions(view);
    view.act = (action) => actions[action.name](action);
    view.controls = viewer_controls((action) => view.act({name: action}), (paint, size) => add_sign(view, paint, size));
    return view;
}

// `size` in letters' heights.
function add_sign(view, paint, size) {
    const sign = make_sign(paint, size);
    view.signs.push(sign);
    return sign.root;
}

function tell_position(view) {
    window.clearTimeout(view.tell_timer);
    if (view.playback.running() !== 0) { return; }
    view.tell_timer = window.setTimeout(() => {
        view.told.textContent = "Turn " + view.frames.turn(view.playback.at()) + ". " + view.picture.describe(view.playback.at());
    }, viewer_tell_ms);
}

function show_turn(view, number) {
    view.controls.stood.textContent = "Turn " + view.frames.turn(number) + " of " + view.frames.turn(view.frames.last());
}

function show_position(view, number) {
    view.picture.show(number, colours_now());
    for (const part of [view.seats, view.notes, view.debug, view.review, view.again, view.timeline]) { part.show(number); }
    show_turn(view, number);
    const text = place_text(view.options.linked, view.frames.turn(number));
    view.controls.link.setAttribute("href", text);
    view.keeper.keep(text);
    tell_position(view);
}

function show_running(view) {
    const way = view.playback.running();
    view.controls.speed.textContent = view.playback.speed() + "\u00d7" + (way > 0 ? " forward" : way < 0 ? " backward" : "");
    tell_position(view);
}

// All of it anew: the window has another size, the colours are others.
function renew_view(view) {
    view.picture.fit(view.timeline.height());
    view.timeline.renew(view.playback.at());
    for (const sign of view.signs) { sign.show(colours_now()); }
    show_position(view, view.playback.at());
}

function seek_fault(view, number) {
    view.playback.seek(number);
    view.faults.open(number);
}

function to_fault(view, way) {
    const numbers = view.faults.numbers();
    const at = view.playback.at();
    const found = way > 0 ? numbers.find((each) => each > at) : numbers.reverse().find((each) => each < at);
    if (found !== undefined) { seek_fault(view, found); }
}

function turn_projector(view) {
    const on = document.body.classList.toggle("projector");
    view.controls.button("projector").setAttribute("aria-pressed", String(on));
    renew_view(view);
}

function show_debug(view, on) {
    view.debug.root.hidden = !on;
    view.controls.button("debug").setAttribute("aria-pressed", String(on));
}

// Where no bot says anything there is nothing to show or hide.
function debug_there(view) {
    const never = !view.debug.any();
    view.debug.root.classList.toggle("never", never);
    view.controls.button("debug").classList.toggle("never", never);
}

function close_game(view) {
    if (document.body.classList.contains("projector")) {
        turn_projector(view);
        return;
    }
    view.playback.stop();
    if (view.options.close) {
        view.options.close();
    } else {
        window.clearTimeout(view.tell_timer);
        view.told.textContent = "It stands still. Close the tab to leave.";
    }
}

// What each action of a key does.
function view_actions(view) {
    const {playback, frames, options} = view;
    return {
        next: () => playback.seek(playback.at() + 1), previous: () => playback.seek(playback.at() - 1), first: () => playback.seek(0), last: () => playback.seek(frames.last()),
        forward: playback.forward, backward: playback.backward, pause: playback.pause, faster: playback.faster, slower: playback.slower,
        next_fault: () => to_fault(view, 1), previous_fault: () => to_fault(view, -1),
        debug: () => show_debug(view, view.debug.root.hidden), projector: () => turn_projector(view),
        choose: (action) => options.choose && options.choose(Number(action.key)),
        help: () => view.help.showModal(), close: () => close_game(view)
    };
}

// A live game's frames as they come.
function follow_live(view) {
    const {frames, showing, options} = view;
    if (!showing.live || !options.subscribe) { return; }
    view.unsubscribe = options.subscribe(showing, {
        frame: (frame, number) => {
            const last = frames.last();
            // A stream that broke off and was taken up again tells some frames twice.
            if (number !== null && number <= last) { return; }
            frames.add(frame);
            view.timeline.renew(view.playback.at());
            view.playback.follow(last);
            if (frame.debug) { debug_there(view); }
            show_turn(view, view.playback.at());
        },
        end: (end) => {
            frames.finish(end);
            view.live.hidden = true;
            view.faults.renew();
            view.result.renew();
            view.outcome.renew();
            renew_view(view);
        },
        reload: options.reload
    });
}

function lay_out_view(view, room) {
    const {frames, showing, options} = view;
    const legend = options.board ? make_legend(frames, options.board, (paint) => add_sign(view, paint, viewer_sign)) : null;
    const beside = [view.seats, view.notes, view.review, view.debug, view.result, view.faults, view.again].map((part) => part.root);
    fill(room, [
        element("header", {class: "title"}, [element("h1", {}, players_title(showing, options.bot_link)), view.outcome.root, view.live,
            element("span", {class: "explained"}, [showing.title + " ", element("bdi", {class: "game-id"}, showing.game_id || "")])]), make_origin(showing),
        element("div", {class: "viewer"}, [element("div", {class: "stage"}, [view.picture.root, view.controls.root, view.timeline.root, view.told]),
                                           element("div", {class: "beside"}, [...beside, legend])]),
        view.help]);
    view.live.hidden = !showing.live;
    view.controls.button("projector").setAttribute("aria-pressed", String(document.body.classList.contains("projector")));
    show_debug(view, true);
    debug_there(view);
}

// Shows a game in `room`. `options`: board (null: the text is shown), turn to begin at, linked (the game's id, where links need
// it), bot_link(name) where bots have pages, own (the bot that is logged in), choose(number) and close() for keys that leave the game, subscribe and reload where it may be live. Returns end(), and
// turn(turn), which goes there.
function show_game(room, showing, options) {
    const view = make_view(showing, options);
    const theme = window.matchMedia("(prefers-color-scheme: dark)");
    const pressed = (event) => {
        const action = action_of_key(event);
        if (action) {
            event.preventDefault();
            view.act(action);
        }
    };
    const renew = () => renew_view(view);
    lay_out_view(view, room);
    document.addEventListener("keydown", pressed);
    window.addEventListener("resize", renew);
    theme.addEventListener("change", renew);
    const named = options.turn !== null && options.turn !== undefined;
    view.playback.seek(named ? view.frames.number_of_turn(options.turn) : showing.live ? view.frames.last() : 0);
    renew();
    follow_live(view);
    return {
        end: () => {
            view.playback.stop();
            view.keeper.stop();
            window.clearTimeout(view.tell_timer);
            document.removeEventListener("keydown", pressed);
            window.removeEventListener("resize", renew);
            theme.removeEventListener("change", renew);
            if (view.unsubscribe) { view.unsubscribe(); }
        },
        turn: (turn) => view.playback.seek(view.frames.number_of_turn(turn))
    };
}

// Games to choose from, and the one that is looked at: `options.close()` leads back to where the games were listed; `options.only` is a game whose id stands in the page's address anyway.
export function open_gallery(room, source, options) {
    const chosen = element("select", {id: "choice", change: () => look_at(chosen.value, null)},
        source.list.map((each) => element("option", {value: each.id}, each.title)));
    const choice = element("nav", {class: "choice", "aria-label": "Games"}, [element("label", {for: "choice"}, "Game "), chosen]);
    const place = element("div");
    let game = null;
    let looked_at = null;

    function trouble(error) { fill(place, element("p", {class: "trouble", role: "alert"}, error.message)); }

    function look_at(id, turn) {
        if (game) { game.end(); }
        game = null;
        looked_at = id;
        chosen.value = id;
        source.load(id).then((showing) => {
            if (looked_at !== id) { return; }
            document.title = showing.bots.join(" \u2013 ") + ": " + showing.title + " " + showing.game_id;
            game = show_game(place, showing, {
                board: board_of(showing.game),
                turn: turn,
                linked: source.list.length > 1 || options.always_linked ? id : null,
                choose: (number) => { if (number <= source.list.length) { look_at(source.list[number - 1].id, null); } },
                close: options.close,
                bot_link: options.bot_link,
                own: options.own,
                subscribe: source.subscribe,
                reload: () => look_at(id, null)
            });
        }).catch(trouble);
    }

    // The event's address, since what keeps the page's own up to date may have written it over by now.
    function moved(event) {
        const now = place_now(event.newURL);
        if (now.game && now.game !== looked_at) {
            look_at(now.game, now.turn);
        } else if (game && now.turn !== null) {
            game.turn(now.turn);
        }
    }

    window.addEventListener("hashchange", moved);
    fill(room, [source.list.length > 1 ? choice : null, place]);
    const now = place_now();
    const first = options.only || now.game || (source.list.length ? source.list[0].id : null);
    if (first === null) {
        trouble(new Error("There is no game here."));
    } else {
        look_at(first, now.turn);
    }
    return {
        end: () => {
            if (game) { game.end(); }
            looked_at = null;
            window.removeEventListener("hashchange", moved);
        }
    };
}
