// Making elements. Texts of bots and games only ever become text nodes.

// `attributes` are set as they are, but for functions: these listen to the event of their name ("click").
export function element(name, attributes, children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (typeof value === "function") {
            made.addEventListener(key, value);
        } else if (value === true) {
            made.setAttribute(key, "");
        } else if (value !== false && value !== null && value !== undefined) {
            made.setAttribute(key, value);
        }
    }
    fill(made, children);
    return made;
}

// Puts children, texts or elements, in the place of those that were there.
export function fill(parent, children) {
    const list = Array.isArray(children) ? children : [children];
    parent.replaceChildren(...list.filter((child) => child !== undefined && child !== null && child !== false));
}

// As fill(), with what `make()` gives. What has the keyboard keeps it; else what leads to the same place, or is called the same, has it then.
export function refill(parent, make) {
    const at = document.activeElement;
    const called = (each) => each.getAttribute("href") || each.getAttribute("aria-label") || each.textContent;
    const name = parent.contains(at) ? called(at) : null;
    fill(parent, make());
    if (name === null) { return; }
    const now = parent.contains(at) ? at : Array.from(parent.querySelectorAll(at.localName)).find((each) => called(each) === name);
    if (now) { now.focus({preventScroll: true}); }
}

// Whether somebody presses a link or a button just now, who would get nowhere were it drawn anew meanwhile.
export function is_pressing() { return document.querySelector("a:active, button:active, summary:active") !== null; }

// A name that somebody chose: isolated, so that its direction of writing ends with it.
export function name_element(name) {
    return element("bdi", {class: "name"}, String(name));
}

// A seat's colour and letter.
export function seat_chip(seat) { return element("span", {class: "chip seat" + seat % 8, "aria-hidden": "true"}, "ABCDEFGH"[seat % 8]); }

// A table that scrolls in its place where it is too wide. Heads are [title, whether numbers stand beneath, what it is short for].
export function table_region(label, heads, rows, attributes) {
    const head = heads.map(([text, is_number, whole]) => element("th", {scope: "col", class: is_number ? "number" : null, title: whole}, text));
    return element("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": label},
        element("table", attributes, [element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows)]));
}

// A time in words that are short enough for a table.
export function short_time(us) {
    if (us < 1000) { return us + " \u00b5s"; }
    if (us < 1000000) { return (us / 1000).toPrecision(3) + " ms"; }
    return (us / 1000000).toPrecision(3) + " s";
}

// What the system prefers now: "dark" or "light".
export function theme_now() {
    return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
