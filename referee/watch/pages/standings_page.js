// The page of standings: of a server (/t/friday, or all tournaments), or of data that stand in it.

import {element, fill} from "./dom.js";
import {api_answer} from "./source_api.js";
import {show_standings} from "./standings.js";

const standings_room = document.querySelector("main");
const standings_pause_ms = 500;  // news that come at once are asked for once
// News by which standings or pairings may have changed.
const standings_news = ["standings", "began", "ended"];

function standings_link(game) { return "/g/" + game.split("/").map(encodeURIComponent).join("/"); }

function standings_bot_link(id, name) { return "/t/" + encodeURIComponent(id) + "/bots/" + encodeURIComponent(name); }

function standings_trouble(error) { fill(standings_room, element("p", {class: "trouble", role: "alert"}, error.message)); }

function standings_choice(tournaments) {
    fill(standings_room, [element("h1", {}, "Tournaments"),
        tournaments.length ? element("ul", {}, tournaments.map(({id}) => element("li", {}, element("a", {href: "/t/" + encodeURIComponent(id)}, element("bdi", {}, id)))))
                           : element("p", {}, "There is no tournament yet.")]);
}

function standings_by_api(id) {
    const path = "/api/v1/tournaments/" + encodeURIComponent(id);
    let timer = 0;
    function ask() {
        timer = 0;
        Promise.all([api_answer(path + "/standings"), api_answer(path + "/pairings").catch(() => null)])
            .then(([data, pairings]) => show_standings(standings_room, data, pairings, standings_link, (name) => standings_bot_link(id, name))).catch(standings_trouble);
    }
    function soon() { if (timer === 0) { timer = window.setTimeout(ask, standings_pause_ms); } }
    ask();
    const stream = new window.EventSource("/api/v1/events");
    for (const news of standings_news) { stream.addEventListener(news, soon); }
    stream.addEventListener("reload", soon);
}

if (document.body.dataset.source === "api") {
    const standings_named = window.location.pathname.startsWith("/t/") ? decodeURIComponent(window.location.pathname.slice("/t/".length)) : null;
    if (standings_named) {
        standings_by_api(standings_named);
    } else {
        api_answer("/api/v1/tournaments").then((body) => standings_choice(body.tournaments || [])).catch(standings_trouble);
    }
} else {
    for (const inlined of document.querySelectorAll("script.standings")) {
        const room = element("section");
        standings_room.append(room);
        show_standings(room, JSON.parse(inlined.textContent), null, (game) => "#game=" + encodeURIComponent(game));
    }
}
