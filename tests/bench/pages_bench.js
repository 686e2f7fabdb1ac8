// Started by pages_bench.py. The canvas is read back after each frame, so that what is measured has really been painted.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const {chromium} = require("playwright-core");

const tests = path.join(process.env.REFEREE_SOURCE, "tests/pages");
const {output_folder} = require(path.join(tests, "browser.js"));
const {inlined} = require(path.join(tests, "compose.js"));
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
    for (let round = 0; round < rounds; ++round) {
        await page.goto(output_folder("standings", tournament(1000)));
        const taken = await page.evaluate(() => new Promise((resolve) => window.requestAnimationFrame(() => window.setTimeout(() => resolve(performance.now()), 0))));
        console.log("standings of 1,000 bots: drawn " + Math.round(taken) + " ms after they were asked for");
    }
    await browser.close();
}

main();
