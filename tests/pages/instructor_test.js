// The instructor's page: each order is told first, done when it is confirmed, and recorded as one of ctl.
"use strict";
const assert = require("node:assert");
const {execFileSync} = require("node:child_process");
const {test} = require("node:test");
const {findings, fits, keeps_keyboard, visit, withBrowser} = require("./browser.js");
const {answer, origin, out, referee, until, withDaemon} = require("./daemon.js");

withBrowser();
withDaemon();

const status = () => JSON.parse(execFileSync(referee, ["ctl", "--out", out, "status", "--json"], {encoding: "utf8"}));
const tournament = (id) => status().tournaments.find((each) => each.id === id);

async function logged_in(look, options = {}) {
    await visit(origin() + "/instructor", {told: /status of 401/, ...options}, async (page) => {
        await page.getByLabel("Admin token").fill("a guess");
        await page.getByRole("button", {name: "Log in"}).click();
        await page.getByText("that is not the admin token").waitFor();
        await page.getByLabel("Admin token").fill("the admin's token");
        await page.getByRole("button", {name: "Log in"}).click();
        await page.locator("#state td").first().waitFor();
        await page.waitForLoadState();  // with its style sheet
        await look(page);
    });
}

// Fills a form in and asks what it would do.
async function asked(page, title, fields) {
    const form = page.getByRole("form", {name: title});
    for (const [label, value] of Object.entries(fields)) {
        const field = form.getByLabel(label);
        if (value === true) { await field.check(); } else if (label === "Tournament") { await field.selectOption(value); } else { await field.fill(value); }
    }
    await form.getByRole("button", {name: "What would it do?"}).click();
    return form;
}

async function ordered(page, title, fields, before, after) {
    const form = await asked(page, title, fields);
    await form.getByText(before).waitFor();
    await form.getByRole("button", {name: "Do it"}).dblclick();
    await form.getByRole("button", {name: "Do it"}).waitFor({state: "detached"});
    await form.getByText(after || before).waitFor();
}

test("each order is told, then done once, however often that is pressed", async () => {
    await logged_in(async (page) => {
        let done = 0;
        page.on("request", (sent) => { if ((sent.postData() || "").includes("confirmed=yes")) { done += 1; } });
        assert.deepStrictEqual(await findings(page), []);
        const {games} = await until(() => answer("/api/v1/tournaments/short/games").then((told) => told && told.total > 0 && told), "a game that is over");
        const pause = {Tournament: "short", Reason: "lunch"};
        const form = await asked(page, "Pause a tournament", pause);
        await form.getByRole("button", {name: "Leave it"}).click();
        assert.strictEqual(tournament("short").state, "running", "it was only asked");
        await ordered(page, "Pause a tournament", pause, "short is paused: no game begins");
        assert.strictEqual(tournament("short").state, "paused");
        assert.strictEqual(tournament("short").reason, "lunch");
        await page.locator("#state").getByText("lunch").waitFor();
        await ordered(page, "Resume a tournament", {Tournament: "short"}, "short goes on");
        assert.strictEqual(tournament("short").state, "running");
        await ordered(page, "Start a tournament", {Tournament: "later"}, "later begins with 2 bots");
        const annul = {Game: games[0].game_id, Reason: "the network was down"};
        await ordered(page, "Annul a game, which is played again", annul, "is annulled and will be played again");
        await ordered(page, "Withdraw a bot", {Bot: "hal", Tournament: "short", Reason: "asked for"}, "hal is withdrawn from short");
        await page.getByRole("region", {name: "Bots"}).locator("tr", {hasText: "hal"}).getByText("withdrawn from short").waitFor();
        await ordered(page, "Withdraw a bot", {Bot: "cy", Tournament: "later", Reason: "asked for"}, "cy is withdrawn from later");
        await ordered(page, "Admit a bot, also again", {Bot: "cy", Tournament: "later"}, "cy takes part in later from now on");
        await keeps_keyboard(page.getByRole("region", {name: "Bots"}).getByRole("link").first());
        await ordered(page, "Give a new token", {Bot: "zed", "also for a new name": true}, "zed gets a new token", /The new token of zed, which is shown once: \S+/);
        assert.strictEqual(done, 8);
    });
});

test("on a phone it is no wider than the window: what comes next, bots at fault first, and names and games to choose from", async () => {
    await logged_in(async (page) => {
        await fits(page);
        assert.deepStrictEqual(await findings(page), []);
        assert.match(await page.getByRole("region", {name: "Tournaments"}).locator("tr", {hasText: "done"}).textContent(), /finished1/);
        const rows = page.getByRole("region", {name: "Bots"}).locator("tbody tr");
        assert.match(await rows.filter({hasText: "dud"}).textContent(), /^dud( withdrawn from later)?[1-9]\d+here/);
        const bots = page.getByRole("region", {name: "Bots"});
        assert.ok(await bots.evaluate((each) => each.scrollHeight <= each.clientHeight), "all bots are seen");
        const faults = (await rows.locator("td:nth-child(2)").allTextContents()).map(Number);
        assert.deepStrictEqual(faults, faults.slice().sort((one, other) => other - one));
        assert.strictEqual(await page.locator("#bots option[value=dud]").count(), 1);
        assert.strictEqual(await page.locator("#games option[value='done/1.2']").count(), 1);
    }, {viewport: {width: 390, height: 844}});
});

test("what can't be done is said, and nothing is offered", async () => {
    await logged_in(async (page) => {
        const form = await asked(page, "Annul a game, which is played again", {Game: "no game", Reason: "none"});
        await form.getByText("\"no game\" is no game's id; expected one such as friday/12.1").waitFor();
        assert.strictEqual(await form.getByRole("button", {name: "Do it"}).count(), 0);
    });
});
