// Prints to standard output by habit.
"use strict";

const { play } = require("./referee_bot");

console.log("chatty begins");
play({
    walls(game) {
        console.log("thinking about turn", game.turn);
        process.stdout.write("and more\n");
        return "F";
    },
}, "chatty");
