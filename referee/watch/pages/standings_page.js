// The page of a tournament's standings, as a server has it (/t/friday).

import {element, fill} from "./dom.js";
import {api_answer, bot_page, follow_table, game_page} from "./server.js";
import {certainty_part, cross_table, matches_section, show_standings, tell_trouble, tournament_parts} from "./standings.js";

const standings_room = document.querySelector("main");

// What is asked for when a part is opened.
function standings_later(path, draw) {
    const place = element("div", {}, element("p", {}, "It is asked for \u2026"));
    api_answer(path).then((body) => fill(place, draw(body))).catch(tell_trouble(place));
    return place;
}

function standings_by_api(id) {
    const path = "/api/v1/tournaments/" + encodeURIComponent(id);
    let matches = null;
    const draw = {
        matches: () => {
            matches = matches || matches_section((query) => api_answer(path + "/matches" + (query.size ? "?" + query : "")), game_page);
            return matches.root;
        },
        crosstable: () => standings_later(path + "/crosstable", cross_table),
        certainty: () => standings_later(path + "/certainty", certainty_part)
    };
    function show(data) {
        if (matches) { matches.renew(); }
        show_standings(standings_room, data, tournament_parts(draw), (name) => bot_page(id, name), "/wall/" + encodeURIComponent(id));
    }
    follow_table(id, show, tell_trouble(standings_room));
}

standings_by_api(decodeURIComponent(window.location.pathname.slice("/t/".length)));
