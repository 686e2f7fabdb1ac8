// The smallest way to a bot in JavaScript: write a function, call play().
//
//     const { play } = require("./referee_bot");
//
//     play({ walls: (game) => "F" }, "my-bot");
//
// Nothing but Node 18 is needed. The environment says where the referee is, as the referee sets it for the bots that it launches:
//
//     REFEREE_ADDRESS   host:port, or tls://host:port#sha256=... as the instructor gives it; without it the bot talks over
//                       standard input and output
//     REFEREE_NAME      the name to log in with; without it the one given to play()
//     REFEREE_TOKEN     what proves the name; may be missing where the referee asks for none
//     REFEREE_PASSWORD  the class password, which registers a new name with your token: only the first login needs it
//     REFEREE_VERSION   which version of the bot this is, such as 2.1; may be missing
//
// With the option --self-play the bot plays against itself, by the program `referee` in PATH: node my_bot.js --self-play walls
"use strict";

const { spawnSync } = require("child_process");
const fs = require("fs");
const net = require("net");
const path = require("path");

const STATUS = { finished: 0, botFailed: 1, refused: 2, lost: 3 };
const PAUSE_FIRST_MS = 50;
const PAUSE_MAX_MS = 2000;
const FIRST_PATIENCE_MS = 10000; // for a referee that isn't there yet
const PATIENCE_MS = 60000; // a referee that stays away longer has given the game up
const DIAL_MS = 10000;
const KEEP_ALIVE_MS = 10000;
const PORT_MAX = 65535;
const DEBUG_MAX = 1024; // what the referee keeps
const SEATS = { walls: 2, light_cycles: 4 }; // of self-play; all other games have one
const STDOUT = 1;
const standardInput = Object.getOwnPropertyDescriptor(process, "stdin").get; // the bot's own code is kept from it, see the end

const say = (text) => fs.writeSync(2, text + "\n"); // for people: standard output may belong to the referee
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** A game that is on, as a bot sees it. */
class Game {
    constructor(start) {
        this.id = start.game_id;
        this.kind = start.game; // "walls"
        this.seat = start.seat; // your own, counted from 0
        this.names = start.names;
        this.params = start.params; // the setup, with all defaults filled in
        this.budgetUs = 0; // what this turn may take
        this.last = null; // how your last turn went: charged_us, late, notes
        this.memory = {}; // yours, for the length of the game; a lost connection doesn't clear it
        this.resume(start);
    }

    resume(start) {
        this.resumed = start.resumed === true; // the connection was lost, and the game goes on
        this.turn = start.turn || 0;
        this.state = start.state; // as the game's page describes it
        this.history = []; // after a reconnect: {moves, used_us} of each turn so far; else empty
    }

    take(turn, readAt) {
        this.turn = turn.turn;
        this.budgetUs = turn.budget_us || 0;
        this.last = turn.last || null;
        this.state = turn.state != null ? turn.state : patched(this.state, turn.delta || []);
        this._readAt = readAt;
        this._debug = undefined;
    }

    /** Milliseconds of this turn that are left, seen from here; the way to the referee isn't in it. */
    leftMs() {
        return this.budgetUs / 1000 - Number(process.hrtime.bigint() - this._readAt) / 1e6;
    }

    /** Text for you alone, kept beside this turn's move. */
    debug(text) {
        this._debug = String(text).slice(0, DEBUG_MAX);
    }
}

/** The state after a list of changes: add, replace and remove of RFC 6902. */
function patched(state, delta) {
    const whole = { state };
    for (const { op, path: pointer, value } of delta) {
        const names = ["state", ...pointer.split("/").slice(1).map((name) => name.replace(/~1/g, "/").replace(/~0/g, "~"))];
        const last = names.pop();
        const place = names.reduce((at, name) => at[name], whole);
        if (op === "remove") Array.isArray(place) ? place.splice(Number(last), 1) : delete place[last];
        else if (op === "add" && Array.isArray(place)) place.splice(last === "-" ? place.length : Number(last), 0, value);
        else place[last] = value;
    }
    return whole.state;
}

class AddressError extends Error {}
class WrongCertificate extends Error {}

