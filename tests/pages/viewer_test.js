// The viewer with every key, seeking, links, and a page as the program writes it.
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const test = require("node:test");
const {asObject, boardFile, games, modules, read, withoutMarks} = require("./compose.js");
const {file, frames, showing, stands, stood, test_page, viewer_page, visit, withBrowser} = require("./browser.js");

withBrowser();

const film = showing("e7_planets");
const last = film.frames.length;
const turn = (number) => "Turn " + number + " of " + last;
const press = async (page, ...keys) => { for (const key of keys) { await page.keyboard.press(key); } };

test("the program composes pages as these tests do", () => {
    const page = fs.readFileSync(file("games.html"), "utf8");
    const parts = modules("viewer").filter((each) => each !== "boards").map((each) => withoutMarks(read(each)).trim());
    let place = 0;
    for (const part of parts) {
        place = page.indexOf(part, place);
        assert.ok(place > 0, "games.html lacks a module, or has it elsewhere: " + part.slice(0, 100));
    }
    for (const game of games) { assert.ok(page.includes(game + ": " + asObject(fs.readFileSync(boardFile(game), "utf8"))), game); }
});

test_page("keys step through the frames", () => viewer_page("keys.html", film), {}, async (page) => {
    assert.strictEqual(await stood(page), turn(0));
    for (const [key, expected] of [["ArrowRight", 1], ["ArrowDown", 2], ["ArrowRight", 3], ["ArrowLeft", 2], ["ArrowUp", 1], ["End", last], ["ArrowRight", last], ["Home", 0],
                                   ["ArrowLeft", 0], ["PageDown", last], ["PageUp", 0]]) {
        await press(page, key);
        assert.strictEqual(await stood(page), turn(expected), key);
    }
});

test_page("enter runs forward, backspace backward, space pauses, f and s change the speed", () => viewer_page("run.html", showing("long")), {}, async (page) => {
    const running = () => page.locator(".speed").textContent();
    await press(page, "f", "f");
    assert.match(await running(), /^5×/);
    await press(page, "s");
    assert.match(await running(), /^2×/);
    await press(page, "Enter");
    assert.match(await running(), /forward/);
    await page.waitForFunction(() => Number(document.querySelector(".slider").value) > 5);
    await press(page, " ");
    assert.doesNotMatch(await running(), /ward/);
    const at = Number(await page.locator(".slider").inputValue());
    await frames(page, 30);
    assert.strictEqual(Number(await page.locator(".slider").inputValue()), at, "it stands still");
    // From the end and slowly, so that it still runs when a busy machine looks.
    await press(page, "End", "s", "s", "Backspace");
    assert.match(await running(), /^0\.5× backward/);
    await press(page, "f", "f", "f", "f", "f", "f");
    assert.match(await running(), /^50× backward|^50×$/);
    await page.waitForFunction(() => Number(document.querySelector(".slider").value) === 0);
    await press(page, "f");
    assert.match(await running(), /^100×$/);
    await press(page, "Enter");
    await page.waitForFunction(() => document.querySelector(".slider").value === document.querySelector(".slider").max);
    assert.doesNotMatch(await running(), /ward/, "it stops at the end");
});

test_page("each key of the table has a button or does what help says", () => viewer_page("help.html", film), {}, async (page) => {
    await press(page, "h");
    assert.ok(await page.locator("dialog.help").isVisible());
    for (const words of ["right, down", "left, up", "home, page up", "end, page down", "escape, q", "enter", "backspace", "f", "s", "h"]) {
        assert.strictEqual(await page.locator("dialog kbd", {hasText: new RegExp("^" + words + "$")}).count(), 1, words);
    }
    await press(page, "ArrowRight");
    assert.strictEqual(await stood(page), turn(0), "keys are the dialog's while it is open");
    await press(page, "Escape");
    await page.locator("dialog.help").waitFor({state: "hidden"});  // the browser closes it a moment later
    await press(page, "h");
    await page.locator("dialog.help").waitFor({state: "visible"});
    await press(page, "h");
    await page.locator("dialog.help").waitFor({state: "hidden"});
    await press(page, "p");
    await page.locator("body.projector").waitFor();
    await press(page, "q");
    await page.locator("body:not(.projector)").waitFor();
    await press(page, "q");
    await page.getByText("Close the tab").waitFor();
});

