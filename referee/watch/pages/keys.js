// The keys of the handout's visualizer, and some more. One table: what a key does, what help says of it.

import {element} from "./dom.js";

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
export function action_of_key(event) {
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
export function make_help() {
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
