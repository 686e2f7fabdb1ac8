// Pages as pages.cpp makes them, so that a test can put its own data into one (viewer_test.js compares a script of both), and the
// games that were made for the tests.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const source = process.env.REFEREE_SOURCE;
const pages = path.join(source, "referee/watch/pages");
const read = (name) => fs.readFileSync(path.join(pages, name), "utf8");

function withoutMarks(module) {
    return module.split("\n").filter((line) => !line.startsWith("import ")).map((line) => line.replace(/^export /, "")).join("\n");
}

const boardFile = (game) => path.join(source, "engines", game, "board.js");
const games = fs.readdirSync(path.join(source, "engines")).filter((game) => fs.existsSync(boardFile(game))).sort();

// A module as an expression: an object with what it exports.
function asObject(module) {
    const names = Array.from(module.matchAll(/^export function (\w+)/gm), (found) => found[1]);
    return "(function () {\n" + withoutMarks(module) + "return {" + names.map((name) => name + ": " + name).join(", ") + "};\n})()";
}

function boards() {
    return "const boards = {\n" + games.map((game) => game + ": " + asObject(fs.readFileSync(boardFile(game), "utf8"))).join(",\n") + "\n};\n";
}

function modules(page) {
    const line = read("pages.txt").split("\n").find((each) => each.startsWith(page + ": "));
    return line.slice(page.length + 2).trim().split(/\s+/);
}

function script(page) {
    return "(function () {\n\"use strict\";\n" + modules(page).map((each) => (each === "boards" ? boards() : withoutMarks(read(each))) + "\n").join("") + "})();\n";
}

// Of a page that its script draws.
const drawn_body = "<main></main>\n<noscript><p>This page is drawn by a script. Please allow scripts for it.</p></noscript>\n";

const head = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Games</title>\n";

// `data` are pairs of a kind and a value: ["showing", {...}].
function inlined(page, data) {
    const policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">\n";
    const elements = data.map(([kind, value]) => "<script type=\"application/json\" class=\"" + kind + "\">" + JSON.stringify(value).replace(/</g, "\\u003c") + "</script>\n");
    return head + policy + "<style>\n" + read("style.css") + "</style>\n</head>\n<body data-source=\"inline\">\n" + drawn_body + elements.join("") +
        "<script>\n" + script(page) + "</script>\n</body>\n</html>\n";
}

function linked(style, scripts, from) {
    return head + "<link rel=\"stylesheet\" href=\"" + style + "\">\n</head>\n<body data-source=\"" + from + "\">\n" + drawn_body +
        scripts.map((each) => "<script src=\"" + each + "\"></script>\n").join("") + "</body>\n</html>\n";
}

const showing = (name) => JSON.parse(fs.readFileSync(path.join(process.env.PAGES_GAMES, name + ".json"), "utf8"));

module.exports = {asObject, boardFile, games, inlined, linked, modules, read, script, showing, withoutMarks};
