// A daemon's own pages, served by the built program while bots play: the accessibility checker, a phone's width, and what they show.
"use strict";
const assert = require("node:assert");
const {test} = require("node:test");
const {findings, fits, frames, keeps_keyboard, soon, test_page, visit, withBrowser} = require("./browser.js");
const {answer, origin, until, withDaemon} = require("./daemon.js");

withBrowser();
withDaemon();

const game = async (at = 0) => "/g/" + (await answer("/api/v1/tournaments/quick/games")).games[at].game_id;
const match_of_short = () => until(() => answer("/api/v1/tournaments/short/bot?name=gil%2F1").then((told) => told.against.length > 0), "match of gil/1");

// Each page, and what shows that it is drawn.
const pages = {
    home: ["/", ".leaders td"], instructor: ["/instructor", "form"], screen: ["/wall/quick", ".screen td"], won: ["/wall/done", ".winner"], me: ["/me", "form"], wall: ["/wall", ".card canvas"], bot: ["/t/quick/bots/" + encodeURIComponent("<b>bob</b>"), ".bars .bar"],
    standings: ["/t/quick", ".part table td"], game: [null, "canvas.board"]
};

// Each shape with a theme: a theme changes colours alone.
for (const [shape, theme, viewport] of [["desktop", "light", {width: 1400, height: 900}], ["phone", "dark", {width: 390, height: 844}]]) {
    for (const [name, [path, drawn]] of Object.entries(pages)) {
        test_page(name + " on a " + shape + " in " + theme, async () => origin() + (path || await game()), {viewport, colorScheme: theme}, async (page) => {
            await page.locator(drawn).first().waitFor();
            await frames(page);
            assert.deepStrictEqual(await findings(page), []);
            await fits(page);
            assert.strictEqual(await page.locator("nav.pages a[href='/']").count(), 1, "a way home");
            assert.strictEqual(await page.locator("b").count(), 0, "a name is no markup");
        });
    }
}

test_page("on a phone each field stands beside its label, and what a form is answered beneath that form, as trouble",
    () => origin() + "/me", {told: /status of 401/, viewport: {width: 390, height: 844}}, async (page) => {
    const [login, register] = [page.locator("form").nth(0), page.locator("form").nth(1)];
    for (const label of await page.locator("form label").all()) {
        const lines = await label.evaluate((each) => {
            const words = document.createRange();
            words.selectNode(each.firstChild);
            const [text, field] = [words.getClientRects(), each.querySelector("input").getBoundingClientRect()];
            return [text.length, text[0].bottom > field.top && text[0].top < field.bottom];
        });
        assert.deepStrictEqual(lines, [1, true], await label.textContent());
    }
    await login.getByLabel("Name").fill("nobody");
    await login.getByLabel("Token").fill("a guess");
    await login.getByRole("button", {name: "Log in"}).click();
    await login.locator(".trouble").filter({hasText: "no bot of this name"}).waitFor();
    assert.strictEqual(await register.locator("[role=status]").textContent(), "");
    assert.deepStrictEqual(await findings(page), []);
});

test_page("home has the course's name, what is on, what comes next, and who leads", async () => await match_of_short() && origin() + "/", {}, async (page) => {
    assert.strictEqual(await page.locator("h1").textContent(), "Programming <bots>");
    assert.match(await page.locator("section", {hasText: "Next"}).locator("li").textContent(), /^later: walls, begins by order/);
    assert.match(await page.locator("section", {hasText: "Over"}).locator("li", {hasText: "done"}).textContent(), /^done: walls, .*won by eli$/);
    assert.strictEqual(await page.getByRole("link", {name: "For the instructor"}).getAttribute("href"), "/instructor");
    await page.locator(".leaders a", {hasText: "gil/1"}).click();
    await page.getByRole("heading", {name: "Head to head"}).waitFor();
});

test_page("a link of home keeps the keyboard when news come, and leads on though they came while it was pressed", () => origin() + "/", {}, async (page) => {
    const link = page.getByRole("link", {name: "practice"}).first();  // the first of all, wherever others go
    await keeps_keyboard(link);
    await link.hover();
    await page.mouse.down();
    for (let news = 0; news < 2; ++news) { await page.waitForResponse(origin() + "/"); }
    await frames(page);
    await page.mouse.up();
    await page.waitForURL(origin() + "/t/practice");
});

test_page("a game has those who played it in its title, and leads to their pages, to the games beside it and to its tournament",
    async () => origin() + await game(3), {}, async (page) => {
    const path = new URL(page.url()).pathname;
    await page.locator(".outcome").filter({hasText: /won|Drawn/}).waitFor();
    assert.match(await page.title(), /(<b>bob<\/b> – cy|cy – <b>bob<\/b>): .*quick/);
    const beside = page.getByRole("navigation", {name: "This game"});
    assert.strictEqual(await beside.getByRole("link", {name: "quick"}).count(), 1);
    await beside.getByRole("link", {name: "Next game"}).click();
    await page.waitForURL((address) => address.pathname !== path);
    await page.locator("h1 a").filter({hasText: "cy"}).click();
    await page.locator(".against tbody td").first().waitFor();
    assert.match(await page.locator(".against tbody").textContent(), /<b>bob<\/b>/);
    await page.locator(".history polyline").waitFor();
    assert.match(await page.locator(".letter").first().textContent(), /^[WDL] (won|drawn|lost)$/);
    await page.locator("tbody a[href*='/g/']").first().click();
    await page.locator("canvas.board").waitFor();
});