/** host:port or tls://host:port#sha256=..., also with an IPv6 address in brackets. */
function splitAddress(address) {
    const found = /^(tls:\/\/)?(\[[^\]]+\]|[^\s#:]+):(\d+)(?:#sha256=([0-9A-Fa-f:]+))?$/.exec(address);
    const [, tls, host, port, digits] = found || [];
    const fingerprint = (digits || "").replace(/:/g, "").toLowerCase();
    const good = found && port > 0 && port <= PORT_MAX && (digits === undefined || (tls && fingerprint.length === 64));
    if (!good) {
        throw new AddressError("REFEREE_ADDRESS must be host:port, such as localhost:7777, or tls://host:port#sha256= with 64 " +
            `hexadecimal digits, not '${address}'`);
    }
    return { host: host.replace(/[[\]]/g, ""), port: Number(port), tls: Boolean(tls), fingerprint };
}

/** A connected socket. Refuses to talk to another certificate than the address names. */
function dial({ host, port, tls, fingerprint }) {
    return new Promise((resolve, reject) => {
        const options = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS };
        if (tls) { // the fingerprint is compared instead of names and authorities
            Object.assign(options, { rejectUnauthorized: !fingerprint, minVersion: "TLSv1.2", servername: net.isIP(host) ? "" : host });
        }
        const link = tls ? require("tls").connect(options) : net.connect(options);
        link.setTimeout(DIAL_MS, () => link.destroy(new Error(`no answer within ${DIAL_MS / 1000} s`)));
        link.once("error", reject);
        link.once(tls ? "secureConnect" : "connect", () => {
            const found = fingerprint && require("crypto").createHash("sha256").update(link.getPeerCertificate().raw).digest("hex");
            if (fingerprint && found !== fingerprint) {
                link.destroy();
                reject(new WrongCertificate("another certificate than the address names answers there: expected sha256=" +
                    `${fingerprint}, found sha256=${found}; no token was sent. Ask the instructor whether the referee has a new one`));
                return;
            }
            link.setTimeout(0);
            link.off("error", reject);
            resolve(link);
        });
    });
}

/** Writes all of it to the descriptor, also where that is not ready at once. */
function writeAll(descriptor, text) {
    let bytes = Buffer.from(text);
    while (bytes.length > 0) {
        try {
            bytes = bytes.subarray(fs.writeSync(descriptor, bytes));
        } catch (error) {
            if (error.code !== "EAGAIN") throw error;
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
        }
    }
}

/** Answers the referee's messages: one function for each kind of game. */
class Bot {
    constructor(choosers, name) {
        this.choosers = choosers;
        this.name = process.env.REFEREE_NAME || name;
        this.games = new Map(); // by game_id
        this.before = new Map(); // those of the connection that was lost: they are over, if they are not resumed
        this.welcomed = false; // on this connection
        this.goodbye = null; // how the referee ended it
    }

    /** Reads from one stream until the referee says goodbye or the stream ends. The answers go to `write`. */
    listen(stream, write) {
        this.welcomed = false;
        this.goodbye = null;
        return new Promise((resolve, reject) => {
            let rest = "", work = Promise.resolve();
            stream.setEncoding("utf8");
            stream.on("data", (text) => {
                const readAt = process.hrtime.bigint();
                const lines = (rest + text).split("\n");
                rest = lines.pop();
                for (const line of lines.filter((one) => one.trim())) work = work.then(() => this.take(line, readAt, write));
                work.then(() => this.goodbye && resolve(), reject);
            });
            stream.on("error", () => {}); // "close" follows
            stream.on("close", () => work.then(resolve, reject));
            stream.on("end", () => work.then(resolve, reject));
        });
    }

    async take(line, readAt, write) {
        if (this.goodbye) return;
        const message = JSON.parse(line);
        const handler = this["on_" + message.type]; // messages that a later protocol adds are passed over
        const answer = handler && (await handler.call(this, message, readAt, line));
        if (answer) write((typeof answer === "string" ? answer : JSON.stringify(answer)) + "\n");
    }

    on_hello() {
        const { REFEREE_TOKEN: token, REFEREE_PASSWORD: password, REFEREE_VERSION: version } = process.env;
        const games = Object.keys(this.choosers);
        return { type: "login", name: this.name, token, password, version, client: "JavaScript kit 1", games, state: "delta" };
    }

    on_welcome() {
        this.welcomed = true;
        this.before = this.games;
        this.games = new Map();
    }

    on_start(start) {
        const known = start.resumed && this.before.get(start.game_id);
        const game = known || new Game(start);
        if (known) known.resume(start);
        const how = start.resumed ? `goes on from turn ${game.turn}` : "begins";
        say(`game ${game.id} ${how}: ${game.kind}, ${game.names.join(" against ")}`);
        this.games.set(game.id, game);
        return { type: "ready", game_id: start.game_id };
    }

    on_history({ game_id, turns }) {
        const game = this.games.get(game_id);
        if (game) game.history.push(...turns);
    }

    async on_turn(message, readAt) {
        const game = this.games.get(message.game_id);
        if (!game) return undefined;
        game.take(message, readAt);
        let move = null;
        try {
            move = await this.choosers[game.kind](game);
            if (move === undefined) throw new Error("the function for " + game.kind + " returned nothing; it should return the move");
        } catch (error) {
            say(`no move in turn ${game.turn} of game ${game.id}, the turn is given away: ${(error && error.stack) || error}`);
            game.debug(`threw: ${String(error && error.stack || error).split("\n").slice(0, 2).map((line) => line.trim()).join(" ")}`);
        }
        return { type: "move", game_id: game.id, turn: game.turn, move: move === undefined ? null : move, debug: game._debug };
    }

    on_end({ game_id, seats, reason }) {
        const game = this.games.get(game_id);
        const own = game && seats[game.seat];
        const place = own && seats.length > 1 ? `place ${own.place} of ${seats.length}, ` : "";
        if (own) say(`game ${game_id} is over: ${place}score ${own.score}: ${reason}`);
        this.games.delete(game_id);
    }

