// What a page asks of a server: by its API, and live by server-sent events.

import {is_pressing} from "./dom.js";

// So long a page waits that was told to ask for a game again: it was too slow before.
const api_reload_ms = 1000;

function api_in_path(id) { return id.split("/").map(encodeURIComponent).join("/"); }

function api_path(id) { return "/api/v1/games/" + api_in_path(id); }

// Addresses of the page of a game, and of that of a bot.
export function game_page(id) { return "/g/" + api_in_path(id); }

export function bot_page(tournament, name) { return "/t/" + encodeURIComponent(tournament) + "/bots/" + encodeURIComponent(name); }

// What a server answered, or an error with its own words.
export function api_answer(path) {
    return window.fetch(path, {credentials: "same-origin"}).then((answer) => answer.json().catch(() => ({})).then((body) => {
        if (!answer.ok) { throw new Error(body.error && body.error.message ? body.error.message : "The server answered with status " + answer.status + "."); }
        return body;
    }));
}

export function api_source() {
    return {
        list: [],
        load: (id) => api_answer(api_path(id) + "/showing"),
        subscribe: (showing, on) => {
            const stream = new window.EventSource(api_path(showing.game_id) + "/live?from=" + showing.frames.length);
            stream.addEventListener("frame", (event) => on.frame(JSON.parse(event.data), event.lastEventId ? Number(event.lastEventId) : null));
            stream.addEventListener("end", (event) => {
                stream.close();
                on.end(JSON.parse(event.data));
            });
            stream.addEventListener("reload", () => {
                stream.close();
                window.setTimeout(on.reload, api_reload_ms);
            });
            return () => stream.close();
        }
    };
}

// A tournament's table as a server has it, kept up to date: only rows that changed are asked for.

const table_pause_ms = 300;
const table_pause_more_ms = 1200;  // a room full of browsers doesn't ask at the same moment

let table_stream = null;  // one for all that a page follows: a browser opens no more than six connections to a server

// Calls `show` with a table in the form of standings.json, and again when it has changed. Returns a function that ends it.
export function follow_table(id, show, trouble) {
    const path = "/api/v1/tournaments/" + encodeURIComponent(id) + "/table";
    const rows = new Map();
    let version = "";
    let now = "";
    let timer = 0;
    const followed = new AbortController();

    function take(body) {
        if (is_pressing()) { soon(); return; }
        if (body.whole) { rows.clear(); }
        if (!body.whole && body.version === version && JSON.stringify(body.now) === now) { return; }
        for (const row of body.bots) { rows.set(row.name, row); }
        version = body.version;
        now = JSON.stringify(body.now);
        show(Object.assign(body, {bots: Array.from(rows.values()).sort((a, b) => a.at - b.at)}));
    }
    function ask() {
        timer = 0;
        api_answer(path + (version ? "?since=" + version : "")).then(take).catch(trouble);
    }
    function soon() { if (timer === 0) { timer = window.setTimeout(ask, table_pause_ms + table_pause_more_ms * Math.random()); } }
    function hear(news, call) { table_stream.addEventListener(news, call, {signal: followed.signal}); }
    ask();
    table_stream ||= new window.EventSource("/api/v1/events?only=standings");
    hear("standings", (event) => { if (JSON.parse(event.data).tournament === id) { soon(); } });
    // Behind both, news may have been lost.
    hear("reload", soon);
    hear("error", () => hear("open", soon));
    return () => {
        followed.abort();
        window.clearTimeout(timer);
    };
}