test_page("a game that nobody has reviewed tells how that is done with its replay, which can be had there",
    async () => origin() + await game(), {}, async (page) => {
    await page.getByText("Where was it lost?").click();
    assert.match(await page.locator(".unreviewed pre").textContent(), /^referee review quick_\d+\.\d+\.ndjson /);
    const replay = await page.locator(".unreviewed a").getAttribute("href");
    assert.strictEqual((await fetch(origin() + replay)).status, 200);
});

test_page("a game's timeline is seen without scrolling, on a projector too",
    async () => origin() + await game(), {viewport: {width: 1920, height: 1080}}, async (page) => {
    for (const place of ["body:not(.projector)", "body.projector"]) {
        await page.locator(place + " .slider").waitFor();
        await frames(page);
        const box = await page.locator(".slider").boundingBox();
        assert.ok(box.y + box.height <= 1080, place + ": its lower edge is at " + (box.y + box.height));
        await page.keyboard.press("p");
    }
});

test_page("who is logged in tries again from the own seat", () => origin() + "/page/icon.svg", {}, async (page) => {
    const path = await game();
    for (const bot of ["cy", "<b>bob</b>"]) {
        await page.route("**/api/v1/me", (route) => route.fulfill({json: {bot}}));
        await page.goto(origin() + path);
        await page.locator("#again-seat").waitFor({state: "attached"});
        assert.strictEqual(await page.locator("#again-seat option:checked").textContent(), bot);
    }
});

test_page("the projector's screen turns its pages, by itself and by the keyboard, and stands still where that is asked",
    () => origin() + "/page/icon.svg", {viewport: {width: 1920, height: 1080}}, async (page) => {
    const turn_ms = 12000;
    await match_of_short();
    await page.clock.install();
    await page.goto(origin() + "/wall");
    await page.locator(".card .stood").first().waitFor();
    await page.locator(".turning").getByText("1 of 2").waitFor();
    await page.clock.fastForward(turn_ms);
    await page.locator(".turning").getByText("2 of 2").waitFor();
    const height = await soon(async () => (await page.locator(".screen tbody th").first().boundingBox()).height);
    assert.ok(height > 60, "letters to be read from 3 m away: " + height);
    await page.getByRole("button", {name: "Stop turning"}).click();
    await page.clock.fastForward(turn_ms);
    assert.strictEqual(await page.locator(".turning .stood").textContent(), "2 of 2");
    await page.keyboard.press("ArrowRight");
    assert.strictEqual(await page.locator(".turning .stood").textContent(), "1 of 2");
});

test_page("the projector shows who won a tournament that is over; its one page has nothing to stop, and its link keeps the keyboard",
    () => origin() + "/wall/done", {viewport: {width: 1920, height: 1080}}, async (page) => {
    assert.strictEqual(await page.locator(".winner").textContent(), "Won by eli");
    assert.strictEqual(await page.title(), "done: standings");
    assert.strictEqual(await page.locator(".course").textContent(), "Programming <bots>");
    assert.strictEqual(await page.getByRole("heading", {name: "done"}).textContent(), "done: walls, 1 match, finished");
    assert.ok(!await page.getByRole("button", {name: "Stop turning"}).isVisible());
    await page.locator(".screen tbody th").first().waitFor();
    const [row, sheet] = [await page.locator(".screen tbody th").first().boundingBox(), await page.locator(".screen").boundingBox()];
    assert.ok(row.height > 60 && sheet.y + sheet.height <= 1080, "letters to be read from 3 m away: " + row.height);
    await keeps_keyboard(page.locator("h1 a"), () => page.keyboard.press("ArrowRight"));  // to the same page
});

// A table of so many bots, with names of some length and what `of_bot` says of each, in place of the daemon's own.
async function with_table(page, count, of_bot, more) {
    const bots = Array.from({length: count}, (_, at) => ({at, rank: at + 1, name: "minimax-" + at, points: count - at, buchholz: at % 3, direct_encounter: at, sonneborn_berger: at, won: 1, drawn: 1, lost: 1, ...of_bot(at)}));
    const table = {now: {state: "finished", round: 1}, game: "walls", format: "swiss", matches_played: 1, finished: true, tie_breaks: ["points", "buchholz", "direct_encounter", "sonneborn_berger"], version: "1", whole: true, bots, ...more};
    await page.route("**/table*", (route) => route.fulfill({json: table}));
}

