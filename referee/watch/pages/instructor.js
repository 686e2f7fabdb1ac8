// The instructor's page: an order is asked what it would do, and done when that is confirmed.

import {element} from "./dom.js";
import {keep_fresh} from "./fresh.js";

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

// One page is open, and several orders may come at once.
const order_pause_ms = {least: 2000, most: 2000};
const order_renew = document.getElementById("state") ? keep_fresh("#state", order_pause_ms) : null;

for (const form of document.querySelectorAll("form.order")) {
    const place = form.querySelector(".answer");
    const trouble = (error) => order_tell(place, {error: error.message});
    const done = (told) => { if (order_tell(place, told)) { order_renew(); } };
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