test_page("buttons do what the keys do, and keep enter and space for themselves", () => viewer_page("buttons.html", film), {}, async (page) => {
    for (const [name, expected] of [["Next frame", 1], ["Last frame", last], ["Previous frame", last - 1], ["First frame", 0]]) {
        await page.getByRole("button", {name: name, exact: true}).click();
        assert.strictEqual(await stood(page), turn(expected), name);
    }
    await page.getByRole("button", {name: "Next frame", exact: true}).focus();
    await press(page, "Enter", " ");
    assert.strictEqual(await stood(page), turn(2));
    assert.doesNotMatch(await page.locator(".speed").textContent(), /forward/);
});

test_page("the slider seeks, and the timeline does where it is clicked", () => viewer_page("seek.html", film), {}, async (page) => {
    await page.locator(".slider").fill("17");
    assert.strictEqual(await stood(page), turn(17));
    await page.locator(".slider").focus();
    await press(page, "ArrowRight");
    assert.strictEqual(await stood(page), turn(18), "a key moves by one frame on the slider too");
    const box = await page.locator("canvas.lanes").boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const at = Number(await page.locator(".slider").inputValue());
    assert.ok(Math.abs(at - last / 2) <= 1, "clicked at half, stands at " + at);
});

test("the address names the turn, and is kept up to date", async () => {
    await visit(viewer_page("turn.html", film) + "#turn=9", {}, async (page) => {
        assert.strictEqual(await stood(page), turn(9));
        await press(page, "ArrowRight", "ArrowRight");
        await page.waitForFunction(() => window.location.hash === "#turn=11");
        assert.strictEqual(await page.locator(".here").getAttribute("href"), "#turn=11");
        await page.evaluate(() => { window.location.hash = "#turn=4"; });
        await stands(page, turn(4));
        await page.evaluate(() => { window.location.hash = "#turn=100000"; });
        await stands(page, turn(last));
    });
    const address = viewer_page("turn.html", film);
    await visit(address, {}, async (page) => {
        for (const odd of ["#turn=", "#turn=x", "#turn=-1", "#", "#nothing"]) {
            await page.goto(address + "?" + encodeURIComponent(odd) + odd);  // another page each time
            assert.strictEqual(await stood(page), turn(0), odd);
        }
    });
});

test("faults are marked, stepped to, and have their evidence a click away", async () => {
    const told = showing("faults");
    told.frames[0].times = [{seat: 0, waited_us: 5000}];
    await visit(viewer_page("faults.html", told), {}, async (page) => {
        assert.strictEqual(await page.locator(".faults details").count(), told.faults.length);
        await press(page, "]");
        const at = Number(await page.locator(".slider").inputValue());
        assert.ok(at > 0);
        const open = page.locator(".faults details[open]").first();
        const fault = told.faults.find((each) => each.turn === at);
        await open.getByText(fault.rule_text).waitFor();
        assert.ok((await open.textContent()).includes(fault.evidence.received), "the line that was received");
        const names = await open.locator("dt").allTextContents();
        assert.deepStrictEqual(names, [...new Set(names)], "each part has a name of its own");
        assert.ok(names.includes("line received") && names.includes("received at"), names.join(", "));
        const wall = await open.locator("dt", {hasText: /^wall$/}).locator("+ dd").textContent();
        assert.strictEqual(wall, "56.4 ms", "what was charged and the wait");
        assert.ok((await page.locator(".seats").textContent()).includes("51.4 ms (wall 56.4 ms)"));
        await press(page, "]");
        assert.ok(Number(await page.locator(".slider").inputValue()) > at);
        await press(page, "[");
        assert.strictEqual(Number(await page.locator(".slider").inputValue()), at);
        if (told.faults_total > told.faults.length) { await page.getByText("more that were not kept").waitFor(); }
    });
});