    on_ping(_message, _readAt, line) { // an id may be larger than a number here can hold
        return `{"type":"pong","id":${/"id"\s*:\s*(\d+)/.exec(line)[1]}}`;
    }

    on_error({ code, message }) {
        say(`error: ${code}: ${message}`);
    }

    on_fault({ game_id, turn, code, message }) {
        say(`fault in game ${game_id}, turn ${turn}: ${code}: ${message}`);
    }

    on_note({ code, message }) {
        say(`note: ${code}: ${message}`);
    }

    on_bye({ reason, message }) {
        this.goodbye = reason || "finished";
        const unwanted = this.goodbye === "refused" || this.goodbye === "replaced";
        this.status = unwanted ? STATUS.refused : STATUS.finished;
        if (unwanted && !this.welcomed) say(`login refused: ${message || reason}`);
        else if (message) say(`goodbye: ${message}`);
    }
}

/** Over standard input and output. What the program prints goes to standard error meanwhile. */
async function playLaunched(bot) {
    const input = standardInput.call(process);
    if (input.isTTY) say("REFEREE_ADDRESS is not set: this bot waits for a referee on its standard input");
    await bot.listen(input, (line) => writeAll(STDOUT, line));
    if (bot.goodbye) return bot.status;
    say("the connection broke: the referee is gone");
    return STATUS.lost;
}

/** Over TCP. Dials again, with growing pauses, where the connection is lost. */
async function playDialled(bot, address) {
    const where = splitAddress(address);
    let patience = FIRST_PATIENCE_MS, pause = PAUSE_FIRST_MS;
    for (;;) {
        let trouble = "the connection was lost";
        try {
            const link = await dial(where);
            await bot.listen(link, (line) => link.write(line));
            link.destroy();
            if (bot.goodbye) return bot.status;
            if (bot.welcomed) [patience, pause] = [PATIENCE_MS, PAUSE_FIRST_MS];
        } catch (error) {
            if (error instanceof WrongCertificate) throw error;
            if (error instanceof SyntaxError) throw new Error("what answers at " + address + " is no referee: " + error.message);
            trouble = error.code ? `${error.message || "no connection"} (${error.code})` : error.message;
        }
        if (patience <= 0) throw new Error(trouble);
        say(`${trouble}, trying again`);
        await sleep(pause);
        patience -= pause;
        pause = Math.min(pause * 2, PAUSE_MAX_MS);
    }
}

/** A game against itself, without a daemon. All that stands behind the game's name goes to `referee play`. */
function selfPlay(choosers, [game = Object.keys(choosers)[0], ...more]) {
    const quoted = (text) => (/^[\w./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);
    const program = path.resolve(process.argv[1]);
    const bots = Array(SEATS[game] || 1).fill(["--bot", [process.execPath, program].map(quoted).join(" ")]).flat();
    const { REFEREE_ADDRESS, ...env } = process.env;
    const done = spawnSync("referee", ["play", game, ...bots, "--reads", path.dirname(program), ...more], { stdio: "inherit", env });
    if (done.error && done.error.code === "ENOENT") {
        say("self-play needs the program `referee` in PATH, and there is none: install the referee, or add the folder where it was built " +
            "(build/release/bin) to PATH");
        return STATUS.refused;
    }
    return done.status === null ? STATUS.botFailed : done.status;
}

/**
 * Plays until the referee says goodbye, and ends the program: with status 0; 1 where the bot failed; 2 where the login was refused or
 * an option is wrong; 3 where there is no connection.
 *
 * `choosers` has a function for each kind of game that the bot plays: it is given the Game and returns the move (or a promise of it),
 * anything that JSON can say. Where it throws, the turn is given away, and standard error says why.
 */
async function play(choosers, name) {
    const option = process.argv.indexOf("--self-play");
    const address = process.env.REFEREE_ADDRESS;
    let status = STATUS.lost;
    if (option < 0 && /^-/.test(process.argv[2] || "") && !address && !process.env.REFEREE_NAME) {
        say(`no such option: ${process.argv[2]}; expected --self-play [GAME], or nothing and a referee in REFEREE_ADDRESS`);
        process.exit(STATUS.refused);
    }
    try {
        const bot = new Bot(choosers, name);
        if (option > 0) status = selfPlay(choosers, process.argv.slice(option + 1));
        else status = await (address ? playDialled(bot, address) : playLaunched(bot));
    } catch (error) {
        say(`cannot reach the referee: ${error.message}`);
        if (error instanceof AddressError) status = STATUS.refused;
    }
    process.exit(status);
}

// From here on, and before any bot's own code: what it prints must not get between the messages, nor may it read them.
function refuseInput() {
    throw new Error("standard input belongs to the referee, which tells each turn there: the function for a game is given all of it");
}
if (!process.env.REFEREE_ADDRESS) {
    Object.defineProperty(process, "stdout", { get: () => process.stderr, configurable: true });
    Object.defineProperty(process, "stdin", { get: refuseInput, configurable: true });
}

module.exports = { play, Game, patched };
