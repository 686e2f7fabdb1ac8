// "Try again from here": the command that plays a game on from the turn after the position, with another program.

import {element} from "./dom.js";
import {make_command_box, replay_link, replay_told} from "./command_box.js";
import {file_stem} from "./sources.js";

export function make_again(frames) {
    const showing = frames.showing;
    const seats = showing.bots.map((name, seat) => element("option", {value: seat}, name));
    const chosen = element("select", {id: "again-seat", change: renew}, seats);
    const command = make_command_box();
    const which = element("p", {}, [element("label", {for: "again-seat"}, "In the place of "), chosen]);
    const root = element("details", {class: "again"}, [element("summary", {}, "Try again from here"),
        element("p", {}, "This plays the game on from the next turn, with your program. " + replay_told + " Put in your program's command."),
        which, command.root, replay_link(showing)]);
    let at = 0;

    function renew() {
        const file = file_stem(showing.game_id || "game") + ".ndjson";
        const seat = showing.bots.length > 1 ? ["--seat", chosen.value] : [];
        command.show(["referee", "fork", file, "--turn", String(frames.turn(at) + 1), ...seat, "--bot", "./my_bot"]);
    }

    which.hidden = showing.bots.length < 2;
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
