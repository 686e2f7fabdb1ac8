// Started by screenshots.py: a picture of each page in each light and size.
"use strict";
const path = require("node:path");
const {chromium} = require("playwright-core");
const {output_folder} = require("./browser.js");
const {tournament} = require("./tournaments.js");

const folder = process.env.PAGES_GAMES;
const looks = {
    light: {viewport: {width: 1280, height: 900}, colorScheme: "light"},
    dark: {viewport: {width: 1280, height: 900}, colorScheme: "dark"},
    phone: {viewport: {width: 390, height: 844}, colorScheme: "light", deviceScaleFactor: 2},
    projector: {viewport: {width: 1920, height: 1080}, colorScheme: "dark"}
};
const settled_ms = 500;

async function main() {
    const browser = await chromium.launch({executablePath: process.env.PAGES_BROWSER, args: process.getuid() === 0 ? ["--no-sandbox"] : []});
    const pages = Object.entries(JSON.parse(process.env.PAGES_TURNS)).map(([name, turn]) => [name, "#turn=" + turn]);
    const standings = output_folder("standings", tournament(12));
    pages.push(["standings", ""]);
    for (const [look, options] of Object.entries(looks)) {
        const page = await browser.newPage(options);
        for (const [name, place] of pages) {
            // A page that was there already would only be scrolled.
            await page.goto("about:blank");
            await page.goto(name === "standings" ? standings : "file://" + path.join(folder, name + ".html") + place);
            if (look === "projector" && name !== "standings") { await page.keyboard.press("p"); }
            if (name === "faults") { await page.evaluate(() => document.querySelectorAll("details").forEach((each) => { each.open = true; })); }
            await page.waitForTimeout(settled_ms);
            await page.screenshot({path: path.join(process.env.PAGES_OUT, name + "-" + look + ".png"), fullPage: look === "phone"});
        }
        await page.close();
    }
    await browser.close();
}

main();
