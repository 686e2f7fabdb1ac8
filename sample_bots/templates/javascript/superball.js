// Plays Superball, and badly: it swaps two pieces at random, and never scores.
// Where to begin: look for a group that touches a goal cell, and answer SCORE row column.
// engines/superball/RULES.md says what the state holds and what a move looks like.
"use strict";

const { play } = require("./referee_bot");

function choose(game) {
    const pieces = [];
    game.state.board.forEach((line, row) => [...line].forEach((cell, column) => {
        if (/[a-z]/i.test(cell)) pieces.push([row, column]);
    }));
    const taken = () => pieces.splice(Math.floor(Math.random() * pieces.length), 1)[0];
    return ["SWAP", ...taken(), ...taken()].join(" ");
}

play({ superball: choose }, "my-bot");
