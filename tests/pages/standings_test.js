// The standings, and an output folder's page with 5,000 matches.
"use strict";
const assert = require("node:assert");
const test = require("node:test");
const zlib = require("node:zlib");
const {file, findings, frames, output_folder, showing, stands, stood, test_page, visit, withBrowser, write} = require("./browser.js");
const {tournament} = require("./tournaments.js");

withBrowser();

test("what a ladder ranks by stands beside the name, apart from the Elo; who won stands above", async () => {
    const ladder = Object.assign(tournament(4), {format: "ladder"});
    ladder.bots.forEach((bot, at) => { bot.ladder_rating = 1600 - at; });
    await visit(output_folder("ladder", ladder), {}, async (page) => {
        const heads = await page.locator(".ranking thead th").allTextContents();
        assert.deepStrictEqual([heads[2], heads.includes("Elo of all matches"), heads.includes("Elo")], ["Rating", true, false]);
        assert.strictEqual(await page.locator(".winner").textContent(), "Won by bot-1");
        await page.getByText("A ladder ranks by its rating").waitFor();
    });
});

test_page("the table keeps the order and says what there is", () => output_folder("table", tournament(8)), {}, async (page) => {
    assert.deepStrictEqual(await page.locator(".ranking tbody tr:first-child > *").allTextContents(), ["1", "bot-1", "8", "16", "0", "+400", "60", "1–4"]);
    assert.deepStrictEqual(await page.locator(".ranking tbody bdi").allTextContents(), Array.from({length: 8}, (_, index) => "bot-" + (index + 1)));
    await page.getByText("Ranked by points, then scores.").waitFor();
    assert.strictEqual(await page.locator(".rated .point").count(), 8);
    // The newest matches are shown, and those of a round when it is chosen.
    const first = page.getByRole("region", {name: "Matches"}).locator("tbody tr").first();
    assert.match(await first.textContent(), /bot-4 – bot-5/);
    assert.strictEqual(await page.locator("#round option").count(), 8);
    await page.locator("#round").selectOption("1");
    await first.filter({hasText: /bot-1 – bot-2.*1 – 0.*big\/1\.1 big\/1\.2/}).waitFor();
    await page.getByText("Cross table").click();
    await page.locator(".cross tbody tr").first().waitFor();
    assert.deepStrictEqual(await page.locator(".cross tbody tr").first().locator("td").allTextContents(), ["1", "W", "W", "W", "W", "W", "W", "W", "8"]);
});

test_page("a table that goes on behind the edge has a shade there",
    () => output_folder("wide", tournament(8)), {viewport: {width: 390, height: 844}, colorScheme: "light"}, async (page) => {
    const table = page.getByRole("region", {name: "Standings"});
    // The edges' brightness, from a picture.
    const edges = async () => page.evaluate(async (bytes) => {
        const picture = await window.createImageBitmap(new Blob([new Uint8Array(bytes)]));
        const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
        canvas.drawImage(picture, 0, 0);
        return [1, picture.width - 2].map((x) => canvas.getImageData(x, 12, 1, 1).data[0]);
    }, Array.from(await table.screenshot()));
    const [left, right] = await edges();
    assert.ok(left > 250 && right < 220, "there is more to the right: " + left + ", " + right);
    await table.evaluate((each) => { each.scrollLeft = each.scrollWidth; });
    await frames(page);
    const [before, end] = await edges();
    assert.ok(before < 220 && end > 250, "and then to the left: " + before + ", " + end);
});

test("a tournament without ratings, matches or bots is shown too", async () => {
    const solo = tournament(2);
    solo.bots.forEach((bot) => {
        delete bot.rating;
        delete bot.rank_interval;
        bot.matches.forEach((match) => { match.opponents = []; });
    });
    await visit(output_folder("solo", solo), {}, async (page) => {
        assert.strictEqual(await page.locator(".rated").count(), 0);
        assert.deepStrictEqual(await page.locator(".ranking thead th").allTextContents(), ["Rank", "Bot", "Points", "Scores", "Played"]);
    });
    await visit(output_folder("forfeits", Object.assign(tournament(2), {matches_played: 22})), {}, async (page) => {
        await page.getByText("walls, swiss, 22 matches, finished").waitFor();
    });
    await visit(output_folder("empty", Object.assign(tournament(2), {bots: [], rounds: [], matches_played: 0})), {}, async (page) => {
        await page.getByText("Nobody takes part yet.").waitFor();
        await page.getByText("No match was drawn yet.").waitFor();
    });
});

