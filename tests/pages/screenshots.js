// Started by screenshots.py: a picture of each page in each light and size.
"use strict";
const path = require("node:path");
const {file, open_all, output_folder, test_page, withBrowser} = require("./browser.js");
const {tournament} = require("./tournaments.js");

withBrowser();

const looks = {
    light: {viewport: {width: 1280, height: 900}, colorScheme: "light"},
    dark: {viewport: {width: 1280, height: 900}, colorScheme: "dark"},
    phone: {viewport: {width: 390, height: 844}, colorScheme: "light", deviceScaleFactor: 2},
    projector: {viewport: {width: 1920, height: 1080}, colorScheme: "dark"}
};
const settled_ms = 500;
const pages = Object.entries(JSON.parse(process.env.PAGES_TURNS)).map(([name, turn]) => [name, () => "file://" + file(name + ".html") + "#turn=" + turn]);
pages.push(["standings", () => output_folder("standings", tournament(12))]);

for (const [look, options] of Object.entries(looks)) {
    for (const [name, address] of pages) {
        test_page(name + " " + look, address, options, async (page) => {
            if (look === "projector" && name !== "standings") { await page.keyboard.press("p"); }
            if (name === "faults") { await open_all(page); }
            await page.waitForTimeout(settled_ms);
            await page.screenshot({path: path.join(process.env.PAGES_OUT, name + "-" + look + ".png"), fullPage: look === "phone"});
        });
    }
}
