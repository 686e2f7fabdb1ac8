// Plays Walls: always the shortest way to the next brick of its own, whatever the other is up to.
"use strict";

const { play } = require("./referee_bot");

const STEPS = { N: [-1, 0], E: [0, 1], S: [1, 0], W: [0, -1] };
const CLOCKWISE = "NESW";

function after({ row, column, facing }, move) {
    if (move === "F") return { row: row + STEPS[facing][0], column: column + STEPS[facing][1], facing };
    return { row, column, facing: CLOCKWISE[(CLOCKWISE.indexOf(facing) + (move === "R" ? 1 : 3)) % 4] };
}

function greedyMove(state, seat) {
    const [otherRow, otherColumn] = state.players[1 - seat].at;
    const canEnter = ({ row, column }) => {
        const square = (state.board[row] || "")[column];
        return square !== undefined && square !== "BA"[seat] && !(row === otherRow && column === otherColumn);
    };
    const { at, facing } = state.players[seat];
    const places = [{ row: at[0], column: at[1], facing, first: null }];
    const seen = new Set();
    for (const place of places) { // it grows meanwhile
        if (state.board[place.row][place.column] === "." && canEnter(after(place, "F"))) return place.first || "F";
        for (const move of "FLR") {
            const next = after(place, move);
            const key = `${next.row} ${next.column} ${next.facing}`;
            if (seen.has(key) || !canEnter(next)) continue;
            seen.add(key);
            places.push({ ...next, first: place.first || move });
        }
    }
    return "L"; // no brick can be had any more
}

play({ walls: (game) => greedyMove(game.state, game.seat) }, "walls-greedy-js");