// What a tournament's data tell of cycles, seats and seeds, as standings.json has it.
function certain(data) {
    const [a, b, c] = data.bots.map((bot) => bot.name);
    return Object.assign(data, {
        arbiter: ["the result of big/1 is set, by places " + a + " 1, " + b + " 2: <b>by lot</b> (ada)"],
        cycles: {alpha: 0.05, triples: 10, tested_pairs: 6, found: 1, too_few: false, needed: 7, told: [{bots: [a, b, c], p: 0.001}]},
        seats: {games: 80, matches: 40, alpha: 0.05,
                effects: [{kind: "seat", seat: 0, games: 80, matches: 40, method: "swapped_seats", advantage: 0.0421, advantage95: [0.01, 0.07], p: 0.01, needed_matches: 30, real: true},
                          {kind: "setup", seat: 0, setup: 1, games: 3, matches: 2, method: "model", advantage: null, real: false}],
                rotation: [{kind: "seat", alone: 0.0421, most_left_with: c, left: -0.002}]},
        common_seeds: {seeds: 12, alpha: 0.05, pairs: 3, told_pairs: 1, bots: [],
                       neighbours: [{better: a, worse: b, seeds: 12, difference: 3.456, difference95: [1, 6], p: 0.01, told: true, needed_seeds: 0},
                                    {better: b, worse: c, seeds: 12, difference: 0.5, difference95: [-1, 2], p: 0.7, told: false, needed_seeds: 190}]}
    });
}

test("how sure the order is stands in plain tables", async () => {
    const hostile = (index) => "<img src=x onerror=alert(1)>" + index;
    await visit(output_folder("sure", certain(tournament(4, hostile))), {}, async (page) => {
        assert.ok((await page.locator(".arbiter li").textContent()).includes("<b>by lot</b> (ada)"));
        await page.getByRole("heading", {name: "How sure it is"}).click();
        const circles = page.getByRole("region", {name: "Circles beyond chance"});
        assert.strictEqual(await circles.locator("tbody th").textContent(), [0, 1, 2, 0].map(hostile).join(" beats "));
        assert.strictEqual(await circles.locator("tbody td").textContent(), "1 in 1,000");
        const seats = page.getByRole("region", {name: "What a seat is worth"});
        assert.deepStrictEqual(await seats.locator("tbody tr > *").allTextContents(), ["seat 0", "80", "+4.2 %", "+1.0 % to +7.0 %", "yes"]);
        const seeds = page.getByRole("region", {name: "Neighbours on the same seeds"});
        assert.deepStrictEqual(await seeds.locator("tbody tr").nth(1).locator("td").allTextContents(), ["12", "0.5", "-1 to 2", "not shown", "190"]);
        assert.deepStrictEqual(await findings(page), []);
    });
    const few = certain(tournament(4));
    few.cycles = Object.assign(few.cycles, {told: [], found: 0, too_few: true});
    few.seats.effects[0].real = false;
    few.seats.rotation[0].left = 0.0004;
    delete few.common_seeds;
    await visit(output_folder("unsure", few), {}, async (page) => {
        await page.getByRole("heading", {name: "How sure it is"}).click();
        await page.getByText("No two met often enough for that: 7 different matches would be").waitFor();
        await page.getByText("No seat was better than another, as far as these matches tell.").waitFor();
        assert.strictEqual(await page.getByText("gained more by them").count(), 0, "what is nothing isn't told");
    });
    await visit(output_folder("nothing", tournament(4)), {}, async (page) => {
        await page.getByRole("heading", {name: "How sure it is"}).click();
        await page.getByText("The matches tell nothing of circles, seats or seeds.").waitFor();
        assert.strictEqual(await page.locator(".arbiter").count(), 0);
    });
});

