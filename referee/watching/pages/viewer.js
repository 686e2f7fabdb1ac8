// A game, frame by frame: the board, what stands beside it, the timeline, and the keys.

import {element, fill, theme_now} from "./dom.js";
import {make_film} from "./film.js";
import {make_reel} from "./reel.js";
import {make_timeline} from "./timeline.js";
import {make_easel} from "./pen_canvas.js";
import {svg_sign} from "./pen_svg.js";
import {palette} from "./palette.js";
import {make_seats, make_notes, make_debug, make_faults, make_result, make_legend} from "./panels.js";
import {action_of_key} from "./keys.js";
import {make_help} from "./help.js";
import {make_place_keeper, place_text} from "./place.js";

const viewer_tell_ms = 400;  // the position is told to a screen reader when it has stood so long
const viewer_sign = 1.6;     // letters' heights of a sign in the legend

const viewer_buttons = [["first", "First frame"], ["backward", "Run backward"], ["previous", "Previous frame"], ["pause", "Pause or go on"],
                        ["next", "Next frame"], ["forward", "Run forward"], ["last", "Last frame"]];
const viewer_word_buttons = [
    ["slower", "Slower"], ["faster", "Faster"], ["previous_fault", "Fault before"], ["next_fault", "Next fault"], ["debug", "Debug"], ["projector", "Projector"], ["help", "Help"]
];

function viewer_sign_of(action, pen) {
    const right = (x) => pen.polygon([x, 0.15, x + 0.5, 0.5, x, 0.85], "ink");
    const left = (x) => pen.polygon([x, 0.15, x - 0.5, 0.5, x, 0.85], "ink");
    const bar = (x) => pen.rect(x, 0.15, 0.13, 0.7, "ink");
    const signs = {first: () => { bar(0.12); left(0.85); }, backward: () => { left(0.55); left(0.97); }, previous: () => left(0.72), pause: () => { bar(0.25); bar(0.62); },
                   next: () => right(0.28), forward: () => { right(0.03); right(0.45); }, last: () => { right(0.15); bar(0.75); }};
    signs[action]();
}

// A small drawing as an element; `size` in letters' heights.
function drawn_sign(paint, colours, size) {
    const box = element("span", {class: "sign"});
    box.innerHTML = svg_sign(paint, colours, size + "em");
    return box;
}

function viewer_picture(film, board) {
    const canvas = element("canvas", {class: "board", role: "img", "aria-label": "The board"});
    const text = element("pre", {class: "board", tabindex: 0, "aria-label": "The board as text"});
    const easel = make_easel(canvas);
    return {
        root: board ? canvas : text,
        show: (number, colours) => {
            if (board) {
                easel.paint(board, film.showing, film.state(number), film.past(number), colours, canvas.clientWidth, film.frame(number));
            } else {
                text.textContent = film.text(number) || JSON.stringify(film.state(number), null, 1);
            }
        },
        // As wide as fits: a tall board is bounded by the window's height, less the `below` pixels of the timeline.
        fit: (below) => {
            if (!board) { return; }
            canvas.style.setProperty("--below", below + "px");
            const size = board.size(film.showing);
            canvas.style.aspectRatio = size.width + " / " + size.height;
            canvas.style.setProperty("--shape", String(size.width / size.height));
        },
        describe: (number) => (board ? board.describe(film.state(number), film.showing) : "")
    };
}

function viewer_controls(act) {
    const speed = element("output", {class: "speed"}, "1\u00d7");
    const stood = element("span", {class: "stood"});
    const link = element("a", {class: "here", href: "#turn=0"}, "Link to this turn");
    const signs = viewer_buttons.map(([action, title]) =>
        element("button", {type: "button", "data-action": action, title: title, "aria-label": title, click: () => act(action)}, drawn_sign((pen) => viewer_sign_of(action, pen), {ink: "currentColor"}, 1.1)));
    const words = viewer_word_buttons.map(([action, title]) => element("button", {type: "button", "data-action": action, click: () => act(action)}, title));
    const root = element("div", {class: "controls", role: "group", "aria-label": "Controls"},
        [element("div", {class: "row"}, [...signs, stood]), element("div", {class: "row"}, [...words.slice(0, 2), speed, ...words.slice(2), link])]);
    return {root: root, speed: speed, stood: stood, link: link, button: (action) => root.querySelector("[data-action=" + action + "]")};
}

