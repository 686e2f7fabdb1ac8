// Games to choose from, and the one that is looked at.

import {element, fill} from "./dom.js";
import {place_now} from "./place.js";
import {show_game} from "./viewer.js";

// `options.close()` leads back to where the games were listed; `options.only` is a game whose id stands in the page's address anyway.
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
                board: Object.prototype.hasOwnProperty.call(boards, showing.game) ? boards[showing.game] : null,
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
