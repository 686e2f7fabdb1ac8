// What C++ made of a page is asked for again when something has changed, without losing the reader's place.

import {is_pressing, refill} from "./dom.js";

// News that come at once are asked for once, and a room full of browsers doesn't ask at the same moment.
const fresh_pause_ms = {least: 500, most: 2000};

// `selector` finds the part of the page. Returns a function that asks for it at once.
export function keep_fresh(selector, {least, most} = fresh_pause_ms) {
    const part = document.querySelector(selector);
    let timer = 0;

    function load() {
        timer = 0;
        window.fetch(window.location.href, {credentials: "same-origin"}).then((answer) => answer.text()).then((text) => {
            const fresh = new window.DOMParser().parseFromString(text, "text/html").querySelector(selector);
            if (!fresh || fresh.textContent === part.textContent) { return; }
            if (is_pressing()) { soon(); } else { refill(part, () => Array.from(fresh.childNodes)); }
        });
    }
    function soon() { if (timer === 0) { timer = window.setTimeout(load, least + (most - least) * Math.random()); } }

    // Who was too slow for the stream is joined to it anew by the browser, which tells `open` then.
    const stream = new window.EventSource("/api/v1/events");
    for (const news of ["open", "standings", "began", "ended"]) { stream.addEventListener(news, soon); }
    return load;
}