// Shows a game in `room`. `options`: board (null: the text is shown), turn to begin at, linked (the game's id, where links need
// it), choose(key) and close() for keys that leave the game, subscribe and reload where it may be live. Returns an end().
export function show_game(room, showing, options) {
    const film = make_film(showing);
    const board = options.board;
    const picture = viewer_picture(film, board);
    const told = element("p", {class: "told", "aria-live": "polite"});
    const keeper = make_place_keeper();
    const reel = make_reel(film, shown, run_changed);
    const timeline = make_timeline(film, board, colours_now, reel.seek);
    const seats = make_seats(film, board);
    const notes = make_notes(film);
    const debug = make_debug(film);
    const faults = make_faults(film, seek_fault);
    const result = make_result(film);
    const help = make_help();
    const controls = viewer_controls((action) => act({name: action}));
    const live = element("span", {class: "live"}, "live");
    let tell_timer = 0;
    let unsubscribe = null;

    function colours_now() { return palette(theme_now()); }

    function seek_fault(number) {
        reel.seek(number);
        faults.open(number);
    }

    function tell() {
        window.clearTimeout(tell_timer);
        if (reel.running() !== 0) { return; }
        tell_timer = window.setTimeout(() => { told.textContent = "Turn " + film.turn(reel.at()) + ". " + picture.describe(reel.at()); }, viewer_tell_ms);
    }

    function shown(number) {
        picture.show(number, colours_now());
        seats.show(number);
        notes.show(number);
        debug.show(number);
        timeline.show(number);
        controls.stood.textContent = "Turn " + film.turn(number) + " of " + film.turn(film.last());
        const text = place_text(options.linked, film.turn(number));
        controls.link.setAttribute("href", text);
        keeper.keep(text);
        tell();
    }

    function run_changed() {
        controls.speed.textContent = reel.speed() + "\u00d7" + (reel.running() > 0 ? " forward" : reel.running() < 0 ? " backward" : "");
        document.body.classList.toggle("runs", reel.running() !== 0);
        tell();
    }

    function to_fault(way) {
        const numbers = faults.numbers();
        const found = way > 0 ? numbers.find((each) => each > reel.at()) : numbers.reverse().find((each) => each < reel.at());
        if (found !== undefined) { seek_fault(found); }
    }

    function projector() {
        const on = document.body.classList.toggle("projector");
        controls.button("projector").setAttribute("aria-pressed", String(on));
        renew();
    }

    function show_debug(on) {
        debug.root.hidden = !on;
        controls.button("debug").setAttribute("aria-pressed", String(on));
    }

    function close() {
        if (document.body.classList.contains("projector")) { projector(); return; }
        reel.stop();
        if (options.close) {
            options.close();
        } else {
            told.textContent = "It stands still. Close the tab to leave.";
            window.clearTimeout(tell_timer);
        }
    }

    const actions = {
        next: () => reel.seek(reel.at() + 1), previous: () => reel.seek(reel.at() - 1), first: () => reel.seek(0), last: () => reel.seek(film.last()),
        forward: reel.forward, backward: reel.backward, pause: reel.pause, faster: reel.faster, slower: reel.slower,
        next_fault: () => to_fault(1), previous_fault: () => to_fault(-1), debug: () => show_debug(debug.root.hidden), projector: projector,
        choose: (action) => options.choose && options.choose(Number(action.key)), help: () => help.showModal(), close: close
    };

    function act(action) { actions[action.name](action); }

    function pressed(event) {
        const action = action_of_key(event);
        if (action) {
            event.preventDefault();
            act(action);
        }
    }

    function renew() {
        picture.fit(timeline.height());
        timeline.renew(reel.at());
        shown(reel.at());
    }

    function subscribe() {
        if (!showing.live || !options.subscribe) { return; }
        unsubscribe = options.subscribe(showing, {
            frame: (frame) => {
                const last = film.last();
                film.add(frame);
                timeline.renew(reel.at());
                reel.follow(last);
                if (frame.debug) { debug.root.classList.remove("never"); }
                controls.stood.textContent = "Turn " + film.turn(reel.at()) + " of " + film.turn(film.last());
            },
            end: (end) => {
                film.finish(end);
                live.hidden = true;
                faults.renew();
                result.renew();
                renew();
            },
            reload: options.reload
        });
    }

    function lay_out() {
        const legend = board ? make_legend(film, board, (paint) => drawn_sign(paint, colours_now(), viewer_sign)) : null;
        const beside = element("div", {class: "beside"}, [seats.root, notes.root, told, debug.root, result.root, faults.root, legend]);
        live.hidden = !showing.live;
        debug.root.classList.toggle("never", !debug.any());
        fill(room, [
            element("header", {class: "title"}, [element("h1", {}, [showing.title + " ", element("bdi", {class: "game-id"}, showing.game_id)]), live]),
            element("div", {class: "viewer"}, [element("div", {class: "stage"}, [picture.root, controls.root, timeline.root]), beside]), help]);
        controls.button("projector").setAttribute("aria-pressed", "false");
        show_debug(true);
    }

    const theme = window.matchMedia("(prefers-color-scheme: dark)");
    lay_out();
    document.addEventListener("keydown", pressed);
    window.addEventListener("resize", renew);
    theme.addEventListener("change", renew);
    reel.seek(options.turn === null || options.turn === undefined ? (showing.live ? film.last() : 0) : film.number_of_turn(options.turn));
    renew();
    subscribe();
    return {
        end: () => {
            reel.stop();
            keeper.stop();
            window.clearTimeout(tell_timer);
            document.removeEventListener("keydown", pressed);
            window.removeEventListener("resize", renew);
            theme.removeEventListener("change", renew);
            if (unsubscribe) { unsubscribe(); }
        },
        turn: (turn) => reel.seek(film.number_of_turn(turn))
    };
}
