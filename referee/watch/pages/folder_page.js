// The page of an output folder: the standings, and each game when its link is followed (#game=friday/12.1). The data come by
// scripts beside it, which call standings({...}), pairings({...}) and crosstable({...}).

import {element, fill} from "./dom.js";
import {folder_source, place_now} from "./sources.js";
import {ask_rounds, certainty_part, cross_table, matches_section, show_standings, tournament_parts} from "./standings.js";
import {open_gallery} from "./viewer.js";

const folder_room = document.querySelector("main");
const folder_tournaments = [];
const folder_pairings = new Map();
const folder_crosstables = new Map();
let folder_gallery = null;
let folder_scrolled = 0;

function folder_link(game) { return "#game=" + encodeURIComponent(game).replace(/%2F/g, "/"); }

function folder_list() {
    if (folder_gallery) { folder_gallery.end(); }
    folder_gallery = null;
    if (folder_tournaments.length === 0) {
        fill(folder_room, element("p", {class: "trouble", role: "alert"}, "The standings are missing: page/standings.js can't be read."));
        return;
    }
    fill(folder_room, folder_tournaments.map((data) => {
        const room = element("section", {"aria-label": data.tournament});
        const {rounds} = folder_pairings.get(data.tournament) || {rounds: []};
        const crosstable = folder_crosstables.get(data.tournament);
        show_standings(room, data, tournament_parts({
            matches: () => matches_section(ask_rounds(rounds), folder_link).root,
            crosstable: () => (crosstable ? cross_table(crosstable) : element("p", {}, "This is not written yet.")),
            certainty: () => certainty_part(data)
        }));
        return room;
    }));
    window.scrollTo(0, folder_scrolled);
}

function folder_leave() {
    window.history.replaceState(null, "", window.location.pathname);
    folder_list();
}

function folder_show() {
    const game = place_now().game;
    if (!game) {
        if (folder_gallery) { folder_list(); }
    } else if (!folder_gallery) {
        folder_scrolled = window.scrollY;
        const back = element("p", {}, element("a", {href: "#", click: (event) => { event.preventDefault(); folder_leave(); }}, "Back to the standings"));
        const room = element("div");
        fill(folder_room, [back, room]);
        const ladder = folder_tournaments.some((data) => data.format === "ladder" && game.startsWith(data.tournament + "/"));
        const missing = ladder ? "A ladder's games leave no files here, unless its config says \"game_files\": \"all\". While the daemon runs, its pages have them."
                               : "A game that is not over has none yet.";
        folder_gallery = open_gallery(room, folder_source(missing), {close: folder_leave, always_linked: true});
    }
}

window.standings = (data) => { folder_tournaments.push(data); };
window.pairings = (data) => { folder_pairings.set(data.tournament, data); };
window.crosstable = (data) => { folder_crosstables.set(data.tournament, data); };
// The data's scripts come after this one.
window.addEventListener("DOMContentLoaded", () => {
    folder_list();
    folder_show();
});
window.addEventListener("hashchange", folder_show);
