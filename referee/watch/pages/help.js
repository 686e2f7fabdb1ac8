// The dialog that tells the keys.

import {element} from "./dom.js";
import {viewer_keys} from "./keys.js";

// A browser's own Escape closes a dialog a moment later, and what is pressed in between goes to a
// dialog that is already on its way out.
const closing_keys = ["h", "q", "Escape"];

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
