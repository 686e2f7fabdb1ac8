// Which game is shown, and where showings come from.

// Which game and turn a page's address names: `?game=friday/12.1#turn=41`, or both behind the #.

// Browsers refuse addresses that change too often.
const place_pause_ms = 250;

// What `address` names; the page's own where none is given.
export function place_now(address) {
    const parts = new URL(address || window.location.href);
    const behind = new URLSearchParams(parts.hash.slice(1));
    const query = new URLSearchParams(parts.search);
    const turn = behind.get("turn") || query.get("turn");
    return {game: behind.get("game") || query.get("game"), turn: turn !== null && /^\d+$/.test(turn) ? Number(turn) : null};
}

// The part of an address behind the #. Slashes and colons may stand there as they are.
export function place_text(game, turn) {
    const parts = game ? ["game=" + encodeURIComponent(game).replace(/%2F/g, "/").replace(/%3A/g, ":")] : [];
    return "#" + parts.concat(["turn=" + turn]).join("&");
}

// Keeps the address up to date, a moment after the last change.
export function make_place_keeper() {
    let timer = 0;
    return {
        keep: (text) => {
            window.clearTimeout(timer);
            timer = window.setTimeout(() => window.history.replaceState(null, "", text), place_pause_ms);
        },
        stop: () => window.clearTimeout(timer)
    };
}

// Where showings come from: from the page itself, or from script files beside it. (server.js has those of a server.)
//
// A source has `list`, the games to choose from as {id, title}, and `load(id)`, which promises a showing; one of live games has
// `subscribe(showing, on)` too, which calls on.frame(frame, its number or null), on.end({result, faults, faults_total}) and on.reload().

function listed(showing) {
    const id = showing.game_id || showing.title;
    return {id: id, title: id + ": " + showing.bots.join(", ")};
}

// A name is given twice where two files are of the same game: the second gets a number.
function told_apart(list) {
    const seen = new Map();
    return list.map((each) => {
        const times = (seen.get(each.id) || 0) + 1;
        seen.set(each.id, times);
        return times === 1 ? each : {id: each.id + " (" + times + ")", title: each.title + " (" + times + ")"};
    });
}

export function inline_source() {
    const showings = Array.from(document.querySelectorAll("script.showing"), (each) => JSON.parse(each.textContent));
    const list = told_apart(showings.map(listed));
    return {
        list: list,
        load: (id) => {
            const place = list.findIndex((each) => each.id === id);
            return place < 0 ? Promise.reject(new Error("There is no game " + id + " in this page.")) : Promise.resolve(showings[place]);
        }
    };
}

// What a game's files in an output folder are called, less their ending.
export function file_stem(id) { return id.replace("/", "_"); }

function folder_file(id) { return "page/games/" + encodeURIComponent(file_stem(id)) + ".js"; }

// What a file holds: a showing as JSON, in zlib's format and base64.
async function unpacked(packed, name) {
    if (!window.DecompressionStream) {
        throw new Error("This browser can't unpack games; expected one of the year 2023 or newer.");
    }
    try {
        const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
        return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
    } catch {
        throw new Error("The file " + name + " is damaged; remove it, and the referee writes it again.");
    }
}

// Each file calls packed_showing("..."), or no_showing("why there is none"). `missing` says why a file may not be there.
export function folder_source(missing) {
    return {
        list: [],
        load: (id) => new Promise((resolve, reject) => {
            const script = document.createElement("script");
            script.src = folder_file(id);
            let came = null;
            let why = "The file " + folder_file(id) + " has no game in it.";
            window.packed_showing = (packed) => { came = packed; };
            window.no_showing = (reason) => { why = reason; };
            script.onload = () => {
                script.remove();
                if (came) { resolve(unpacked(came, folder_file(id))); } else { reject(new Error(why)); }
            };
            script.onerror = () => {
                script.remove();
                reject(new Error("The file " + folder_file(id) + " can't be read. " + missing));
            };
            document.head.append(script);
        })
    };
}
