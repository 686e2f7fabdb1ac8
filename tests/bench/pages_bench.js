// Started by pages_bench.py. The canvas is read back after each frame, so that what is measured has really been painted.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const {chromium} = require("playwright-core");

const tests = path.join(process.env.REFEREE_SOURCE, "tests/pages");
const {asObject, boardFile, inlined, read, withoutMarks} = require(path.join(tests, "compose.js"));
const {tournament} = require(path.join(tests, "tournaments.js"));

const folder = process.env.PAGES_GAMES;
const rounds = 3;

function scrub_slider() {
    const slider = document.querySelector(".slider");
    const context = document.querySelector("canvas.board").getContext("2d");
    const last = Number(slider.max);
    const begun = performance.now();
    for (let number = 1; number <= last; ++number) {
        slider.value = number;
        slider.dispatchEvent(new Event("input"));
        context.getImageData(0, 0, 1, 1);
    }
    return last / (performance.now() - begun) * 1000;
}

// Each picture is put into the page and laid out; painting comes on top of that.
function scrub_svg(count) {
    const place = document.querySelector("#place");
    const begun = performance.now();
    for (let number = 1; number <= count; ++number) {
        place.innerHTML = window.picture(number);
        place.getBoundingClientRect();
    }
    return count / (performance.now() - begun) * 1000;
}

function svg_page(showing) {
    const modules = ["palette.js", "pen_svg.js", "patch.js", "film.js"].map((each) => withoutMarks(read(each))).join("\n");
    return "<!doctype html><div id=\"place\"></div><script>" + modules + "\nconst board = " + asObject(fs.readFileSync(boardFile(showing.game), "utf8")) + ";\nconst film = make_film(" +
        JSON.stringify(showing).replace(/</g, "\\u003c") + ");\nwindow.picture = (number) => svg_picture(board, film.showing, film.state(number), film.past(number), palette(\"light\"), 20);</script>";
}

async function main() {
    const browser = await chromium.launch({executablePath: process.env.PAGES_BROWSER, args: process.getuid() === 0 ? ["--no-sandbox"] : []});
    const page = await browser.newPage({viewport: {width: 1280, height: 900}});
    const open = async (name, text) => {
        fs.writeFileSync(path.join(folder, name), text);
        await page.goto("file://" + path.join(folder, name));
    };
    const showing = JSON.parse(fs.readFileSync(path.join(folder, "long.json"), "utf8"));
    const size = showing.state.grid.length + "x" + showing.state.grid[0].length;
    for (let round = 0; round < rounds; ++round) {
        await open("canvas.html", inlined("viewer", [["showing", showing]]));
        console.log("E7 Planets " + size + ", " + showing.frames.length + " turns, canvas: " + Math.round(await page.evaluate(scrub_slider)) + " frames a second");
    }
    await open("svg.html", svg_page(showing));
    console.log("the same as SVG: " + Math.round(await page.evaluate(scrub_svg, 200)) + " frames a second, not yet painted");
    for (let round = 0; round < rounds; ++round) {
        await open("standings.html", inlined("standings", [["standings", tournament(1000)]]));
        const taken = await page.evaluate(() => new Promise((resolve) => window.requestAnimationFrame(() => window.setTimeout(() => resolve(performance.now()), 0))));
        console.log("standings of 1,000 bots: drawn " + Math.round(taken) + " ms after they were asked for");
    }
    await browser.close();
}

main();
