// A daemon's own pages, served by the built program while bots play: the accessibility checker, a phone's width, and what they show.
// With PAGES_PICTURES, a folder, pictures of all of them are left there.
"use strict";
const assert = require("node:assert");
const {execFileSync, spawn} = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const {after, before, test} = require("node:test");
const {findings, visit, withBrowser} = require("./browser.js");

withBrowser();

const referee = path.join(process.env.REFEREE_BIN, "referee");
const place = fs.mkdtempSync(path.join(os.tmpdir(), "referee-pages-"));
const out = path.join(place, "out");
const begun_ms = 60000;
let daemon = null;
let origin = "";

const config = {
    listen: {port: 0, web: {port: 0}}, control: {token: "the admin's token"},
    bots: [{name: "ann", launch: ["walls-minimax"]}, {name: "eve", launch: ["walls-minimax"]}, {name: "<b>bob</b>", launch: ["walls-random"]}, {name: "cy", launch: ["walls-random"]},
           {name: "gil", launch: ["walls-minimax"]}, {name: "hal", launch: ["walls-minimax"]}],
    tournaments: [{id: "practice", game: "walls", params: {size: 9}, clock: {budget: "1s"}, bots: ["ann", "eve"], match: {games: 1000}},
                  {id: "quick", game: "walls", params: {size: 3}, clock: {budget: "1s"}, bots: ["<b>bob</b>", "cy"], format: {kind: "round_robin", cycles: 100}},
                  {id: "short", game: "walls", params: {size: 5}, clock: {budget: "150ms"}, bots: ["gil", "hal"], format: {kind: "round_robin", cycles: 200}}]
};

async function until(look, what) {
    const deadline = Date.now() + begun_ms;
    for (;;) {
        const found = await Promise.resolve().then(look).catch(() => null);
        if (found) { return found; }
        assert.ok(Date.now() < deadline, "no " + what);
        await new Promise((go_on) => setTimeout(go_on, 200));
    }
}

const answer = (where) => fetch(origin + where).then((given) => (given.ok ? given.json() : null));

before(async () => {
    fs.writeFileSync(path.join(place, "c.json"), JSON.stringify(config));
    const log = fs.openSync(path.join(place, "log"), "a");
    daemon = spawn(referee, ["serve", path.join(place, "c.json"), "--out", out, "--unsandboxed"], {stdio: ["ignore", log, log]});
    origin = await until(() => JSON.parse(execFileSync(referee, ["ctl", "--out", out, "status", "--json"], {stdio: ["ignore", "pipe", "ignore"]})).listening_web.replace(/\/$/, ""), "daemon");
    await until(() => answer("/api/v1/tournaments/quick/games").then((told) => told && told.total > 3), "games");
});
after(() => {
    daemon.kill();
    fs.rmSync(place, {recursive: true, force: true});
});

// Each page, and what shows that it is drawn.
const pages = {
    home: ["/", "main li"], me: ["/me", "form"], wall: ["/wall", ".card canvas"], bot: ["/t/quick/bots/" + encodeURIComponent("<b>bob</b>"), ".bars .bar"],
    standings: ["/t/quick", ".ranking tbody tr"], game: [null, "canvas.board"]
};

async function path_of(name) {
    if (name !== "game") { return pages[name][0]; }
    const {games} = await answer("/api/v1/tournaments/quick/games");
    return "/g/" + games[0].game_id;
}

const shapes = {desktop: {width: 1280, height: 900}, phone: {width: 390, height: 844}};
for (const [shape, viewport] of Object.entries(shapes)) {
    for (const theme of ["light", "dark"]) {
        for (const name of Object.keys(pages)) {
            test(name + " on a " + shape + " in " + theme, async () => {
                await visit(origin + await path_of(name), {viewport, colorScheme: theme, allowed: origin}, async (page) => {
                    await page.locator(pages[name][1]).first().waitFor();
                    await page.waitForTimeout(300);
                    if (process.env.PAGES_PICTURES) {
                        await page.screenshot({path: path.join(process.env.PAGES_PICTURES, [name, shape, theme].join("-") + ".png"), fullPage: shape === "phone"});
                    }
                    assert.deepStrictEqual(await findings(page), []);
                    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= viewport.width, "no wider than the window");
                    assert.strictEqual(await page.locator("nav.pages a[href='/']").count(), 1, "a way home");
                    assert.strictEqual(await page.locator("b").count(), 0, "a name is no markup");
                });
            });
        }
    }
}

test("the wall follows games, and leads to each by the keyboard", async () => {
    await visit(origin + "/wall", {allowed: origin}, async (page) => {
        const stood = page.locator(".card .stood").first();
        await stood.waitFor();
        const first = await stood.textContent();
        await page.waitForFunction((was) => document.querySelector(".card .stood") && document.querySelector(".card .stood").textContent !== was, first);
        const link = page.locator(".card a").first();
        await link.focus();
        assert.match(await page.locator("canvas.small").first().getAttribute("aria-label"), /^Turn \d+\. ./);
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => window.location.pathname.startsWith("/g/"));
    });
});

