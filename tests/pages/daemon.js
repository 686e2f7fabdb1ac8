// A daemon of the built program with bots that play, for tests that look at its own pages.
"use strict";
const assert = require("node:assert");
const {execFileSync, spawn} = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const {after, before} = require("node:test");
const {soon} = require("./browser.js");

const referee = path.join(process.env.REFEREE_BIN, "referee");
const place = fs.mkdtempSync(path.join(os.tmpdir(), "referee-pages-"));
const out = path.join(place, "out");
let daemon = null;
let origin = "";

// Plays as the greedy sample does.
const sample_bots = path.join(process.env.REFEREE_SOURCE, "sample_bots/python");
const unhurried = (seconds) => ["python3", "-B", "-c", `import sys, time; sys.path.insert(0, "${sample_bots}"); import referee_bot, walls_greedy; ` +
    `referee_bot.run({"walls": lambda game: time.sleep(${seconds}) or walls_greedy.choose(game)}, name="unhurried")`];  // time: a bot that is slow by design
const config = {
    listen: {port: 0, web: {port: 0, title: "Programming <bots>", registration: true}}, registration: {password: "of the class"}, control: {token: "the admin's token"},
    bots: [{name: "ann", launch: unhurried(1)}, {name: "eve", launch: unhurried(1)}, {name: "<b>bob</b>", launch: ["walls-random"]}, {name: "cy", launch: ["walls-random"]},
           {name: "gil/1", launch: unhurried(0.1)}, {name: "hal", launch: unhurried(0.1)},
           {name: "eli", launch: ["walls-random"]}, {name: "dud", launch: unhurried("None")}],  // none of its moves has the form of one
    tournaments: [{id: "done", game: "walls", params: {size: 3}, clock: {budget: "1s"}, bots: ["dud", "eli"]},
                  {id: "practice", game: "walls", params: {size: 9}, clock: {budget: "10s"}, bots: ["ann", "eve"], match: {games: 1000}},
                  {id: "quick", game: "walls", params: {size: 3}, clock: {budget: "1s"}, bots: ["<b>bob</b>", "cy"], format: {kind: "round_robin", cycles: 6}},
                  {id: "short", game: "walls", params: {size: 5}, clock: {budget: "10s"}, bots: ["gil/1", "hal"], format: {kind: "round_robin", cycles: 200}},
                  {id: "later", starts: "by_order", game: "walls", params: {size: 3}, format: {kind: "ladder"}, clock: {budget: "1s"}, bots: ["<b>bob</b>", "cy"]}]
};

const until = (look, what) => soon(async () => {
    const found = await look();
    assert.ok(found, "no " + what);
    return found;
});

const answer = (where) => fetch(origin + where).then((given) => (given.ok ? given.json() : null));

// Call it at the top of a file of tests.
function withDaemon() {
    before(async () => {
        fs.writeFileSync(path.join(place, "c.json"), JSON.stringify(config));
        const log = fs.openSync(path.join(place, "log"), "a");
        daemon = spawn(referee, ["serve", path.join(place, "c.json"), "--out", out, "--unsandboxed"], {stdio: ["ignore", log, log]});
        origin = await until(() => JSON.parse(execFileSync(referee, ["ctl", "--out", out, "status", "--json"], {stdio: ["ignore", "pipe", "ignore"]})).listening_web.replace(/\/$/, ""), "daemon");
        // What is over stays as it is while it is looked at; the others go on and on.
        for (const id of ["done", "quick"]) { await until(() => answer("/api/v1/tournaments/" + id + "/table").then((told) => told.finished), "end of " + id); }
        // A bot's page is asked for once: it has bars when a game's times are known.
        for (const bot of ["cy", "<b>bob</b>"]) {
            await until(() => answer("/api/v1/tournaments/quick/bot?name=" + encodeURIComponent(bot)).then((told) => told.games.some((game) => game.used_us !== undefined)), "times of " + bot);
        }
    });
    after(async () => {
        await new Promise((ended) => { daemon.once("exit", ended); daemon.kill("SIGKILL"); });  // it writes into the folder while it lives
        fs.rmSync(place, {recursive: true, force: true});
    });
}

module.exports = {answer, origin: () => origin, out, referee, until, withDaemon};
