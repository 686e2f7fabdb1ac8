// Has no idea in its third answer of a game.
"use strict";

const { play } = require("./referee_bot");

play({
    walls(game) {
        game.memory.answers = (game.memory.answers || 0) + 1;
        if (game.memory.answers === 3) throw new Error("no idea");
        return "F";
    },
}, "thrower");
