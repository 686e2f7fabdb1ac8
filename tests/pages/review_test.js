// A game with its review: the curve in the timeline, the words beside the board, the turns that cost most one click away.
// calm: a review gives way to whatever else the machine does.
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const test = require("node:test");
const {file, findings, showing, stood, test_page, viewer_page, visit, withBrowser} = require("./browser.js");

withBrowser();

const reviewed = (game) => JSON.parse(fs.readFileSync(file(game + ".review.json"), "utf8"));
const address = (game) => "file://" + file(game + ".review.html");

// Pixels of the timeline that are not empty, in its lowest part, where the review's curve stands.
const painted = (page) => page.evaluate(() => {
    const canvas = document.querySelector("canvas.lanes");
    const ratio = canvas.height / canvas.clientHeight;
    const high = Math.round(50 * ratio);
    const data = canvas.getContext("2d").getImageData(0, canvas.height - high, canvas.width, high).data;
    let count = 0;
    for (let at = 3; at < data.length; at += 4) { count += data[at] ? 1 : 0; }
    return count / (data.length / 4);
});

for (const game of ["walls", "superball"]) {
    const review = reviewed(game);

    test_page(game + ": tells how the game stood at each turn", () => address(game), {}, async (page) => {
        const standing = page.locator(".review .standing");
        const first = review.points[0].seats[review.seat];
        assert.match(await standing.textContent(), /^Before turn 1: /);
        const shown = review.scale === "share" ? first.value.toFixed(2) : String(Math.round(first.value * 10) / 10);
        assert.ok((await standing.textContent()).includes(shown), await standing.textContent());
        await page.keyboard.press("End");
        assert.match(await standing.textContent(), /^At the end: .*as it ended/);
        assert.ok(await painted(page) > 0.01, "the curve is drawn");
        assert.deepStrictEqual(await findings(page), []);
    });

    test_page(game + ": each turn that cost much is one click away, and what was assumed can be read", () => address(game), {}, async (page) => {
        const rows = page.locator(".review ol > li");
        assert.strictEqual(await rows.count(), review.lost.length);
        for (const [at, lost] of review.lost.entries()) {
            assert.ok((await rows.nth(at).textContent()).includes(lost.told));
            await rows.nth(at).getByRole("button", {name: "Show turn " + lost.turn}).click();
            assert.strictEqual(await stood(page), "Turn " + lost.turn + " of " + review.turns);
            await rows.nth(at).getByRole("button", {name: "Show before turn " + lost.turn}).click();
            assert.strictEqual(await stood(page), "Turn " + (lost.turn - 1) + " of " + review.turns);
        }
        await page.locator(".review summary").click();
        for (const text of review.assumed) { assert.ok(await page.locator(".review details li", {hasText: text}).isVisible(), text); }
    });
}

test_page("a record that the rules speak against is told, and what numbers mean", () => address("altered"), {}, async (page) => {
    const {differences, remarks} = reviewed("altered");
    for (const text of [...differences, ...remarks]) { assert.ok(await page.locator(".review").getByText(text).isVisible(), text); }
    assert.ok(await page.locator(".review .differences").isVisible());
    assert.deepStrictEqual(await findings(page), []);
    assert.strictEqual(reviewed("walls").differences, undefined);
});

test("a game that nobody has reviewed shows the command that does", async () => {
    const odd = showing("walls");
    odd.game_id = "it's; rm/1.1";
    odd.result.outcome.placing = [1, 2];
    await visit(viewer_page("odd_unreviewed.html", odd), {}, async (page) => {
        await page.getByText("Where was it lost?").click();
        const command = page.locator(".unreviewed pre");
        assert.strictEqual(await command.textContent(), "referee review 'it'\\''s; rm_1.1.ndjson' --seat 1 --html 'it'\\''s; rm_1.1.review.html'", "who lost");
        await page.locator("#review-seat").selectOption({index: 0});
        assert.match(await command.textContent(), / --seat 0 /);
        assert.deepStrictEqual(await findings(page), []);
    });
    const live = showing("walls");
    live.live = true;
    await visit(viewer_page("live_unreviewed.html", live), {}, async (page) => {
        await page.locator(".stood").waitFor();
        assert.ok(!await page.locator(".unreviewed").isVisible(), "a game that goes on");
    });
});

test("a name in a review stays text, and a game without one has nothing of it", async () => {
    const named = showing("walls");
    named.review = reviewed("walls");
    named.bots[named.review.seat] = "<img src=x onerror=alert(1)>";
    if (named.review.lost.length) { named.review.lost[0].told = "<script>alert(1)</script>"; }
    named.review.remarks = ["<img src=x onerror=alert(2)>"];
    named.review.differences = ["<img src=x onerror=alert(3)>"];
    await visit(viewer_page("hostile_review.html", named), {}, async (page) => {
        assert.ok((await page.locator(".review h2").textContent()).includes("<img src=x"));
        assert.strictEqual(await page.locator(".review img, .review script").count(), 0);
    });
    await visit(viewer_page("unreviewed.html", showing("walls")), {}, async (page) => {
        await page.locator(".stood").waitFor();
        assert.strictEqual(await page.locator(".review").count(), 0);
    });
});
