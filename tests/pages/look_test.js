// What the accessibility checker says of each page, in light and, on a phone, in dark; a reader's wish for no motion.
"use strict";
const assert = require("node:assert");
const test = require("node:test");
const {inlined} = require("./compose.js");
const {file, findings, fits, open_all, output_folder, showing, soon, visit, withBrowser, write} = require("./browser.js");
const {tournament} = require("./tournaments.js");

withBrowser();

const pages = [];
for (const name of ["walls", "faults", "e7_planets", "light_cycles", "snake_labyrinth", "superball"]) {
    pages.push([name, () => write(name + ".html", inlined("viewer", [["showing", showing(name)]])) + "#turn=2"]);
}
pages.push(["games", () => "file://" + file("games.html")]);
pages.push(["standings", () => output_folder("standings", tournament(8))]);

for (const [theme, viewport] of [["light", {width: 1280, height: 900}], ["dark", {width: 390, height: 844}]]) {
    for (const [name, make] of pages) {
        test(name + " in " + theme + " has no violation, and is no wider than the window", async () => {
            await visit(make(), {colorScheme: theme, viewport}, async (page) => {
                await open_all(page);
                assert.deepStrictEqual(await findings(page), []);
                await fits(page);
                if (name === "walls") {
                    await page.keyboard.press("h");
                    assert.deepStrictEqual(await findings(page), [], "with help");
                    await page.keyboard.press("Escape");
                    await page.locator("dialog.help").waitFor({state: "hidden"});
                    await page.keyboard.press("p");
                    await page.locator("body.projector").waitFor();
                    assert.deepStrictEqual(await findings(page), [], "on a projector");
                }
            });
        });
    }
}

test("everything can be reached by the tab key, and is seen to be", async () => {
    await visit(pages[0][1](), {}, async (page) => {
        const reached = new Set();
        for (let i = 0; i < 40; ++i) {
            await page.keyboard.press("Tab");
            const found = await page.evaluate(() => {
                const at = document.activeElement;
                return at === document.body ? null : [at.tagName + " " + (at.getAttribute("aria-label") || at.textContent), window.getComputedStyle(at).outlineStyle];
            });
            if (found) {
                assert.notStrictEqual(found[1], "none", found[0]);
                reached.add(found[0]);
            }
        }
        for (const wanted of ["BUTTON Next frame", "BUTTON Help", "INPUT Turn", "A Link to this turn", "SUMMARY What the shapes mean"]) { assert.ok(reached.has(wanted), wanted + " of " + [...reached]); }
    });
});

test("the board is painted anew when the system turns dark", async () => {
    await visit(pages[0][1](), {colorScheme: "light"}, async (page) => {
        const corner = () => page.evaluate(() => Array.from(document.querySelector("canvas.board").getContext("2d").getImageData(2, 2, 1, 1).data.slice(0, 3)));
        assert.deepStrictEqual(await corner(), [255, 255, 255]);
        await page.emulateMedia({colorScheme: "dark"});
        await soon(async () => assert.deepStrictEqual(await corner(), [18, 22, 28]));
    });
});
