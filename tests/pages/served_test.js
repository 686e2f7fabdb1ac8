// The viewer and the standings as a server serves them: linked, under a policy without inline script, live by server-sent events.
"use strict";
const assert = require("node:assert");
const http = require("node:http");
const test = require("node:test");
const {linked, read, script} = require("./compose.js");
const {findings, frames, showing, stood, visit, withBrowser} = require("./browser.js");
const {tournament} = require("./tournaments.js");

withBrowser();

const policy = "default-src 'self'; frame-ancestors 'none'";

// A server on loopback that answers by a table of paths: texts as [type, text], or functions that get the response.
async function serve(table, look) {
    const asked = [];
    const server = http.createServer((request, response) => {
        asked.push(request.url);
        const answer = table[decodeURIComponent(request.url)] || (request.url === "/favicon.ico" ? ["image/x-icon", ""] : undefined);
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
const page_table = (page) => ({
    "/page/viewer.js": ["text/javascript", script(page)], "/page/style.css": ["text/css", read("style.css")]
});
const linked_page = (page) => ["text/html; charset=utf-8", linked(page, "/page/style.css", ["/page/viewer.js"], "api")];

// A stream of events that a test speaks into.
function stream() {
    let out = null;
    const waiting = [];
    return {
        answer: (response) => {
            response.writeHead(200, {"content-type": "text/event-stream", "content-security-policy": policy});
            out = response;
            for (const text of waiting) { out.write(text); }
        },
        say: (event, data, id) => {
            const text = (id ? "id: " + id + "\n" : "") + "event: " + event + "\ndata: " + JSON.stringify(data) + "\n\n";
            if (out) { out.write(text); } else { waiting.push(text); }
        }
    };
}

test("a live game goes on before the reader's eyes, who may look back, and ends", async () => {
    const whole = showing("walls");
    const live = Object.assign(structuredClone(whole), {live: true, faults: [], faults_total: 0});
    delete live.result;
    live.frames = live.frames.slice(0, 10);
    const news = stream();
    const table = {...page_table("viewer"), "/g/play/1.1": linked_page("viewer"), "/api/v1/me": json({bot: null}), "/api/v1/games/play/1.1/showing": json(live), "/api/v1/games/play/1.1/live?from=10": news.answer};
    await serve(table, (origin) => visit(origin + "/g/play/1.1", {allowed: origin}, async (page) => {
        const at = (text) => page.waitForFunction((expected) => document.querySelector(".stood") && document.querySelector(".stood").textContent === expected, text);
        await at("Turn 10 of 10");
        assert.ok(await page.locator(".live").isVisible());
        news.say("frame", whole.frames[8], 9);
        news.say("frame", whole.frames[10], 11);
        await at("Turn 11 of 11");
        await page.keyboard.press("ArrowLeft");
        news.say("frame", whole.frames[11], 12);
        await at("Turn 10 of 12");
        await page.keyboard.press("End");
        news.say("frame", whole.frames[12], 13);
        await at("Turn 13 of 13");
        news.say("end", {result: whole.result, faults: whole.faults, faults_total: whole.faults_total});
        await page.waitForFunction(() => document.querySelector(".live").hidden);
        await page.getByText(whole.result.reason).waitFor();
        assert.deepStrictEqual(await findings(page), []);
    }));
});

test("who was too slow is told to load again, and does", async () => {
    const live = Object.assign(showing("walls"), {live: true});
    live.frames = live.frames.slice(0, 5);
    const news = stream();
    const table = {...page_table("viewer"), "/g/play/1.1": linked_page("viewer"), "/api/v1/me": json({bot: null}), "/api/v1/games/play/1.1/showing": json(live), "/api/v1/games/play/1.1/live?from=5": news.answer};
    await serve(table, (origin, asked) => visit(origin + "/g/play/1.1", {allowed: origin}, async (page) => {
        await page.waitForFunction(() => document.querySelector(".stood"));
        news.say("reload", {});
        while (asked.filter((each) => each.endsWith("/showing")).length < 2) { await frames(page); }
        await page.waitForFunction(() => document.querySelector(".stood"));
    }));
});

test("a game that the server doesn't know is told in the server's words", async () => {
    const table = {...page_table("viewer"), "/g/play/9.9": linked_page("viewer")};
    await serve(table, (origin) => visit(origin + "/g/play/9.9", {allowed: origin}, async (page, wrong) => {
        await page.getByRole("alert").getByText("There is no such game").waitFor();
        wrong.length = 0;  // the browser tells of status 404 itself
    }));
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
    const table = {...page_table("standings"), "/t/big": linked_page("standings"), "/": linked_page("standings"), "/api/v1/tournaments": json({tournaments: [{id: "big"}]}),
                   [api + "/table"]: json(table_of(tournament(4), "a")), [api + "/table?since=a"]: json(changed), "/api/v1/events?only=standings": news.answer,
                   [api + "/matches"]: json({total: 30, rounds: 1, older: 6, matches: [match(30, false), match(29, true)]}),
                   [api + "/matches?before=6"]: json({total: 30, rounds: 1, matches: [match(5, true)]}),
                   [api + "/matches?look=bot"]: json({total: 1, rounds: 1, matches: [match(7, true)]}),
                   [api + "/crosstable"]: json({columns: ["round 1"], bots: [{number: 1, name: "bot-1", cells: ["W2 1"], points: 1, rank: 1}]}), [api + "/certainty"]: json({})};
    await serve(table, async (origin, asked) => {
        await visit(origin + "/", {allowed: origin}, async (page) => {
            await page.getByRole("link", {name: "big"}).click();
            await page.waitForFunction(() => document.querySelectorAll(".ranking tbody tr").length === 4);
            const rows = page.getByRole("region", {name: "Matches"}).locator("tbody tr");
            await rows.nth(1).waitFor();
            assert.match(await rows.nth(0).textContent(), /bot-1 – bot-2not over/);
            await page.getByRole("button", {name: "Older"}).click();
            await page.getByRole("link", {name: "big/5.1"}).waitFor();
            asked.length = 0;
            news.say("standings", {tournament: "another"});
            news.say("standings", {tournament: "big"});
            await page.waitForFunction(() => document.querySelectorAll(".ranking tbody tr").length === 6);
            assert.deepStrictEqual(asked, [api + "/table?since=a"], "one request, since older matches don't change");
            await page.getByRole("button", {name: "Newer"}).click();
            await page.getByLabel("A bot, or a match's number").fill("bot");
            await page.getByRole("link", {name: "big/7.1"}).waitFor();
            await page.getByText("Cross table").click();
            await page.getByText("W2 1").waitFor();
            assert.deepStrictEqual(await findings(page), []);
        });
    });
});
