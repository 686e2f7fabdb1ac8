// A showing as states and frames by number: 0 is before the first turn, k after frame k. It grows while a game is live.

import {patched} from "./patch.js";

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
