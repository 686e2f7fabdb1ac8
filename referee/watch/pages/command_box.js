// A command of the program, to be copied.

import {element} from "./dom.js";

// Returns root, and show(words): the command line. Words are quoted for a shell, whatever is in them.
export function make_command_box() {
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

export const replay_told = replay_served ? "Download the replay below, and run this where it lies." : "Put in the replay's path.";

export function replay_link(showing) {
    if (!replay_served) { return null; }
    const path = "/api/v1/games/" + (showing.game_id || "").split("/").map(encodeURIComponent).join("/") + "/replay";
    return element("p", {}, [element("a", {href: path}, "The replay, to download")]);
}

function quoted(word) { return /^[\w./:~@%+-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'"; }
