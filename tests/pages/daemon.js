// A daemon of the built program with bots that play, for tests that look at its own pages.
"use strict";
const assert = require("node:assert");
const {execFileSync, spawn} = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const {after, before} = require("node:test");

const referee = path.join(process.env.REFEREE_BIN, "referee");
const place = fs.mkdtempSync(path.join(os.tmpdir(), "referee-pages-"));
const out = path.join(place, "out");
const hang_ms = 100000;
let daemon = null;
let origin = "";

const unhurried = (seconds) => ["python3", "-B", path.join(__dirname, "unhurried_walls.py"), String(seconds)];
const config = {
    listen: {port: 0, web: {port: 0, title: "Programming <bots>"}}, control: {token: "the admin's token"},
    bots: [{name: "ann", launch: unhurried(1)}, {name: "eve", launch: unhurried(1)}, {name: "<b>bob</b>", launch: ["walls-random"]}, {name: "cy", launch: ["walls-random"]},
           {name: "gil/1", launch: unhurried(0.1)}, {name: "hal", launch: unhurried(0.1)},
           {name: "eli", launch: ["walls-random"]}, {name: "dud", launch: unhurried("no number")}],  // none of its moves has the form of one
    tournaments: [{id: "done", game: "walls", params: {size: 3}, clock: {budget: "1s"}, bots: ["dud", "eli"]},
                  {id: "practice", game: "walls", params: {size: 9}, clock: {budget: "10s"}, bots: ["ann", "eve"], match: {games: 1000}},
                  {id: "quick", game: "walls", params: {size: 3}, clock: {budget: "1s"}, bots: ["<b>bob</b>", "cy"], format: {kind: "round_robin", cycles: 100}},
                  {id: "short", game: "walls", params: {size: 5}, clock: {budget: "10s"}, bots: ["gil/1", "hal"], format: {kind: "round_robin", cycles: 200}},
                  {id: "later", starts: "by_order", game: "walls", params: {size: 3}, format: {kind: "ladder"}, clock: {budget: "1s"}, bots: ["<b>bob</b>", "cy"]}]
};

async function until(look, what) {
    const deadline = Date.now() + hang_ms;
    for (;;) {
        const found = await Promise.resolve().then(look).catch(() => null);
        if (found) { return found; }
        assert.ok(Date.now() < deadline, "no " + what);
        await new Promise((go_on) => setTimeout(go_on, 200));  // time: between two looks
    }
}

const answer = (where) => fetch(origin + where).then((given) => (given.ok ? given.json() : null));

// Call it at the top of a file of tests.
function withDaemon() {
    before(async () => {
        fs.writeFileSync(path.join(place, "c.json"), JSON.stringify(config));
        const log = fs.openSync(path.join(place, "log"), "a");
        daemon = spawn(referee, ["serve", path.join(place, "c.json"), "--out", out, "--unsandboxed"], {stdio: ["ignore", log, log]});
        origin = await until(() => JSON.parse(execFileSync(referee, ["ctl", "--out", out, "status", "--json"], {stdio: ["ignore", "pipe", "ignore"]})).listening_web.replace(/\/$/, ""), "daemon");
        await until(() => answer("/api/v1/tournaments/quick/games").then((told) => told && told.total > 3), "games");
        await until(() => answer("/api/v1/tournaments/done/table").then((told) => told && told.finished), "end of done");
        // A bot's page is asked for once: it has bars when a game's times are known.
        const has_times = (told) => told && told.games.some((game) => game.used_us !== undefined);
        for (const bot of ["cy", "<b>bob</b>"]) {
            await until(() => answer("/api/v1/tournaments/quick/bot?name=" + encodeURIComponent(bot)).then(has_times), "times of " + bot);
        }
    });
    after(async () => {
        await new Promise((ended) => { daemon.once("exit", ended); daemon.kill("SIGKILL"); });  // it writes into the folder while it lives
        fs.rmSync(place, {recursive: true, force: true});
    });
}

module.exports = {answer, origin: () => origin, out, referee, until, withDaemon};
