// What the browser's tests share: one Chromium, pages that forgive no error and no request to anywhere.
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const {after, before, test} = require("node:test");
const {chromium} = require("playwright-core");
const {inlined, linked, read, script, showing} = require("./compose.js");

const folder = process.env.PAGES_GAMES;
const hang_ms = 100000;
const checker = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
let browser = null;

// Call it at the top of a file of tests.
function withBrowser() {
    before(async () => {
        // Chromium's own sandbox does not start for root; only pages of this project are opened.
        const options = process.getuid() === 0 ? ["--no-sandbox"] : [];
        browser = await chromium.launch({executablePath: process.env.PAGES_BROWSER, args: options});
    });
    after(() => browser.close());
}

const file = (name) => path.join(folder, name);

function write(name, text) {
    fs.mkdirSync(path.dirname(file(name)), {recursive: true});
    fs.writeFileSync(file(name), text);
    return "file://" + file(name);
}

// The viewer's page with these showings.
const viewer_page = (name, ...showings) => write(name, inlined("viewer", showings.map((each) => ["showing", each])));

// An output folder as the program writes one, of a tournament of tournaments.js; its page.
function output_folder(name, {rounds, crosstable, ...data}) {
    const files = {"viewer.js": script("folder"), "style.css": read("style.css"), "standings.js": "standings(" + JSON.stringify(data) + ");\n",
                   "pairings.js": "pairings(" + JSON.stringify({tournament: data.tournament, rounds}) + ");\n",
                   "crosstable.js": "crosstable(" + JSON.stringify({tournament: data.tournament, ...crosstable}) + ");\n"};
    for (const [file, text] of Object.entries(files)) { write(name + "/page/" + file, text); }
    return write(name + "/index.html", linked("page/style.css", ["viewer", "standings", "pairings", "crosstable"].map((each) => "page/" + each + ".js"), "folder"));
}

// Opens a page, hands it to `look`, and wants no error of it but what the browser itself says of an answer (`told`, such as /status of 404/), and no
// request to anywhere but where it came from.
async function visit(address, {told, ...options}, look) {
    const from = address.startsWith("file://") ? "file://" : new URL(address).origin + "/";
    const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
    context.setDefaultTimeout(hang_ms);
    const page = await context.newPage();
    const wrong = [];
    page.on("pageerror", (error) => wrong.push("error: " + error.message));
    page.on("console", (message) => { if (message.type() === "error" && !(told && told.test(message.text()))) { wrong.push("console: " + message.text()); } });
    page.on("request", (request) => { if (!request.url().startsWith(from)) { wrong.push("request: " + request.url()); } });
    page.on("dialog", (dialog) => {
        wrong.push("dialog: " + dialog.message());
        dialog.dismiss();
    });
    try {
        await page.goto(address);
        await look(page);
        assert.deepStrictEqual(wrong, []);
    } finally {
        await context.close();
    }
}

// A test that visits one page, whose address `address()` gives.
const test_page = (title, address, options, look) => test(title, async () => visit(await address(), options, look));

// The accessibility checker's findings, in a line each.
async function findings(page) {
    if (!await page.evaluate(() => window.axe)) { await page.evaluate(checker); }
    const result = await page.evaluate(() => window.axe.run(document, {resultTypes: ["violations"], preload: false}));
    return result.violations.map((each) => each.id + ": " + each.nodes.map((node) => node.target.join(" ") + " " + node.failureSummary.split("\n")[1]).slice(0, 3).join("; "));
}

// Nobody has to scroll to the side.
const fits = async (page) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "no wider than the window");

// Opens all that can be opened, and waits until it is: parts of it are drawn only then.
const open_all = (page) => page.evaluate(() => Promise.all(Array.from(document.querySelectorAll("details:not([open])"), (each) => new Promise((opened) => {
    each.addEventListener("toggle", () => opened(), {once: true});
    each.open = true;
}))));

// So many pictures later: what waits for the next one is done, and what goes on by itself has gone on.
const frames = (page, count = 2) => page.evaluate((left) => new Promise((done) => {
    const next = () => (left-- > 0 ? requestAnimationFrame(next) : done());
    next();
}), count);

// What `look` gives once it throws no more: a page that draws itself anew while it is looked at may lack for a moment what it shows before and after.
async function soon(look) {
    const deadline = Date.now() + hang_ms;
    for (;;) {
        const [error, given] = await look().then((value) => [null, value], (reason) => [reason]);
        if (!error) { return given; }
        if (Date.now() > deadline) { throw error; }
        await new Promise((go_on) => setTimeout(go_on, 100));  // time: between two looks
    }
}

// A link has the keyboard still when what it stands in was drawn anew, as `renew` makes it, or news that come by themselves. It may stand elsewhere then.
async function keeps_keyboard(link, renew = () => null) {
    const before = await soon(() => link.evaluateHandle((each) => {
        each.focus();
        if (document.activeElement !== each) { throw new Error("a link that was drawn anew between being found and having the keyboard"); }
        return each;
    }));
    const address = await before.getAttribute("href");
    await renew();
    await link.page().waitForFunction((each) => !each.isConnected, before);
    assert.strictEqual(await link.page().evaluate(() => document.activeElement.getAttribute("href")), address, "the link that had the keyboard has it");
}

// Waits until it stands there.
const stands = (page, turn) => page.locator(".stood").filter({hasText: turn}).waitFor();
const stood = (page) => page.locator(".stood").textContent();

module.exports = {file, findings, fits, frames, keeps_keyboard, open_all, output_folder, showing, soon, stands, stood, test_page, viewer_page, visit, withBrowser, write};
