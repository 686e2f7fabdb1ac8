// Plays Light Cycles, and badly: it goes anywhere that nobody has been.
// Where to begin: count the free cells that each step leaves you, and take the step with the most.
// engines/light_cycles/RULES.md says what the state holds and what a move looks like.
"use strict";

const { play } = require("./referee_bot");

const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0]];

function choose(game) {
    const { width, height, cycles_per_team: count } = game.params;
    const used = game.memory.used = game.memory.used || new Map(); // cell: whose trail. The state doesn't show the trails
    game.state.cycles.forEach((at, cycle) => {
        if (at[0] >= 0) used.set(String(at), cycle);
        else used.forEach((whose, cell) => whose === cycle && used.delete(cell)); // it is terminated, and its trail is free again
    });
    const own = game.state.cycles.slice(game.seat * count, (game.seat + 1) * count);
    return own.map(([x, y], i) => {
        for (const [right, down] of STEPS) {
            const to = [x + right, y + down];
            const inside = to[0] >= 0 && to[0] < width && to[1] >= 0 && to[1] < height;
            if (!inside || used.has(String(to))) continue;
            used.set(String(to), game.seat * count + i); // for the other cycles of the team
            return to;
        }
        return [x, y]; // there is no way out
    });
}

play({ light_cycles: choose }, "my-bot");
