// A game's states, frame by frame, and which of them is shown.

// Changes of a state (RFC 6902: add, replace and remove). The old state stays as it is; what didn't change is shared between
// both, so that all states of a game can be kept.

function pointer_steps(path) {
    return path.split("/").slice(1).map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));
}

// A state with the changes, and how many places had to be copied for it.
export function patched(state, changes) {
    const fresh = new Set();
    let copied = 0;

    function own(value) {
        if (fresh.has(value)) { return value; }
        const copy = Array.isArray(value) ? value.slice() : Object.assign({}, value);
        copied += Array.isArray(value) ? value.length : Object.keys(value).length;
        fresh.add(copy);
        return copy;
    }

    function change_at(parent, key, change) {
        if (!Array.isArray(parent)) {
            if (change.op === "remove") { delete parent[key]; } else { parent[key] = change.value; }
        } else if (change.op === "replace") {
            parent[key] = change.value;
        } else if (change.op === "remove") {
            parent.splice(Number(key), 1);
        } else {
            parent.splice(key === "-" ? parent.length : Number(key), 0, change.value);
        }
    }

    let now = state;
    for (const change of changes) {
        const steps = pointer_steps(change.path);
        if (steps.length === 0) {
            now = change.value;
            continue;
        }
        now = own(now);
        let place = now;
        for (const step of steps.slice(0, -1)) {
            place[step] = own(place[step]);
            place = place[step];
        }
        change_at(place, steps[steps.length - 1], change);
    }
    return {state: now, copied: copied};
}

// A showing as states and frames by number: 0 is before the first turn, k after frame k. It grows while a game is live.

// So many places of copied arrays and objects are some 200 MB; beyond them only some states are kept, and others made again.
const frames_places_max = 20000000;
const frames_stride = 50;
const frames_recent_max = 200;

export function make_frames(showing) {
    showing.clock = showing.clock || {};  // a game that was driven by hand has none
    const frames = showing.frames;
    const kept = [showing.state];
    const recent = [];
    let places = 0;

    function keep(number, state, copied) {
        if (kept[number] !== undefined) { return; }
        kept[number] = state;
        if (places + copied <= frames_places_max) {
            places += copied;
        } else if (number % frames_stride !== 0) {
            recent.push(number);
            if (recent.length > frames_recent_max) { delete kept[recent.shift()]; }
        }
    }

    function state(number) {
        let from = number;
        while (kept[from] === undefined) { --from; }
        let found = kept[from];
        for (; from < number; ++from) {
            const next = patched(found, frames[from].changes || []);
            found = next.state;
            keep(from + 1, found, next.copied);
        }
        return found;
    }

    return {
        showing: showing,
        last: () => frames.length,
        state: state,
        // What a board may look back at.
        past: (number) => (ago) => (ago > number || ago < 0 ? null : state(number - ago)),
        // The frame that led to the position; nothing for the first.
        frame: (number) => (number > 0 ? frames[number - 1] : null),
        turn: (number) => (number > 0 ? frames[number - 1].turn : 0),
        text: (number) => (number > 0 ? frames[number - 1].text : showing.text),
        // The number of the position after a turn; the nearest where the game has no such turn.
        number_of_turn: (turn) => {
            let number = 0;
            while (number < frames.length && frames[number].turn <= turn) { ++number; }
            return number;
        },
        add: (frame) => { frames.push(frame); },
        finish: (end) => {
            showing.live = false;
            showing.result = end.result;
            showing.faults = end.faults || [];
            showing.faults_total = end.faults_total || showing.faults.length;
        }
    };
}

// Which frame is shown, and whether they run: forward, backward or not.

// How many times faster than usual; usual are four frames a second.
const playback_speeds = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100];
const playback_usual = 2;
const playback_usual_frames = 4;

// `shown(number)` is called with each new position, `changed()` when it begins or stops running or its speed changes.
export function make_playback(frames, shown, changed) {
    let at = 0;
    let direction = 0;
    let speed = playback_usual;
    let due = 0;
    let before = null;

    function go(number) {
        const wanted = Math.max(0, Math.min(frames.last(), number));
        if (wanted === at) { return; }
        at = wanted;
        shown(at);
    }

    function run(way) {
        const was = direction;
        direction = way;
        due = 0;
        before = null;
        if (way !== 0 && was === 0) { window.requestAnimationFrame(tick); }
        changed();
    }

    function tick(now) {
        if (direction === 0) { return; }
        if (before !== null) { due += (now - before) / 1000 * playback_usual_frames * playback_speeds[speed]; }
        before = now;
        const whole = Math.floor(due);
        due -= whole;
        if (whole > 0) { go(at + direction * whole); }
        const ended = direction > 0 ? at === frames.last() && !frames.showing.live : at === 0;
        if (ended) { run(0); } else { window.requestAnimationFrame(tick); }
    }

    return {
        at: () => at,
        running: () => direction,
        speed: () => playback_speeds[speed],
        // Goes to a position and stands there.
        seek: (number) => {
            if (direction !== 0) { run(0); }
            go(number);
        },
        // A live game has a new frame: who looked at the last one goes on with it.
        follow: (last_before) => { if (at === last_before) { go(frames.last()); } },
        // Who runs forward from the end begins again.
        forward: () => {
            if (at === frames.last() && !frames.showing.live) { go(0); }
            run(1);
        },
        backward: () => run(-1),
        pause: () => run(direction === 0 ? 1 : 0),
        stop: () => { if (direction !== 0) { run(0); } },
        faster: () => {
            speed = Math.min(speed + 1, playback_speeds.length - 1);
            changed();
        },
        slower: () => {
            speed = Math.max(speed - 1, 0);
            changed();
        }
    };
}
