// Showings of a server: by its API, and live by server-sent events.

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