test("the wall hangs the newest games first, and those that are over leave", async () => {
    await visit(origin + "/wall", {allowed: origin}, async (page) => {
        const ids = () => page.locator(".card .game-id").allTextContents();
        const short = (list) => list.filter((id) => id.startsWith("short/"));
        // Each lasts some seconds, and stands for some more when it is over; the game of the other tournament goes on and on.
        const some = await until(async () => { const list = await ids(); return short(list).length > 0 && list.length > 1 && list; }, "several games");
        const number = (id) => Number(id.split("/")[1].split(".")[0]);
        await until(async () => { const list = await ids(); return short(list).some((id) => number(id) > number(short(some)[0])) && list; }, "newer game");
        const list = await ids();
        const numbers = short(list).map(number);
        assert.deepStrictEqual(numbers, numbers.slice().sort((one, other) => other - one), "the newest first");
        assert.match(list[list.length - 1], /^practice/, "the game that began first stands last: " + list);
        await until(async () => !(await ids()).includes(short(some)[0]), "end of a game that is over");
    });
});

test("a bot's times have the line of the budget, and nobody has no page", async () => {
    await visit(origin + "/t/quick/bots/cy", {allowed: origin}, async (page) => {
        await page.locator(".bars .bar").first().waitFor();
        const line = await page.locator(".bars .budget").boundingBox();
        const bar = await page.locator(".bars .bar").first().boundingBox();
        assert.ok(line.width >= bar.width && line.y < bar.y, "moves of some microseconds are below a second");
        await page.getByText("the line is the budget, 1.00 s a turn").waitFor();
    });
    const nobody = await fetch(origin + "/t/quick/bots/nobody");
    assert.strictEqual(nobody.status, 404);
    const text = await nobody.text();
    assert.ok(text.includes("expected the name of a bot") && text.includes("href=\"/\""), text);
});

test("a bot's page leads to its games, and standings lead to it", async () => {
    await visit(origin + "/t/quick", {allowed: origin}, async (page) => {
        await page.getByText("Ranked by points, then").waitFor();
        await page.locator(".ranking a").filter({hasText: "cy"}).click();
        await page.getByRole("heading", {name: "cy"}).waitFor();
        assert.ok(await page.locator("table").last().locator("tbody tr").count() > 0);
        await page.locator("tbody th a").first().click();
        await page.locator("canvas.board").waitFor();
    });
});

test("a review that lies beside the replay is shown, and one of another game isn't", async () => {
    const {games} = await answer("/api/v1/tournaments/quick/games");
    const file = (id, ending) => path.join(out, "quick", "games", id.replace("/", "_") + ending);
    const [mine, other] = [games[0].game_id, games[1].game_id];
    await visit(origin + "/g/" + mine, {allowed: origin}, async (page) => {
        await page.getByText("Where was it lost?").click();
        assert.match(await page.locator(".unreviewed pre").textContent(), /^referee review quick_\d+\.\d+\.ndjson /);
        assert.strictEqual(await page.locator(".review").count(), 0);
    });
    assert.strictEqual((await fetch(origin + "/api/v1/games/" + mine + "/review")).status, 404);
    execFileSync(referee, ["review", file(mine, ".ndjson"), "--playouts", "6", "--beside"], {stdio: "ignore"});
    const review = await answer("/api/v1/games/" + mine + "/review");
    assert.strictEqual(review.game_id, mine);
    await visit(origin + "/g/" + mine, {allowed: origin}, async (page) => {
        await page.locator(".review .standing").waitFor();
        assert.strictEqual(await page.locator(".review ol > li").count(), review.lost.length);
        assert.strictEqual(await page.locator(".unreviewed, b").count(), 0);
        assert.deepStrictEqual(await findings(page), []);
    });
    fs.copyFileSync(file(mine, ".review.json"), file(other, ".review.json"));
    const foreign = await fetch(origin + "/api/v1/games/" + other + "/review");
    assert.strictEqual((await foreign.json()).error.code, "wrong_review");
    await visit(origin + "/g/" + other, {allowed: origin}, async (page) => {
        await page.locator("canvas.board").waitFor();
        assert.strictEqual(await page.locator(".review").count(), 0);
        assert.ok(await page.locator(".unreviewed").isVisible());
    });
});

test("on a projector of 1920x1080 all of the timeline is seen", async () => {
    await visit(origin + await path_of("game"), {viewport: {width: 1920, height: 1080}, allowed: origin}, async (page) => {
        await page.locator(".slider").waitFor();
        await page.keyboard.press("p");
        await page.waitForTimeout(300);
        const box = await page.locator(".slider").boundingBox();
        if (process.env.PAGES_PICTURES) { await page.screenshot({path: path.join(process.env.PAGES_PICTURES, "projector.png")}); }
        assert.ok(box.y + box.height <= 1080, "the slider ends at " + (box.y + box.height));
    });
});
