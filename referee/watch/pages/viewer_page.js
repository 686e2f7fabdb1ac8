// The page of games: those that stand in it, or the one of a server that its address names (/g/friday/12.1).

import {api_answer, api_source, bot_page} from "./server.js";
import {inline_source} from "./sources.js";
import {open_gallery} from "./viewer.js";

const viewer_room = document.querySelector("main");
if (document.body.dataset.source === "api") {
    const viewer_named = decodeURIComponent(window.location.pathname.slice("/g/".length));
    const viewer_tournament = viewer_named.slice(0, viewer_named.lastIndexOf("/"));
    const viewer_open = (me) => open_gallery(viewer_room, api_source(), {only: viewer_named, own: me.bot, close: () => { window.history.back(); },
        bot_link: (name) => bot_page(viewer_tournament, name)});
    api_answer("/api/v1/me").then(viewer_open, () => viewer_open({}));
} else {
    open_gallery(viewer_room, inline_source(), {});
}
