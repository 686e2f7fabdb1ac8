// A page of lists that is asked for again when something has changed, without losing the reader's place.

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
        // A link that goes away while it is pressed leads nowhere.
        if (live_main.querySelector(":active")) { live_soon(); } else { live_main.replaceChildren(...fresh.childNodes); }
    });
}

function live_soon() { if (live_timer === 0) { live_timer = window.setTimeout(live_load, live_pause_ms + live_pause_more_ms * Math.random()); } }

for (const news of ["standings", "began", "ended"]) { live_stream.addEventListener(news, live_soon); }
live_stream.addEventListener("reload", () => {
    live_stream.close();
    window.location.reload();
});
