// Prints to standard output by habit, and would read.
"use strict";

const assert = require("assert");
const { play } = require("./referee_bot");

console.log("chatty begins");
play({
    walls(game) {
        assert.throws(() => process.stdin, /standard input belongs to the referee/);
        console.log("thinking about turn", game.turn);
        process.stdout.write("and more\n");
        return "F";
    },
}, "chatty");