test_page("the projector's rows fit a screen, and a phone breaks no name", () => origin() + "/page/icon.svg", {}, async (page) => {
    for (const [count, width, height] of [[12, 1920, 1080], [24, 1920, 1080], [12, 1400, 900], [12, 390, 844]]) {
        await page.setViewportSize({width, height});
        await with_table(page, count, (at) => ({points: 3 - at % 2, rank: 1 + Math.floor(at / 2)}));
        await page.goto(origin() + "/wall/done");
        await page.locator(".screen tbody th").first().waitFor();
        await frames(page);
        await fits(page);
        const lines = await page.locator(".screen tbody bdi").evaluateAll((names) => names.map((name) => name.getClientRects().length));
        assert.deepStrictEqual(lines.filter((count) => count > 1), [], "names in one line");
        const high = await page.evaluate(() => document.documentElement.scrollHeight);
        if (width > 390) { assert.ok(high <= height, high + " of " + height); }
        const head = await page.locator(".screen thead th").first().evaluate((each) => Number.parseFloat(window.getComputedStyle(each).fontSize));
        assert.ok(head >= 12, "a heading of " + head + " pixels");
    }
});

test_page("who stands behind others of a lower rating has few matches", () => origin() + "/page/icon.svg", {}, async (page) => {
    await with_table(page, 3, (at) => ({ladder_rating: [1600, 1400, 1500][at]}));
    for (const path of ["/wall/done", "/t/done"]) {
        await page.goto(origin() + path);
        await page.locator("tr", {hasText: "minimax-2"}).getByText("few matches yet").waitFor();
        assert.strictEqual(await page.getByText("few matches yet").count(), 1);
    }
});

test("the projector says what comes next where nothing is played, and in what state a tournament is", async () => {
    await visit(origin() + "/wall/later", {}, async (page) => {
        await page.locator(".next li").filter({hasText: /^later begins by order$/}).waitFor();
        await frames(page, 60);
        assert.strictEqual(await page.locator("h1").first().textContent(), "later");
        assert.strictEqual(await page.locator(".card").count(), 0, "other tournaments' games have another screen");
    });
    await visit(origin() + "/t/later", {}, async (page) => {
        await page.getByText("walls, ladder, 0 matches, begins by order").waitFor();
        await page.getByText("No match was drawn yet.").waitFor();
    });
    await visit(origin() + "/page/icon.svg", {}, async (page) => {
        const now = {state: "paused", reason: "a fire drill", round: 2, rounds: 4, matches_played: 3};
        await page.route("**/api/v1/tournaments", (route) => route.fulfill({json: {title: "A course", tournaments: [{id: "done", state: "paused", matches_played: 1}]}}));
        await with_table(page, 4, (at) => ({points: [3, 3, 2, 2][at], buchholz: [4, 3, 1, 1][at], direct_encounter: [1, 1, 1, 0][at], withdrawn: at === 3 ? "sick" : undefined}), {now, matches_played: 3, finished: false});
        await page.goto(origin() + "/wall/done");
        await page.getByRole("heading", {name: "done: walls, round 2 of 4, 3 matches, paused (a fire drill)"}).waitFor();
        assert.deepStrictEqual(await page.locator(".screen thead th").allTextContents(), ["Rank", "Bot", "Points", "Buchholz", "Direct", "Won", "Drawn", "Lost"]);
        assert.match(await page.locator(".screen tbody tr").last().textContent(), /minimax-3 withdrawn/);
    });
});

test_page("a bot's page says its faults before all else, and its last matches once each", () => origin() + "/t/done/bots/dud", {}, async (page) => {
    const line = page.locator("p.fault");
    assert.match(await line.textContent(), /^\d+ faults in 2 of its last 2 games\. The latest: done\/1\.2, turn \d+, malformed: /);
    assert.ok((await line.boundingBox()).y < (await page.getByRole("heading", {name: "Head to head"}).boundingBox()).y);
    assert.strictEqual(await page.locator(".form .letter").count(), 1, "a match of two games");
});

test_page("the wall follows games, and leads to each by the keyboard", () => origin() + "/wall", {}, async (page) => {
    const card = page.locator(".card:has(a:focus)");  // it stays, and the screen doesn't turn
    await soon(async () => {
        await page.locator(".card", {hasText: "practice/"}).first().locator("a").focus();
        assert.strictEqual(await card.count(), 1);
    });
    const turn = await card.locator(".stood").textContent();
    await soon(async () => assert.notStrictEqual(await card.locator(".stood").textContent(), turn));
    assert.match(await card.locator("canvas.small").getAttribute("aria-label"), /^Turn \d+\. ./);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/g/practice/**");
});

test_page("a bot's times have the line of the budget", () => origin() + "/t/quick/bots/cy", {}, async (page) => {
    await page.locator(".bars .bar").first().waitFor();
    const line = await page.locator(".bars .budget").boundingBox();
    const bar = await page.locator(".bars .bar").first().boundingBox();
    assert.ok(line.width >= bar.width && line.y < bar.y, "moves of some microseconds are below a second");
    await page.getByText("the line is the budget, 1.00 s a turn").waitFor();
});
