// "Try again from here": the command that plays a game on from the turn after the position, with another program.

import {element, fill, name_element} from "./dom.js";
import {make_command_box, replay_link, replay_told} from "./command_box.js";
import {file_stem} from "./sources.js";

// `own`: the bot that is logged in, whose seat is chosen first; may be missing.
export function make_again(frames, own) {
    const showing = frames.showing;
    const seats = showing.bots.map((name, seat) => element("option", {value: seat}, name));
    const chosen = element("select", {id: "again-seat", change: renew}, seats);
    const command = make_command_box();
    const others = element("p");
    const which = element("div", {}, [element("p", {}, [element("label", {for: "again-seat"}, "In the place of "), chosen]), others]);
    const root = element("details", {class: "again"}, [element("summary", {}, "Try again from here"),
        element("p", {}, "This plays the game on from the next turn, with your program. " + replay_told + " Put in your program's command."),
        which, command.root, replay_link(showing)]);
    let at = 0;

    function renew() {
        const file = file_stem(showing.game_id || "game") + ".ndjson";
        const names = showing.bots.filter((_, seat) => seat !== Number(chosen.value)).map(name_element);
        fill(others, ["In place of ", ...names.flatMap((name, place) => [place ? " and " : null, name]), " one of the referee's own bots plays. The command says which; with --against ./other_bot another one plays."]);
        const seat = showing.bots.length > 1 ? ["--seat", chosen.value] : [];
        command.show(["referee", "fork", file, "--turn", String(frames.turn(at) + 1), ...seat, "--bot", "./my_bot"]);
    }

    which.hidden = showing.bots.length < 2;
    chosen.value = String(Math.max(0, showing.bots.indexOf(own)));
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
