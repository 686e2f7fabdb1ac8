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