test("debug texts stand beside the board, and d hides them", async () => {
    const talking = showing("walls");
    talking.frames[2].debug = ["line one\nline two", null];
    await visit(viewer_page("debug.html", talking) + "#turn=3", {}, async (page) => {
        assert.strictEqual(await page.locator(".debug pre:visible").count(), 1);
        assert.strictEqual(await page.locator(".debug pre:visible").textContent(), "line one\nline two");
        const silent = page.getByText("Nothing was said in this turn.");
        assert.ok(!await silent.isVisible());
        await page.keyboard.press("ArrowRight");
        assert.ok(await silent.isVisible(), "the heading stands over nothing");
        await page.keyboard.press("ArrowLeft");
        await press(page, "d");
        assert.ok(!await page.locator(".debug").isVisible());
        await press(page, "d", "ArrowRight");
        assert.strictEqual(await page.locator(".debug pre:visible").count(), 0);
    });
});

test("several games are chosen by number, by the list and by the address", async () => {
    await visit("file://" + file("games.html"), {}, async (page) => {
        const title = page.locator("header.title .explained");
        assert.match(await title.textContent(), /^Walls/);
        await press(page, "2");
        await title.filter({hasText: "E7 Planets"}).waitFor();
        await press(page, "3", "ArrowRight");
        await title.filter({hasText: "Walls"}).waitFor();
        await page.locator("#choice").selectOption({index: 1});
        await title.filter({hasText: "E7 Planets"}).waitFor();
        await press(page, "9");
        assert.match(await title.textContent(), /^E7 Planets/, "there is no ninth");
    });
    await visit("file://" + file("games.html") + "#game=nobody/1.1&turn=3", {}, async (page) => {
        await page.getByRole("alert").getByText("no game nobody/1.1").waitFor();
    });
});

test_page("the position is told when it stands, and not while it runs", () => viewer_page("told.html", film), {}, async (page) => {
    await press(page, "ArrowRight", "ArrowRight");
    await page.waitForFunction(() => document.querySelector("[aria-live=polite]").textContent.startsWith("Turn 2. The ship is at row"));
    await press(page, "Enter");
    await page.waitForFunction(() => Number(document.querySelector(".slider").value) > 4);
    assert.match(await page.locator("[aria-live=polite]").textContent(), /^Turn 2\./);
});

test("a game without a board is shown as the engine writes it", async () => {
    const plain = Object.assign(showing("walls"), {game: "constructor", title: "A sixth game", text: "a . .\n. . b"});
    plain.frames.forEach((frame, index) => { frame.text = "position " + (index + 1); });
    await visit(viewer_page("plain.html", plain), {}, async (page) => {
        assert.strictEqual(await page.locator("pre.board").textContent(), "a . .\n. . b");
        await press(page, "ArrowRight");
        assert.strictEqual(await page.locator("pre.board").textContent(), "position 1");
    });
});

test("the command that plays on from a turn names the next turn, the seat and the replay", async () => {
    const odd = Object.assign(showing("walls"), {game_id: "it's; rm/1.1"});
    await visit(viewer_page("again.html", odd) + "#turn=4", {}, async (page) => {
        await page.getByText("Try again from here").click();
        assert.strictEqual(await page.locator(".again pre").textContent(), "referee fork 'it'\\''s; rm_1.1.ndjson' --turn 5 --seat 0 --bot ./my_bot");
        await page.locator("#again-seat").selectOption({index: 1});
        assert.match(await page.locator(".again pre").textContent(), / --seat 1 /);
        await page.getByText("In place of " + odd.bots[0] + " one of the referee's own bots plays.").waitFor();
        await page.locator(".slider").fill("6");
        assert.match(await page.locator(".again pre").textContent(), / --turn 7 /);
        await page.locator(".slider").fill(String(odd.frames.length));
        assert.ok(!await page.locator(".again").isVisible(), "after the last turn there is none to play");
    });
});

test("where a game comes from, and what the rules tell otherwise, is said", async () => {
    const told = Object.assign(showing("walls"), {forked_from: {game_id: "friday/12.1", turn: 41}, differences: ["turn 3: <b>bricks</b>"]});
    delete told.clock;
    delete told.game_id;
    await visit(viewer_page("origin.html", told), {}, async (page) => {
        await page.getByText("Played on from friday/12.1, anew from turn 41.").waitFor();
        await page.getByText("turn 3: <b>bricks</b>").waitFor();
    });
});
