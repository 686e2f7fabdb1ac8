// "Try again from here": the command that plays a game on from the turn after the position, with another program.

import {element} from "./dom.js";
import {file_stem} from "./sources.js";

export function make_again(film) {
    const showing = film.showing;
    const seats = showing.bots.map((name, seat) => element("option", {value: seat}, name));
    const chosen = element("select", {id: "again-seat", change: renew}, seats);
    const command = element("pre", {tabindex: 0, "aria-label": "The command"});
    const copied = element("span", {role: "status"});
    const tell_copied = (text) => () => { copied.textContent = " " + text; };
    const copy = element("button", {type: "button", click: () => window.navigator.clipboard.writeText(command.textContent)
        .then(tell_copied("Copied."), tell_copied("Can't copy: mark it and copy it by hand."))}, "Copy");
    const which = element("p", {}, [element("label", {for: "again-seat"}, "In the place of "), chosen]);
    const root = element("details", {class: "again"}, [element("summary", {}, "Try again from here"),
        element("p", {}, "This plays the game on from the next turn, with your program. Put in the replay's path and your program's command."),
        which, command, copy, copied]);
    // On a server's page the replay is there to be had.
    if (window.document.body.dataset.source === "api")
        root.append(element("p", {}, [element("a", {href: replay_of(showing.game_id || "")}, "The replay, to download")]));
    let at = 0;

    function renew() {
        const file = file_stem(showing.game_id || "game") + ".ndjson";
        const seat = showing.bots.length > 1 ? " --seat " + chosen.value : "";
        command.textContent = "referee fork " + quoted(file) + " --turn " + (film.turn(at) + 1) + seat + " --bot ./my_bot";
        copied.textContent = "";
    }

    which.hidden = showing.bots.length < 2;
    copy.hidden = !window.navigator.clipboard;
    return {
        root: root,
        show: (number) => {
            at = number;
            // After the last turn there is none to play.
            root.hidden = number >= film.last();
            renew();
        }
    };
}

function replay_of(id) { return "/api/v1/games/" + id.split("/").map(encodeURIComponent).join("/") + "/replay"; }

// A word of a shell's command line, whatever is in it.
function quoted(word) { return /^[\w./:~@%+-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'"; }
