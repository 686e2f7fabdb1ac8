// The viewer and the standings as a server serves them: linked, under a policy without inline script, live by server-sent events.
"use strict";
const assert = require("node:assert");
const http = require("node:http");
const test = require("node:test");
const {linked, read, script} = require("./compose.js");
const {findings, frames, keeps_keyboard, showing, soon, stands, visit, withBrowser} = require("./browser.js");
const {tournament} = require("./tournaments.js");

withBrowser();

const policy = "default-src 'self'; frame-ancestors 'none'";

// A server on loopback that answers by a table of paths: texts as [type, text], or functions that get the response.
async function serve(table, look) {
    const asked = [];
    const server = http.createServer((request, response) => {
        const answer = table[decodeURIComponent(request.url)] || (request.url === "/favicon.ico" ? ["image/x-icon", ""] : undefined);
        if (request.url !== "/favicon.ico") { asked.push(request.url); }
        if (typeof answer === "function") { answer(response); return; }
        response.writeHead(answer ? 200 : 404, {"content-type": answer ? answer[0] : "application/json", "content-security-policy": policy});
        response.end(answer ? answer[1] : JSON.stringify({error: {code: "unknown", message: "There is no such game; expected one of those of /api/v1/games."}}));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
        await look("http://127.0.0.1:" + server.address().port, asked);
    } finally {
        server.closeAllConnections();
        server.close();
    }
}

const json = (value) => ["application/json", JSON.stringify(value)];
// A page at its path, with what it is linked to.
const site = (page, path) => ({
    [path]: ["text/html; charset=utf-8", linked("/page/style.css", ["/page/viewer.js"], "api")], "/page/viewer.js": ["text/javascript", script(page)],
    "/page/style.css": ["text/css", read("style.css")], "/api/v1/me": json({bot: null})
});

// A stream of events that a test speaks into.
function stream() {
    let out = null;
    const waiting = [];
    return {
        answer: (response) => {
            response.writeHead(200, {"content-type": "text/event-stream", "content-security-policy": policy});
            response.flushHeaders();
            out = response;
            for (const text of waiting.splice(0)) { out.write(text); }
        },
        say: (event, data, id) => {
            const text = (id ? "id: " + id + "\n" : "") + "event: " + event + "\ndata: " + JSON.stringify(data) + "\n\n";
            if (out) { out.write(text); } else { waiting.push(text); }
        },
        end: () => out.end()
    };
}

test("a live game goes on before the reader's eyes, who may look back, and ends", async () => {
    const whole = showing("walls");
    const live = Object.assign(structuredClone(whole), {live: true, faults: [], faults_total: 0});
    delete live.result;
    live.frames = live.frames.slice(0, 10);
    const news = stream();
    const table = {...site("viewer", "/g/play/1.1"), "/api/v1/games/play/1.1/showing": json(live), "/api/v1/games/play/1.1/live?from=10": news.answer};
    await serve(table, (origin) => visit(origin + "/g/play/1.1", {}, async (page) => {
        await stands(page, "Turn 10 of 10");
        assert.ok(await page.locator(".live").isVisible());
        news.say("frame", whole.frames[8], 9);
        news.say("frame", whole.frames[10], 11);
        await stands(page, "Turn 11 of 11");
        await page.keyboard.press("ArrowLeft");
        news.say("frame", whole.frames[11], 12);
        await stands(page, "Turn 10 of 12");
        await page.keyboard.press("End");
        news.say("frame", whole.frames[12], 13);
        await stands(page, "Turn 13 of 13");
        news.say("end", {result: whole.result, faults: whole.faults, faults_total: whole.faults_total});
        await page.locator(".live").waitFor({state: "hidden"});
        await page.getByText(whole.result.reason).waitFor();
        assert.deepStrictEqual(await findings(page), []);
    }));
});

test("who was too slow is told to load again, and does", async () => {
    const live = Object.assign(showing("walls"), {live: true});
    const first = (count) => json({...live, frames: live.frames.slice(0, count)});
    const news = stream();
    const table = {...site("viewer", "/g/play/1.1"), "/api/v1/games/play/1.1/showing": first(5),
                   "/api/v1/games/play/1.1/live?from=5": news.answer, "/api/v1/games/play/1.1/live?from=6": news.answer};
    await serve(table, (origin) => visit(origin + "/g/play/1.1", {}, async (page) => {
        await stands(page, "Turn 5 of 5");
        table["/api/v1/games/play/1.1/showing"] = first(6);
        news.say("reload", {});
        await stands(page, "Turn 6 of 6");
    }));
});

test("a game that the server doesn't know is told in the server's words", async () => {
    await serve(site("viewer", "/g/play/9.9"), (origin) => visit(origin + "/g/play/9.9", {told: /status of 404/}, (page) => page.getByRole("alert").getByText("There is no such game").waitFor()));
});

// A table as the server has it: of `data` without matches.
function table_of(data, version, whole = true) {
    return Object.assign({}, data, {version, whole, bots: data.bots.map(({matches, byes, ...row}, at) => ({at, ...row}))});
}

test("standings are asked for once, then only what changed; matches by pages", async () => {
    const second = Object.assign(tournament(6), {finished: false});
    const news = stream();
    const api = "/api/v1/tournaments/big";
    const match = (number, over) => ({round: 1, match: "big/" + number, over, seats: [{name: "bot-1", points: 1}, {name: "bot-2", points: 0}], games: ["big/" + number + ".1"]});
    const changed = table_of(second, "b", false);
    changed.bots = changed.bots.slice(4);  // two that came
    const table = {...site("standings", "/t/big"), "/t/big/bots/bot-1": ["text/html", "<!doctype html>"],
                   [api + "/table"]: json(table_of(tournament(4), "a")), [api + "/table?since=a"]: json(changed), "/api/v1/events?only=standings": news.answer,
                   [api + "/matches"]: json({total: 30, rounds: 1, older: 6, matches: [match(30, false), match(29, true)]}),
                   [api + "/matches?before=6"]: json({total: 30, rounds: 1, matches: [match(5, true)]}),
                   [api + "/matches?look=bot"]: json({total: 1, rounds: 1, matches: [match(7, true)]}),
                   [api + "/crosstable"]: json({columns: ["round 1"], bots: [{number: 1, name: "bot-1", cells: ["W2 1"], points: 1, rank: 1}]}), [api + "/certainty"]: json({})};
    await serve(table, async (origin, asked) => {
        await visit(origin + "/t/big", {}, async (page) => {
            const bots = page.locator(".ranking tbody tr");
            await bots.nth(3).waitFor();
            assert.strictEqual(await bots.count(), 4);
            const rows = page.getByRole("region", {name: "Matches"}).locator("tbody tr");
            await rows.nth(1).waitFor();
            assert.match(await rows.nth(0).textContent(), /bot-1 – bot-2not over/);
            await page.getByRole("button", {name: "Older"}).click();
            await page.getByRole("link", {name: "big/5.1"}).waitFor();
            const bot = page.getByRole("link", {name: "bot-1", exact: true});
            asked.length = 0;
            news.say("standings", {tournament: "another"});
            await keeps_keyboard(bot, () => news.say("standings", {tournament: "big"}));
            assert.strictEqual(await bots.count(), 6);
            await page.getByRole("button", {name: "Newer"}).click();
            await page.getByRole("link", {name: "big/30.1"}).waitFor();
            assert.deepStrictEqual(asked, [api + "/table?since=a", api + "/matches"], "one request, since older matches don't change");
            await page.getByLabel("A bot, or a match's number").fill("bot");
            await page.getByRole("link", {name: "big/7.1"}).waitFor();
            await page.getByText("Cross table").click();
            await page.getByText("W2 1").waitFor();
            assert.deepStrictEqual(await findings(page), []);
            table[api + "/table?since=b"] = json({...changed, version: "c", bots: []});
            const answered = page.waitForResponse((answer) => answer.url().endsWith("/table?since=b"));
            await bot.hover();
            await page.mouse.down();
            news.say("standings", {tournament: "big"});
            await answered;
            await frames(page);
            await page.mouse.up();
            await page.waitForURL(origin + "/t/big/bots/bot-1");
        });
    });
});

test("the projector says nothing of a tournament before its data came, and then what orders changed", async () => {
    const api = "/api/v1/tournaments";
    const news = stream();
    let come = null;
    const data = JSON.stringify({...table_of(tournament(4), "a"), annulled: 1, ruled: 2, now: {state: "finished"}});
    const table = {...site("wall", "/wall/big"), [api]: json({title: "A course", tournaments: [{id: "big", state: "finished", matches_played: 6}]}),
                   "/api/v1/events?only=standings": news.answer, [api + "/big/table"]: (response) => { come = () => response.end(data); }};
    await serve(table, (origin) => visit(origin + "/wall/big", {}, async (page) => {
        await soon(async () => assert.ok(come));
        await frames(page);
        assert.doesNotMatch(await page.locator("main").textContent(), /appear|begun/);
        come();
        await page.getByRole("heading", {name: /finished, games annulled by order: 1, results set by order: 2$/}).waitFor();
        // What was told while no stream was open.
        table[api + "/big/table?since=a"] = json({...JSON.parse(data), version: "b", ruled: 3});
        news.end();
        await page.getByRole("heading", {name: /results set by order: 3$/}).waitFor();
    }));
});

test("a page that follows many tournaments has connections left to ask for them", async () => {
    const ids = Array.from("abcdefgh");
    const table = {...site("wall", "/wall"), "/api/v1/wall": stream().answer, "/api/v1/events?only=standings": stream().answer,
                   "/api/v1/tournaments": json({title: "A course", tournaments: ids.map((id) => ({id, state: "running", matches_played: 6}))}),
                   ...Object.fromEntries(ids.map((id) => ["/api/v1/tournaments/" + id + "/table", json({...table_of(tournament(4), "a"), now: {}})]))};
    await serve(table, (origin) => visit(origin + "/wall", {}, async (page) => {
        await stands(page, "of " + ids.length);
        await page.waitForResponse((answer) => answer.url().endsWith("/api/v1/tournaments"));
    }));
});

test("the wall hangs the newest game first, and a card stays while somebody is at its link", async () => {
    const {state, frames: moves, ...facts} = showing("walls");
    const news = stream();
    const table = {...site("wall", "/wall"), "/api/v1/tournaments": json({title: "A course", tournaments: []}), "/api/v1/wall": news.answer};
    await serve(table, (origin) => visit(origin + "/wall", {}, async (page) => {
        for (const [order, game_id] of [[1, "play/1.1"], [2, "play/2.1"]]) {
            news.say("game", {...facts, game_id, order});
            news.say("position", {game_id, state, turn: moves.length});
        }
        const link = page.getByRole("link", {name: "play/1.1"});
        await page.getByRole("link", {name: "play/2.1"}).waitFor();
        await link.focus();
        assert.deepStrictEqual(await page.locator(".card .game-id").allTextContents(), ["play/2.1", "play/1.1"]);
        for (const game_id of ["play/1.1", "play/2.1"]) { news.say("gone", {game_id}); }
        await page.getByRole("link", {name: "play/2.1"}).waitFor({state: "detached"});
        assert.strictEqual(await link.count(), 1);
        await link.evaluate((each) => each.blur());
        await link.waitFor({state: "detached"});
    }));
});
