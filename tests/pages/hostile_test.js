// Names and texts of strangers are text: no markup, no script, no direction of writing that turns a row around.
"use strict";
const assert = require("node:assert");
const test = require("node:test");
const {fits, open_all, output_folder, showing, test_page, viewer_page, visit, withBrowser} = require("./browser.js");
const {tournament} = require("./tournaments.js");

withBrowser();

const names = ["<script>alert(1)</script>", "</script><img src=x onerror=alert(2)>", "\u05e9\u05dc\u05d5\u05dd \u202etxt.exe", "\ud83d\ude80".repeat(16), "&lt;b&gt; \"quoted\" 'too'",
               "javascript:alert(3)", "__proto__", "a".repeat(64)];

function hostile_showing(first, second) {
    const film = showing("faults");
    film.bots = [first, second];
    film.game_id = "class/<b>1</b>.1";
    film.frames[0].notes = [{seat: 0, code: "x", message: first, fault: true}];
    film.frames[0].debug = [first, second];
    film.frames[0].moves = [{go: first}, second];
    film.faults[0].message = second;
    film.faults[0].evidence = {received: first, [second]: second};
    film.result.reason = first;
    return film;
}

for (let i = 0; i < names.length; i += 2) {
    test_page("a game of " + JSON.stringify(names[i]) + " and " + JSON.stringify(names[i + 1]),
        () => viewer_page("hostile.html", hostile_showing(names[i], names[i + 1])) + "#turn=1", {viewport: {width: 390, height: 844}}, async (page) => {
        await open_all(page);
        const shown = await page.locator(".seats bdi").allTextContents();
        assert.deepStrictEqual(shown, [names[i], names[i + 1]]);
        assert.strictEqual(await page.locator("img, main script, main b").count(), 0);
        assert.strictEqual(await page.locator(".game-id").textContent(), "class/<b>1</b>.1");
        await fits(page);  // long names break
    });
}

test_page("right-to-left names leave a row's numbers where they are",
    () => viewer_page("hebrew.html", hostile_showing(names[2], "bob")), {}, async (page) => {
    const x = async (selector) => (await page.locator(selector).boundingBox()).x;
    assert.ok(await x(".seats tbody tr:first-child th .chip") < await x(".seats tbody tr:first-child th bdi"));
    const parts = await page.locator(".faults summary").evaluateAll((all) => all.map((each) => window.getComputedStyle(each.querySelector("bdi")).unicodeBidi));
    assert.ok(parts.length > 0 && parts.every((each) => each === "isolate"), String(parts));
});

test("standings of hostile names", async () => {
    const data = tournament(names.length, (index) => names[index]);
    data.tournament = names[1];
    data.certainty = names[0];
    await visit(output_folder("hostile_standings", data), {}, async (page) => {
        await open_all(page);
        assert.deepStrictEqual(await page.locator(".ranking tbody bdi").allTextContents(), names);
        assert.strictEqual(await page.locator("h1").textContent(), names[1]);
        assert.strictEqual(await page.locator("img, main script, main b").count(), 0);
        assert.deepStrictEqual(await page.locator(".cross tbody bdi").allTextContents(), names);
    });
});
