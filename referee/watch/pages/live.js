// Pages that C++ made: lists that keep up with what goes on, and forms, whose answers are told beneath them.

import {element, is_pressing, refill} from "./dom.js";

// News that come at once are asked for once, and a room full of browsers doesn't ask at the same moment. The instructor has one
// page open, and several orders may come at once.
const fresh_pause_ms = {least: document.querySelector("form.order") ? 2000 : 500, most: 2000};

// Asks again for the part of the page that changes, when something has, without losing the reader's place. Returns a function that asks for it at once.
function keep_fresh(selector) {
    const part = document.querySelector(selector);
    if (!part) { return null; }
    let timer = 0;

    function load() {
        timer = 0;
        window.fetch(window.location.href, {credentials: "same-origin"}).then((answer) => answer.text()).then((text) => {
            const fresh = new window.DOMParser().parseFromString(text, "text/html").querySelector(selector);
            if (!fresh || fresh.textContent === part.textContent) { return; }
            if (is_pressing()) { soon(); } else { refill(part, () => Array.from(fresh.childNodes)); }
        });
    }
    function soon() { if (timer === 0) { timer = window.setTimeout(load, fresh_pause_ms.least + (fresh_pause_ms.most - fresh_pause_ms.least) * Math.random()); } }

    // Who was too slow for the stream is joined to it anew by the browser, which tells `open` then.
    const stream = new window.EventSource("/api/v1/events");
    for (const news of ["open", "standings", "began", "ended"]) { stream.addEventListener(news, soon); }
    return load;
}

const renew_fresh = keep_fresh("#state, .fresh");

function forms_tell(form, said, answer, text) {
    if (answer.ok && form.dataset.then) {
        window.location.assign(form.dataset.then);
        return;
    }
    const told = JSON.parse(text);
    said.classList.toggle("trouble", !answer.ok);
    said.textContent = !answer.ok ? told.error.message : told.token ? "Your new token, which is shown once: " + told.token : "Done.";
}

for (const form of document.querySelectorAll("form:not(.order)")) {
    const said = document.createElement("p");
    said.setAttribute("role", "status");
    form.append(said);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        window.fetch(form.action, {method: "POST", body: new URLSearchParams(new FormData(form))})
            .then((answer) => answer.text().then((text) => forms_tell(form, said, answer, text)))
            .catch((error) => {
                said.classList.add("trouble");
                said.textContent = error.message;
            });
    });
}

// An order is asked what it would do, and done when that is confirmed.
function order_send(form, confirmed) {
    const body = new URLSearchParams(new FormData(form));
    if (confirmed) { body.set("confirmed", "yes"); }
    return window.fetch("/api/v1/orders", {method: "POST", body: body}).then((answer) => answer.json());
}

// Returns whether it was carried out, or would be.
function order_tell(place, told) {
    const error = told.error && told.error.message ? told.error.message : told.error;
    place.classList.toggle("trouble", Boolean(error));
    place.textContent = error ? String(error) : told.token ? "The new token of " + told.bot + ", which is shown once: " + told.token + (told.message ? "; " + told.message : "") : told.message;
    return !error;
}

for (const form of document.querySelectorAll("form.order")) {
    const place = form.querySelector(".answer");
    const trouble = (error) => order_tell(place, {error: error.message});
    const done = (told) => { if (order_tell(place, told)) { renew_fresh(); } };
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        order_send(form, false).then((told) => {
            if (!order_tell(place, told)) { return; }
            // Once: a second press finds no button.
            const do_it = () => { order_tell(place, {message: "It is being done."}); order_send(form, true).then(done).catch(trouble); };
            const yes = element("button", {type: "button", click: do_it}, "Do it");
            place.append(" ", yes, " ", element("button", {type: "button", click: () => order_tell(place, {message: "Nothing was done."})}, "Leave it"));
            yes.focus();
        }).catch(trouble);
    });
    // What was asked is no longer what stands there.
    form.addEventListener("input", () => order_tell(place, {message: ""}));
}
