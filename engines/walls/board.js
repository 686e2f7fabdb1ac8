// How a Walls board is drawn. It reads states as RULES.md tells them, and knows no rule.

const margin = 0.8;
const letters = "ABCDEFGH";
// Where a triangle's tip points.
const ways = {N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0]};
const way_names = {N: "north", E: "east", S: "south", W: "west"};

function brick(pen, x, y, seat) {
    pen.rect(x + 0.06, y + 0.06, 0.88, 0.88, "seat" + seat, {round: 0.08, alpha: 0.8});
    pen.text(x + 0.5, y + 0.5, letters.charAt(seat), "ground", {size: 0.5, bold: true});
}

function player(pen, x, y, seat, facing, stalled) {
    var way = ways[facing];
    var cx = x + 0.5;
    var cy = y + 0.5;
    pen.circle(cx, cy, 0.42, "ground", {stroke: "seat" + seat, width: 0.1});
    if (stalled) {
        pen.line(cx - 0.2, cy - 0.2, cx + 0.2, cy + 0.2, "bad", {width: 0.12});
        pen.line(cx - 0.2, cy + 0.2, cx + 0.2, cy - 0.2, "bad", {width: 0.12});
        return;
    }
    pen.polygon([cx + way[0] * 0.34, cy + way[1] * 0.34,
                 cx - way[0] * 0.18 - way[1] * 0.24, cy - way[1] * 0.18 + way[0] * 0.24,
                 cx - way[0] * 0.18 + way[1] * 0.24, cy - way[1] * 0.18 - way[0] * 0.24], "seat" + seat);
}

function draw_grid(pen, size) {
    for (var i = 0; i <= size; ++i) {
        pen.line(margin, margin + i, margin + size, margin + i, "grid", {width: 0.03});
        pen.line(margin + i, margin, margin + i, margin + size, "grid", {width: 0.03});
    }
    for (var k = 0; k < size; ++k) {
        pen.text(margin + k + 0.5, margin / 2, k, "faint", {size: 0.34});
        pen.text(margin / 2, margin + k + 0.5, k, "faint", {size: 0.34});
    }
}

export function size(showing) {
    var cells = showing.state.size;
    return {width: cells + margin + 0.1, height: cells + margin + 0.1};
}

export function draw(pen, state, showing, past) {
    pen.layer(showing, function (below) { draw_grid(below, state.size); });
    pen.layer(state.board, function (below) {
        for (var r = 0; r < state.size; ++r) {
            for (var c = 0; c < state.size; ++c) {
                var seat = letters.indexOf(state.board[r].charAt(c));
                if (seat >= 0) { brick(below, margin + c, margin + r, seat); }
            }
        }
    });
    var before = past(1);
    for (var i = 0; i < state.players.length; ++i) {
        var now = state.players[i];
        if (before && (before.players[i].at[0] !== now.at[0] || before.players[i].at[1] !== now.at[1])) {
            pen.line(margin + before.players[i].at[1] + 0.5, margin + before.players[i].at[0] + 0.5,
                     margin + now.at[1] + 0.5, margin + now.at[0] + 0.5, "ink", {width: 0.06, alpha: 0.7});
        }
        player(pen, margin + now.at[1], margin + now.at[0], i, now.facing, now.stalled);
    }
}

export function describe(state, showing) {
    var words = [];
    for (var i = 0; i < state.players.length; ++i) {
        var one = state.players[i];
        words.push(showing.bots[i] + " (" + letters.charAt(i) + ") has " + one.bricks + (one.bricks === 1 ? " brick" : " bricks") +
            " and stands at row " + one.at[0] + ", column " + one.at[1] +
            (one.stalled ? ", stalled." : ", looking " + way_names[one.facing] + (one.idle ? ", idle for " + one.idle : "") + "."));
    }
    words.push(state.to_move === null ? "The game is over." : showing.bots[state.to_move] + " is to move.");
    return words.join(" ");
}

export function scores(state, showing) {
    return state.players.map(function (one) { return one.bricks; });
}

export function legend(showing) {
    var signs = showing.bots.map(function (name, seat) {
        return {paint: function (pen) { brick(pen, 0, 0, seat); }, text: "a brick of " + name};
    });
    signs.push({paint: function (pen) { player(pen, 0, 0, 0, "E", false); }, text: "a player, and where it looks"});
    signs.push({paint: function (pen) { player(pen, 0, 0, 0, "E", true); }, text: "a stalled player"});
    return signs;
}

export function move(made, seat, showing) {
    return {F: "forward", L: "turn left", R: "turn right"}[made] || null;
}
