// What the accessibility checker says of each page, in light and, on a phone, in dark; a reader's wish for no motion.
"use strict";
const assert = require("node:assert");
const test = require("node:test");
const {games, read} = require("./compose.js");
const {file, findings, fits, open_all, output_folder, showing, soon, test_page, viewer_page, visit, withBrowser, write} = require("./browser.js");
const {tournament} = require("./tournaments.js");

withBrowser();

const pages = [];
for (const name of [...games, "faults"]) {
    pages.push([name, () => viewer_page(name + ".html", showing(name)) + "#turn=2"]);
}
pages.push(["games", () => "file://" + file("games.html")]);
pages.push(["standings", () => output_folder("standings", tournament(8))]);

for (const [theme, viewport] of [["light", {width: 1280, height: 900}], ["dark", {width: 390, height: 844}]]) {
    for (const [name, make] of pages) {
        test_page(name + " in " + theme + " has no violation, and is no wider than the window", make, {colorScheme: theme, viewport}, async (page) => {
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
    }
}

// A page of a server that is its words alone, on a phone.
async function on_a_phone(name, html, look) {
    const page = "<!DOCTYPE html><html lang=\"en\"><head><title>T</title><style>" + read("style.css") + "</style></head><body><main>" + html + "</main></body></html>";
    await visit(write(name, page), {viewport: {width: 390, height: 844}}, look);
}

test("a story's broken lines go on behind where their words begin", async () => {
    const words = "received 30.956 ms, 0.428 ms after the turn was sent, and more";
    const html = [0, 1, 2].map((steps) => `<span class="in${steps}">${" ".repeat(4 * steps)}${words}\n</span>`).join("");
    await on_a_phone("story.html", "<pre class=\"story\">" + html + "</pre>", async (page) => {
        for (const line of await page.locator(".story span").all()) {
            const [first, second] = await line.evaluate((each) => {
                const text = each.firstChild;
                const left = (at) => { const range = document.createRange(); range.setStart(text, at); range.setEnd(text, at + 1); return range.getBoundingClientRect(); };
                const begin = text.data.search(/\S/);
                const broken = Array.from(text.data, (_, at) => at).find((at) => at > begin && left(at).top > left(begin).top);
                return [left(begin).left, left(broken).left];
            });
            assert.ok(second > first, second + " is no further than " + first);
        }
    });
});

test("a phone shows no label of a cell that is empty", async () => {
    const html = "<table><tbody><tr class=\"mine\"><td>t/1.1</td><td>ann</td><td data-head=\"Place\"></td><td data-head=\"Score\"></td><td data-head=\"Faults\">1</td></tr></tbody></table>";
    await on_a_phone("mine.html", html, async (page) => {
        assert.deepStrictEqual(await page.locator("td").evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().width > 0)), [true, true, false, false, true]);
    });
});

test_page("everything can be reached by the tab key, and is seen to be", pages[0][1], {}, async (page) => {
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

test_page("the board is painted anew when the system turns dark", pages[0][1], {colorScheme: "light"}, async (page) => {
    const corner = () => page.evaluate(() => Array.from(document.querySelector("canvas.board").getContext("2d").getImageData(2, 2, 1, 1).data.slice(0, 3)));
    assert.deepStrictEqual(await corner(), [255, 255, 255]);
    await page.emulateMedia({colorScheme: "dark"});
    await soon(async () => assert.deepStrictEqual(await corner(), [18, 22, 28]));
});
