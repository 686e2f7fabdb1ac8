// How a Superball board is drawn: each colour has a shape and its letter besides. It reads states as RULES.md tells them.

const margin = 0.8;
// The colours that games usually have; others take the tones in the order of the params.
const usual = "pbyrg";
const tones = 8;

function tone_of(letter, showing) {
    var colours = showing.params.colors;
    var standard = usual.indexOf(letter);
    return standard >= 0 ? standard : (usual.length + Math.max(colours.indexOf(letter), 0)) % tones;
}

function star(x, y, corners, outer, inner, turn) {
    var points = [];
    for (var i = 0; i < 2 * corners; ++i) {
        var radius = i % 2 ? inner : outer;
        var angle = Math.PI * (i / corners) + turn;
        points.push(x + radius * Math.sin(angle), y - radius * Math.cos(angle));
    }
    return points;
}

function shape(pen, x, y, tone, colour) {
    if (tone === 0) { pen.circle(x, y, 0.4, colour); }
    if (tone === 1) { pen.rect(x - 0.37, y - 0.37, 0.74, 0.74, colour); }
    if (tone === 2) { pen.polygon([x, y - 0.46, x + 0.46, y + 0.38, x - 0.46, y + 0.38], colour); }
    if (tone === 3) { pen.polygon([x, y - 0.47, x + 0.47, y, x, y + 0.47, x - 0.47, y], colour); }
    if (tone === 4) { pen.polygon(star(x, y, 3, 0.46, 0.46, 0), colour); }
    if (tone === 5) { pen.polygon(star(x, y, 5, 0.48, 0.3, 0), colour); }
    if (tone === 6) { pen.rect(x - 0.42, y - 0.3, 0.84, 0.6, colour, {round: 0.28}); }
    if (tone === 7) { pen.polygon(star(x, y, 4, 0.48, 0.3, 0), colour); }
}

function piece(pen, x, y, letter, tone) {
    shape(pen, x + 0.5, y + 0.5, tone, "tone" + tone);
    pen.text(x + 0.5, y + (tone === 2 ? 0.62 : 0.5), letter, "ground", {size: 0.42, bold: true});
}

function goal(pen, x, y) {
    pen.rect(x, y, 1, 1, "gold", {alpha: 0.22});
    pen.rect(x + 0.05, y + 0.05, 0.9, 0.9, null, {stroke: "gold", width: 0.06});
}

function is_goal(sign) { return sign === "*" || (sign >= "A" && sign <= "Z"); }
function is_piece(sign) { return sign !== "*" && sign !== "."; }

function draw_cells(pen, board) {
    var rows = board.length;
    var columns = board[0].length;
    for (var r = 0; r < rows; ++r) {
        for (var c = 0; c < columns; ++c) {
            pen.rect(margin + c, margin + r, 1, 1, null, {stroke: "grid", width: 0.03});
            if (is_goal(board[r].charAt(c))) { goal(pen, margin + c, margin + r); }
        }
    }
    for (var i = 0; i < rows; ++i) { pen.text(margin / 2, margin + i + 0.5, i, "faint", {size: 0.34}); }
    for (var k = 0; k < columns; ++k) { pen.text(margin + k + 0.5, margin / 2, k, "faint", {size: 0.34}); }
}

// A corner at each end marks a cell that the turn changed.
function changed(pen, x, y) {
    pen.line(x + 0.06, y + 0.3, x + 0.06, y + 0.06, "mark", {width: 0.08});
    pen.line(x + 0.06, y + 0.06, x + 0.3, y + 0.06, "mark", {width: 0.08});
    pen.line(x + 0.94, y + 0.7, x + 0.94, y + 0.94, "mark", {width: 0.08});
    pen.line(x + 0.94, y + 0.94, x + 0.7, y + 0.94, "mark", {width: 0.08});
}

export function size(showing) {
    return {width: showing.state.board[0].length + margin + 0.1, height: showing.state.board.length + margin + 0.1};
}

export function draw(pen, state, showing, past) {
    pen.layer(showing, function (below) { draw_cells(below, showing.state.board); });
    var before = past(1);
    for (var r = 0; r < state.board.length; ++r) {
        for (var c = 0; c < state.board[r].length; ++c) {
            var sign = state.board[r].charAt(c);
            if (is_piece(sign)) { piece(pen, margin + c, margin + r, sign.toLowerCase(), tone_of(sign.toLowerCase(), showing)); }
            if (before && before.board[r].charAt(c) !== sign) { changed(pen, margin + c, margin + r); }
        }
    }
}

export function describe(state, showing) {
    var counts = {};
    state.board.join("").toLowerCase().split("").filter(is_piece).forEach(function (letter) { counts[letter] = (counts[letter] || 0) + 1; });
    var kinds = Object.keys(counts).sort().map(function (letter) { return counts[letter] + " " + letter; });
    return "Score " + state.score + ", " + state.empty + " cells empty. Pieces: " + (kinds.length ? kinds.join(", ") : "none") + "." +
        (state.over ? " The game is over." : "");
}

export function scores(state, showing) { return [state.score]; }

export function legend(showing) {
    var signs = showing.params.colors.split("").map(function (letter) {
        return {paint: function (pen) { piece(pen, 0, 0, letter, tone_of(letter, showing)); }, text: "a piece of colour " + letter};
    });
    signs.push({paint: function (pen) { goal(pen, 0, 0); }, text: "a goal cell"});
    signs.push({paint: function (pen) { changed(pen, 0, 0); }, text: "a cell that this turn changed"});
    return signs;
}

export function move(made, seat, showing) {
    if (typeof made !== "string") { return null; }
    var words = made.trim().split(/\s+/);
    if (words[0] === "SWAP" && words.length === 5) { return "swap " + words[1] + "," + words[2] + " and " + words[3] + "," + words[4]; }
    if (words[0] === "SCORE" && words.length === 3) { return "score " + words[1] + "," + words[2]; }
    return null;
}
