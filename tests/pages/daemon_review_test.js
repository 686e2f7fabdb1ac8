// A review beside a replay of a daemon that plays on.
// calm: a review gives way to whatever else the machine does.
"use strict";
const assert = require("node:assert");
const {execFileSync} = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const {test} = require("node:test");
const {findings, visit, withBrowser} = require("./browser.js");
const {answer, origin, out, referee, withDaemon} = require("./daemon.js");

withBrowser();
withDaemon();

test("a review that lies beside the replay is shown, and one of another game isn't", async () => {
    const {games} = await answer("/api/v1/tournaments/quick/games");
    const file = (id, ending) => path.join(out, "quick", "games", id.replace("/", "_") + ending);
    const [mine, other] = [games[0].game_id, games[1].game_id];
    await visit(origin() + "/g/" + mine, {allowed: origin()}, async (page) => {
        await page.getByText("Where was it lost?").click();
        assert.match(await page.locator(".unreviewed pre").textContent(), /^referee review quick_\d+\.\d+\.ndjson /);
        assert.strictEqual(await page.locator(".review").count(), 0);
    });
    assert.strictEqual((await fetch(origin() + "/api/v1/games/" + mine + "/review")).status, 404);
    // In a session of its own, because it gives way to whatever its session does.
    execFileSync("setsid", ["--wait", referee, "review", file(mine, ".ndjson"), "--playouts", "6", "--beside"], {stdio: "ignore"});
    const review = await answer("/api/v1/games/" + mine + "/review");
    assert.strictEqual(review.game_id, mine);
    await visit(origin() + "/g/" + mine, {allowed: origin()}, async (page) => {
        await page.locator(".review .standing").waitFor();
        assert.strictEqual(await page.locator(".review ol > li").count(), review.lost.length);
        assert.strictEqual(await page.locator(".unreviewed, b").count(), 0);
        assert.deepStrictEqual(await findings(page), []);
    });
    fs.copyFileSync(file(mine, ".review.json"), file(other, ".review.json"));
    const foreign = await fetch(origin() + "/api/v1/games/" + other + "/review");
    assert.strictEqual((await foreign.json()).error.code, "wrong_review");
    await visit(origin() + "/g/" + other, {allowed: origin()}, async (page) => {
        await page.locator("canvas.board").waitFor();
        assert.strictEqual(await page.locator(".review").count(), 0);
        assert.ok(await page.locator(".unreviewed").isVisible());
    });
});
