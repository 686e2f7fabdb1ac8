// A page of lists that is asked for again when something has changed, without losing the reader's place.

import {is_pressing, refill} from "./dom.js";

const live_pause_ms = 500;  // news that come at once are asked for once
const live_pause_more_ms = 1500;  // a room full of browsers doesn't ask at the same moment
const live_main = document.querySelector("main");
const live_stream = new window.EventSource("/api/v1/events");
let live_timer = 0;

function live_load() {
    live_timer = 0;
    window.fetch(window.location.href, {credentials: "same-origin"}).then((answer) => answer.text()).then((text) => {
        const fresh = new window.DOMParser().parseFromString(text, "text/html").querySelector("main");
        if (!fresh || fresh.textContent === live_main.textContent) { return; }
        if (is_pressing()) { live_soon(); } else { refill(live_main, () => Array.from(fresh.childNodes)); }
    });
}

function live_soon() { if (live_timer === 0) { live_timer = window.setTimeout(live_load, live_pause_ms + live_pause_more_ms * Math.random()); } }

for (const news of ["open", "standings", "began", "ended"]) { live_stream.addEventListener(news, live_soon); }
live_stream.addEventListener("reload", () => {
    live_stream.close();
    window.location.reload();
});
