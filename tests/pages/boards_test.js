// Each game's board without a browser: it draws every frame.
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const test = require("node:test");
const vm = require("node:vm");
const {asObject, boardFile, games, modules, read, showing, withoutMarks} = require("./compose.js");

const drawing = vm.runInNewContext("(function () {" + ["pen.js", "frames.js"].map((each) => withoutMarks(read(each))).join("\n") +
    "return {colour_names, patched};})()");

// The style's first colours are light, its next ones dark.
const roots = read("style.css").split(":root {").slice(1);
function palette(theme) {
    return Object.fromEntries(drawing.colour_names.map((name) => {
        const [, colour] = roots[theme === "dark" ? 1 : 0].match("--" + name + ": (#[0-9a-f]{6});");
        return [name, colour];
    }));
}

// Where the colour stands among what each call of a pen is given; options stand behind it.
const colour_at = {rect: 4, circle: 3, line: 4, polygon: 1, text: 3};

// A pen that writes down what it is told to paint, and wants places that are numbers and colours of the palette.
function writing_pen(colours) {
    const parts = [];
    const pen = {parts, layer: (key, draw) => draw(pen)};
    for (const [call, at] of Object.entries(colour_at)) {
        pen[call] = (...given) => {
            const places = given.slice(0, at).flat();
            const {stroke, align, dash = [], ...numbers} = given[at + 1] || {};
            const told = [call, ...places, colours[given[at]] || "none", JSON.stringify(given[at + 1] || {})].map(String).join(" ");
            const words = call === "text" ? places.splice(2, 1) : [];
            for (const place of [...places, ...dash]) { assert.ok(Number.isFinite(place), told); }
            for (const colour of [given[at], stroke]) { assert.ok(!colour || colour in colours, told); }
            for (const value of Object.values(numbers)) { assert.ok([undefined, null, true, false].includes(value) || Number.isFinite(value), told); }
            assert.doesNotMatch(words.map(String).join(), /undefined|NaN|null|\[object/);
            assert.ok([undefined, "left", "center", "right"].includes(align), told);
            parts.push(told);
        };
    }
    return pen;
}

function picture_of(board, film, state, past, colours) {
    const size = board.size(film);
    const pen = writing_pen(colours);
    pen.rect(0, 0, size.width, size.height, "ground");
    board.draw(pen, state, film, past);
    return pen.parts.join("\n");
}

// A state at each frame, as the page has them.
function states(film) {
    const all = [film.state];
    for (const frame of film.frames) { all.push(drawing.patched(all[all.length - 1], frame.changes).state); }
    return all;
}

test("names at the top of modules are unlike each other, since a page has them all in one function", () => {
    for (const page of ["viewer", "standings", "folder"]) {
        const names = new Map();
        for (const module of modules(page).filter((each) => each !== "boards")) {
            const found = read(module).matchAll(/^(?:export )?(?:function|const|let|class) (\w+)/gm);
            for (const [, name] of found) {
                assert.ok(!names.has(name), name + " stands in " + module + " and " + names.get(name));
                names.set(name, module);
            }
        }
        assert.ok(names.size > 20);
        // What a module imports stands before it.
        const order = modules(page);
        for (const [place, module] of order.entries()) {
            if (module === "boards") { continue; }
            for (const [, other] of read(module).matchAll(/^import .* from "\.\/(.*)";$/gm)) {
                assert.ok(order.includes(other) && order.indexOf(other) < place, page + ": " + module + " imports " + other);
            }
        }
    }
});

test("these games have a board", () => {
    assert.deepStrictEqual(games, ["e7_planets", "light_cycles", "snake_labyrinth", "superball", "walls"]);
});

for (const name of [...games, "faults", "wide_superball", "long_way"]) {
    test("every frame of " + name + " is drawn", () => {
        const film = showing(name);
        const board = vm.runInNewContext(asObject(fs.readFileSync(boardFile(film.game), "utf8")));
        const all = states(film);
        const drawn = new Set();
        for (const theme of ["light", "dark"]) {
            const colours = palette(theme);
            all.forEach((state, number) => {
                const past = (ago) => (ago > number ? null : all[number - ago]);
                drawn.add(picture_of(board, film, state, past, colours));
            });
        }
        assert.ok(drawn.size > 2, "the pictures of different positions differ");
        for (const [number, state] of all.entries()) {
            assert.strictEqual(board.scores(state, film).length, film.bots.length);
            assert.match(board.describe(state, film), /^\S.*\.$/s);
            assert.doesNotMatch(board.describe(state, film), /undefined|NaN|null|\[object/);
            const made = number > 0 && film.frames[number - 1].moves ? film.frames[number - 1].moves : [];
            for (const [seat, move] of made.entries()) {
                const words = board.move ? board.move(move, seat, film) : null;
                assert.ok(words === null || typeof words === "string", "frame " + number);
            }
        }
        for (const sign of board.legend(film)) {
            const pen = Object.assign(writing_pen(palette("light")), {layer: undefined});  // a sign has none
            sign.paint(pen);
            assert.ok(pen.parts.length > 0);
            assert.ok(sign.text.length > 0);
        }
    });
}

test("a move of Light Cycles tells where living cycles go, and nothing of terminated ones", () => {
    const board = vm.runInNewContext(asObject(fs.readFileSync(boardFile("light_cycles"), "utf8")));
    const film = showing("light_cycles");
    assert.strictEqual(board.move([[3, 4], null, [-1, -1]], 0, film), "3,4  \u2013  \u2013");
    assert.strictEqual(board.move([["x"], "up", [-5, 2]], 0, film), "x  \"up\"  -5,2", "what a bot got wrong is shown as it came");
});

test("letters can be read on every colour of seats and pieces", () => {
    const light = (colour) => [1, 3, 5].map((place) => parseInt(colour.slice(place, place + 2), 16) / 255)
        .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)).reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
    for (const theme of ["light", "dark"]) {
        const colours = palette(theme);
        const ground = light(colours.ground);
        for (const name of Object.keys(colours).filter((each) => /^(seat|tone|ink|faint|mark|good|bad|gold)/.test(each))) {
            const other = light(colours[name]);
            const contrast = (Math.max(ground, other) + 0.05) / (Math.min(ground, other) + 0.05);
            assert.ok(contrast >= 4.3, theme + " " + name + ": " + contrast.toFixed(2));
        }
    }
});
