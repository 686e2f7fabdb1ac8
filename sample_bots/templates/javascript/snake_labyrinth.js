// Plays Snake Labyrinth, and badly: it steps at random to where no wall is.
// Where to begin: state.board shows coins as $ and exits as _: find a way to them. A move may be many letters.
// engines/snake_labyrinth/RULES.md says what the state holds and what a move looks like.
"use strict";

const { play } = require("./referee_bot");

const STEPS = { N: [-1, 0], S: [1, 0], O: [0, -1], E: [0, 1] };

function choose(game) {
    const { board, head } = game.state;
    const isOpen = ([down, right]) => {
        const cell = (board[head[0] + down] || "")[head[1] + right];
        return cell !== undefined && cell !== "#";
    };
    const ways = Object.keys(STEPS).filter((letter) => isOpen(STEPS[letter]));
    return ways[Math.floor(Math.random() * ways.length)] || "N";
}

play({ snake_labyrinth: choose }, "my-bot");
