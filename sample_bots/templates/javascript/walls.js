// Plays Walls, and badly: it turns and walks at random.
// Where to begin: state.board shows the bricks and state.players where both stand: walk to a square that has no brick yet.
// engines/walls/RULES.md says what the state holds and what a move looks like.
"use strict";

const { play } = require("./referee_bot");

function choose(game) {
    return "FLR"[Math.floor(Math.random() * 3)];
}

play({ walls: choose }, "my-bot");
