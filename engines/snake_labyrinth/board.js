// How a Snake Labyrinth is drawn. It reads states as RULES.md tells them, and knows no rule.

// Longer plans are shown by their beginning.
const plan_letters = 24;
const steps = {N: [-1, 0], S: [1, 0], O: [0, -1], E: [0, 1]};

function wall(pen, x, y) {
    pen.rect(x, y, 1, 1, "wall");
    pen.line(x + 0.12, y + 0.5, x + 0.88, y + 0.5, "ground", {width: 0.05, alpha: 0.35});
    pen.line(x + 0.5, y + 0.12, x + 0.5, y + 0.5, "ground", {width: 0.05, alpha: 0.35});
}

function coin(pen, x, y) {
    pen.circle(x + 0.5, y + 0.5, 0.34, "gold");
    pen.text(x + 0.5, y + 0.5, "$", "ground", {size: 0.48, bold: true});
}

function mishap(pen, x, y) {
    pen.polygon([x + 0.5, y + 0.08, x + 0.94, y + 0.9, x + 0.06, y + 0.9], "bad");
    pen.text(x + 0.5, y + 0.6, "!", "ground", {size: 0.52, bold: true});
}

function drill(pen, x, y) {
    pen.rect(x + 0.12, y + 0.12, 0.76, 0.76, "tone1", {round: 0.12});
    pen.text(x + 0.5, y + 0.5, "T", "ground", {size: 0.56, bold: true});
}

function way_out(pen, x, y) {
    pen.rect(x, y, 1, 1, "good", {alpha: 0.3});
    pen.rect(x + 0.1, y + 0.1, 0.8, 0.8, null, {stroke: "good", width: 0.1});
    pen.polygon([x + 0.3, y + 0.28, x + 0.74, y + 0.5, x + 0.3, y + 0.72], "good");
}

function start(pen, x, y) { pen.circle(x + 0.5, y + 0.5, 0.3, null, {stroke: "faint", width: 0.08}); }

function segment(pen, cell, radius) { pen.circle(cell[1] + 0.5, cell[0] + 0.5, radius, "seat0", {stroke: "ground", width: 0.05}); }

function head(pen, cell, way) {
    var x = cell[1] + 0.5;
    var y = cell[0] + 0.5;
    pen.circle(x, y, 0.46, "seat0", {stroke: "ink", width: 0.08});
    var right = way[1];
    var down = way[0];
    // Two eyes look where the snake goes.
    pen.circle(x + right * 0.18 - down * 0.18, y + down * 0.18 - right * 0.18, 0.11, "ground");
    pen.circle(x + right * 0.18 + down * 0.18, y + down * 0.18 + right * 0.18, 0.11, "ground");
}

const objects = {"#": wall, "$": coin, "!": mishap, "T": drill, "_": way_out, "o": start};

function draw_board(pen, board) {
    var height = board.length;
    var width = board[0].length;
    for (var i = 0; i <= height; ++i) { pen.line(0, i, width, i, "grid", {width: 0.02}); }
    for (var k = 0; k <= width; ++k) { pen.line(k, 0, k, height, "grid", {width: 0.02}); }
    for (var r = 0; r < height; ++r) {
        for (var c = 0; c < width; ++c) {
            var object = objects[board[r].charAt(c)];
            if (object) { object(pen, c, r); }
        }
    }
}

// The way of a plan from the head before to the head now; nothing where the letters don't lead there (a wall stopped one).
function draw_plan(pen, from, plan, to) {
    var cells = [from];
    var at = from;
    for (var i = 0; i < plan.length; ++i) {
        var step = steps[plan.charAt(i)];
        if (!step) { return; }
        at = [at[0] + step[0], at[1] + step[1]];
        cells.push(at);
        if (at[0] === to[0] && at[1] === to[1] && i === plan.length - 1) { break; }
    }
    if (at[0] !== to[0] || at[1] !== to[1]) { return; }
    for (var k = 1; k < cells.length; ++k) {
        pen.line(cells[k - 1][1] + 0.5, cells[k - 1][0] + 0.5, cells[k][1] + 0.5, cells[k][0] + 0.5, "mark", {width: 0.14, alpha: 0.6});
    }
}

// Where the head looks: away from its first segment, or from where it was.
function way_of(state, before) {
    var from = state.body.length ? state.body[0] : (before ? before.head : state.head);
    var way = [state.head[0] - from[0], state.head[1] - from[1]];
    if (Math.abs(way[0]) + Math.abs(way[1]) === 0) { return [0, 1]; }
    return Math.abs(way[0]) > Math.abs(way[1]) ? [way[0] > 0 ? 1 : -1, 0] : [0, way[1] > 0 ? 1 : -1];
}

export function size(showing) { return {width: showing.state.board[0].length, height: showing.state.board.length}; }

export function draw(pen, state, showing, past, frame) {
    pen.layer(state.board, function (below) { draw_board(below, state.board); });
    var before = past(1);
    if (frame && before && frame.moves && typeof frame.moves[0] === "string" && frame.moves[0].length > 1) {
        draw_plan(pen, before.head, frame.moves[0], state.head);
    }
    var previous = state.head;
    for (var i = 0; i < state.body.length; ++i) {
        var cell = state.body[i];
        if (Math.abs(cell[0] - previous[0]) + Math.abs(cell[1] - previous[1]) === 1) {
            pen.line(previous[1] + 0.5, previous[0] + 0.5, cell[1] + 0.5, cell[0] + 0.5, "seat0", {width: 0.4});
        }
        previous = cell;
    }
    for (var k = state.body.length - 1; k >= 0; --k) { segment(pen, state.body[k], 0.38 - 0.14 * k / state.body.length); }
    head(pen, state.head, way_of(state, before));
}

export function describe(state, showing) {
    return "The snake's head is at row " + state.head[0] + ", column " + state.head[1] +
        (state.body.length ? ", with " + state.body.length + (state.body.length === 1 ? " segment" : " segments") + " behind it" : "") + ". " +
        state.coins + (state.coins === 1 ? " coin" : " coins") + ", " + state.drill + (state.drill === 1 ? " use" : " uses") + " of the drill, " +
        state.steps + " steps, score " + state.score + "." + (state.finished ? " It is out." : "");
}

export function scores(state, showing) { return [state.score]; }

export function legend(showing) {
    return [
        {paint: function (pen) { head(pen, [0, 0], [0, 1]); }, text: "the snake's head, and where it looks"},
        {paint: function (pen) { segment(pen, [0, 0], 0.38); }, text: "a segment of its body"},
        {paint: function (pen) { wall(pen, 0, 0); }, text: "a wall"},
        {paint: function (pen) { coin(pen, 0, 0); }, text: "a coin"},
        {paint: function (pen) { mishap(pen, 0, 0); }, text: "a mishap"},
        {paint: function (pen) { drill(pen, 0, 0); }, text: "a drill"},
        {paint: function (pen) { way_out(pen, 0, 0); }, text: "an exit"}
    ];
}

export function move(made, seat, showing) {
    if (typeof made !== "string") { return null; }
    return made.length > plan_letters ? made.slice(0, plan_letters) + "\u2026 (" + made.length + " letters in all)" : made;
}
