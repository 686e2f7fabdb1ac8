// Plays E7 Planets, and badly: it flies at random.
// Where to begin: state.player.location ends with where your ship is, state.scraps says where the scraps lie: go there.
// engines/e7_planets/RULES.md says what the state holds and what a move looks like.
"use strict";

const { play } = require("./referee_bot");

function choose(game) {
    return "UDLR"[Math.floor(Math.random() * 4)];
}

play({ e7_planets: choose }, "my-bot");