test("what the arbiter set is marked in the rounds", async () => {
    const rounds = [{round: 1, byes: [{name: "bot-5", kind: "zero_point", points: 0}], matches: [
        {match: "big/1", over: true, ruled: true, seats: [{name: "bot-1", points: 1}, {name: "bot-2", points: 0}],
         games: ["big/1.1~2"], annulled: [{game: "big/1.1", reason: "a slip"}]},
        {match: "big/2", over: false, by_hand: true, seats: [{name: "bot-3"}, {name: "bot-4"}], games: []}]}];
    const address = output_folder("set", Object.assign(tournament(4), {rounds}));
    await visit(address, {}, async (page) => {
        const rows = page.locator("details.part[open] table tbody tr");
        assert.match(await rows.nth(0).textContent(), /bot-3 – bot-4 #not over/);
        assert.match(await rows.nth(1).textContent(), /bot-1 – bot-21 – 0 \*big\/1.1~2 big\/1.1 annulled by order: a slip result set by the arbiter$/);
        assert.strictEqual(await rows.nth(1).getByRole("link", {name: "big/1.1", exact: true}).getAttribute("href"), "#game=big/1.1");
        assert.strictEqual(await rows.nth(2).textContent(), "bot-50absent");
        await page.getByText("* The arbiter set this result.").waitFor();
        await page.getByText("# The arbiter set this match before its round was drawn.").waitFor();
    });
});

test("an output folder's page shows standings, and a game when its link is followed, or why it can't", async () => {
    const game = Object.assign(showing("walls"), {game_id: "big/1.1"});
    const address = output_folder("out", tournament(8));
    const packed = zlib.deflateSync(JSON.stringify(game)).toString("base64");
    write("out/page/games/big_1.1.js", "packed_showing(\"" + packed + "\");\n");
    await visit(address, {}, async (page) => {
        assert.deepStrictEqual(await findings(page), []);
        await page.locator("#round").selectOption("1");
        await page.getByRole("link", {name: "big/1.1"}).click();
        await page.locator(".stood").waitFor();
        await page.keyboard.press("ArrowRight");
        assert.match(await stood(page), /^Turn 1 of/);
        await page.waitForFunction(() => window.location.hash === "#game=big/1.1&turn=1");
        assert.deepStrictEqual(await findings(page), []);
        await page.keyboard.press("q");
        await page.waitForFunction(() => document.querySelector(".ranking") !== null && window.location.hash === "");
        await page.keyboard.press("ArrowRight");
        await frames(page, 30);
        assert.strictEqual(await page.evaluate(() => window.location.hash), "", "the game's keys ended with it");
    });
    await visit(address + "#game=big/1.1&turn=3", {}, async (page) => {
        await stands(page, "Turn 3 of");
        await page.getByRole("link", {name: "Back to the standings"}).click();
        await page.locator(".ranking").waitFor();
    });
    write("out/page/games/big_1.2.js", "no_showing(\"its replay is too <b>long</b>\");\n");
    await visit(address + "#game=big/1.2", {}, (page) => page.getByRole("alert").getByText("its replay is too <b>long</b>").waitFor());
    for (const [number, packed_badly] of [[3, "%"], [4, packed.slice(0, 40)]]) {
        write("out/page/games/big_1." + number + ".js", "packed_showing(\"" + packed_badly + "\");\n");
        await visit(address + "#game=big/1." + number, {},
            (page) => page.getByRole("alert").getByText("page/games/big_1." + number + ".js is damaged").waitFor());
    }
    await visit(address, {}, async (page) => {
        await page.evaluate(() => { delete window.DecompressionStream; window.location.hash = "#game=big/1.1"; });
        await page.getByRole("alert").getByText("expected one of the year 2023 or newer").waitFor();
    });
    const told = /ERR_FILE_NOT_FOUND/;
    await visit(address + "#game=big/2.2", {told}, (page) => page.getByRole("alert").getByText("page/games/big_2.2.js can't be read").waitFor());
    await visit(output_folder("ladder", Object.assign(tournament(4), {format: "ladder"})) + "#game=big/1.1", {told},
        (page) => page.getByRole("alert").getByText("A ladder's games leave no files here, unless its config says \"game_files\": \"all\".").waitFor());
});

test_page("a folder that the program wrote opens from disk, each game of it too", () => "file://" + file("real/index.html"), {}, async (page) => {
    await page.waitForFunction(() => document.querySelectorAll(".ranking tbody tr").length === 3);
    assert.ok((await page.locator(".ranking tbody bdi").allTextContents()).includes("<b>bob</b>"));
    const links = page.getByRole("region", {name: "Matches"}).getByRole("link");
    await links.nth(5).waitFor();
    const games = await links.allTextContents();
    assert.strictEqual(games.length, 6);
    for (const game of games) {
        await page.evaluate((id) => { window.location.hash = "#game=" + id; }, game);
        await page.waitForFunction((id) => document.querySelector(".game-id") && document.querySelector(".game-id").textContent === id && document.querySelector(".stood"), game);
        await page.keyboard.press("End");
        assert.match(await page.locator("section[aria-label=Result]").textContent(), /the other player/);
        await page.keyboard.press("q");
        await page.locator(".ranking").waitFor();
    }
});

test_page("a thousand bots are shown, and 5,000 matches are listed and found", () => output_folder("many", tournament(1000)), {}, async (page) => {
    assert.strictEqual(await page.locator(".ranking tbody tr").count(), 1000);
    await page.getByRole("heading", {name: "Cross table"}).click();
    await page.locator(".cross tbody tr").nth(999).waitFor();
    const told = page.getByRole("status");
    const all = Number((await told.textContent()).split(" ")[0]);
    assert.ok(all >= 5000, all + " matches");
    const rows = page.getByRole("region", {name: "Matches"}).locator("tbody tr");
    assert.strictEqual(await rows.count(), 25);
    await page.getByRole("button", {name: "Older"}).click();
    await page.getByRole("link", {name: "big/" + (all - 25) + ".1"}).waitFor();
    await page.locator("#look").fill("bot-770");
    await told.filter({hasText: /^11 matches$/}).waitFor();
    assert.ok((await rows.first().textContent()).includes("bot-770"));
});
