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
