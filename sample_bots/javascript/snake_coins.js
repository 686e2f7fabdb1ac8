// Plays Snake Labyrinth: steps to the nearest coin while that leaves time, then to the nearest exit.
"use strict";

const { play } = require("./referee_bot");

const STEPS = { N: [-1, 0], E: [0, 1], S: [1, 0], O: [0, -1] };
const STEPS_KEPT = 100; // for the way out

/** The first step of a shortest way to the next `target`, or null where there is none. */
function stepTo(target, { board, head }) {
    const places = [{ row: head[0], column: head[1], first: null }];
    const seen = new Set([String(head)]);
    for (const { row, column, first } of places) { // it grows meanwhile
        if (first && board[row][column] === target) return first;
        for (const [letter, [down, right]] of Object.entries(STEPS)) {
            const next = [row + down, column + right];
            const cell = (board[next[0]] || "")[next[1]];
            const barred = cell === undefined || cell === "#" || (cell === "_" && target !== "_");
            if (barred || seen.has(String(next))) continue;
            seen.add(String(next));
            places.push({ row: next[0], column: next[1], first: first || letter });
        }
    }
    return null;
}

function choose(game) {
    const inTime = game.state.steps + STEPS_KEPT < game.params.max_steps;
    const coin = inTime ? stepTo("$", game.state) : null;
    game.debug(coin ? "to a coin" : "to the exit");
    return coin || stepTo("_", game.state) || "N";
}

play({ snake_labyrinth: choose }, "snake-coins-js");
