// A tournament's table as a server has it, kept up to date: only rows that changed are asked for.

import {is_pressing} from "./dom.js";
import {api_answer} from "./source_api.js";

const table_pause_ms = 300;
const table_pause_more_ms = 1200;  // a room full of browsers doesn't ask at the same moment

// Calls `show` with a table in the form of standings.json, and again when it has changed. Returns a function that ends it.
export function follow_table(id, show, trouble) {
    const path = "/api/v1/tournaments/" + encodeURIComponent(id) + "/table";
    const rows = new Map();
    let version = "";
    let now = "";
    let timer = 0;

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
    ask();
    const stream = new window.EventSource("/api/v1/events?only=standings");
    stream.addEventListener("standings", (event) => { if (JSON.parse(event.data).tournament === id) { soon(); } });
    stream.addEventListener("reload", soon);
    return () => {
        stream.close();
        window.clearTimeout(timer);
    };
}
