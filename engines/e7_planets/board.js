// How a map of E7 Planets is drawn. It reads states as RULES.md tells them, and knows no rule.

const margin = 0.9;
// How many of its last cells a ship or a ghost trails behind it.
const path_cells = 12;
// From this many columns on only every fifth is numbered.
const many = 20;

function centre(cell) { return margin + cell - 0.5; }

function asteroid(pen, x, y) {
    pen.rect(x, y, 1, 1, "wall");
    pen.circle(x + 0.34, y + 0.36, 0.15, "ground", {alpha: 0.22});
    pen.circle(x + 0.68, y + 0.66, 0.11, "ground", {alpha: 0.22});
}

function nebula(pen, x, y, cost) {
    pen.rect(x, y, 1, 1, "wall2", {alpha: Math.min(0.45 + 0.08 * cost, 1)});
    pen.text(x + 0.5, y + 0.5, cost, "ink", {size: cost < 100 ? 0.5 : 0.32});
}

function scrap(pen, x, y, value) {
    pen.polygon([x + 0.5, y + 0.02, x + 0.98, y + 0.5, x + 0.5, y + 0.98, x + 0.02, y + 0.5], "gold", {stroke: "ground", width: 0.04});
    pen.text(x + 0.5, y + 0.5, value, "ground", {size: value < 100 ? 0.42 : 0.26, bold: true});
}

function ship(pen, x, y) {
    pen.circle(x, y, 0.46, "ground", {stroke: "seat0", width: 0.1});
    pen.polygon([x, y - 0.36, x + 0.27, y + 0.26, x, y + 0.12, x - 0.27, y + 0.26], "seat0");
}

// A ghost hunts or goes back and forth, and lets see through it what lets it through.
function ghost(pen, x, y, hunts, transparency) {
    var colour = hunts ? "bad" : "seat3";
    var outline = [x - 0.4, y + 0.42, x - 0.4, y - 0.1, x - 0.28, y - 0.36, x, y - 0.46, x + 0.28, y - 0.36, x + 0.4, y - 0.1, x + 0.4, y + 0.42,
                   x + 0.2, y + 0.28, x, y + 0.42, x - 0.2, y + 0.28];
    pen.polygon(outline, "ground");
    pen.polygon(outline, colour, {alpha: 1 - 0.4 * transparency});
    pen.polygon(outline, null, {stroke: colour, width: 0.07});
    pen.text(x, y, (hunts ? "t" : "b") + transparency, transparency > 0 ? "ink" : "ground", {size: 0.42, bold: true});
}

function inside(cell) { return cell[0] !== null; }

// The way of the last turns. Where it goes around an edge it is drawn out of the one and in at the other.
function path(pen, location, colour) {
    for (var i = Math.max(2, location.length - path_cells); i < location.length; ++i) {
        var from = location[i - 1];
        var to = location[i];
        if (!inside(from) || (from[0] === to[0] && from[1] === to[1])) { continue; }
        var down = to[0] - from[0];
        var right = to[1] - from[1];
        var style = {width: 0.12, alpha: 0.25 + 0.5 * (1 - (location.length - i) / path_cells)};
        if (Math.abs(down) + Math.abs(right) === 1) {
            pen.line(centre(from[1]), centre(from[0]), centre(to[1]), centre(to[0]), colour, style);
        } else {
            var out_down = down === 0 ? 0 : (down > 0 ? -1 : 1);
            var out_right = right === 0 ? 0 : (right > 0 ? -1 : 1);
            pen.line(centre(from[1]), centre(from[0]), centre(from[1] + 0.8 * out_right), centre(from[0] + 0.8 * out_down), colour, style);
            pen.line(centre(to[1] - 0.8 * out_right), centre(to[0] - 0.8 * out_down), centre(to[1]), centre(to[0]), colour, style);
        }
    }
}

function draw_map(pen, grid) {
    var rows = grid.length;
    var columns = grid[0].length;
    for (var i = 0; i <= rows; ++i) { pen.line(margin, margin + i, margin + columns, margin + i, "grid", {width: 0.03}); }
    for (var k = 0; k <= columns; ++k) { pen.line(margin + k, margin, margin + k, margin + rows, "grid", {width: 0.03}); }
    for (var r = 0; r < rows; ++r) {
        for (var c = 0; c < columns; ++c) {
            if (grid[r][c] < 0) {
                asteroid(pen, margin + c, margin + r);
            } else if (grid[r][c] > 0) {
                nebula(pen, margin + c, margin + r, grid[r][c]);
            }
        }
    }
    function numbered(number, all) { return all < many || number % 5 === 0 || number === 1; }
    for (var row = 1; row <= rows; ++row) {
        if (numbered(row, rows)) { pen.text(margin / 2, centre(row), row, "faint", {size: all_size(rows)}); }
    }
    for (var column = 1; column <= columns; ++column) {
        if (numbered(column, columns)) { pen.text(centre(column), margin / 2, column, "faint", {size: all_size(columns)}); }
    }
}

function all_size(cells) { return cells < many ? 0.36 : 0.6; }

export function size(showing) {
    var grid = showing.state.grid;
    return {width: grid[0].length + 2 * margin, height: grid.length + 2 * margin};
}

export function draw(pen, state, showing, past) {
    pen.layer(state.grid, function (below) { draw_map(below, state.grid); });
    var i;
    for (i = 0; i < state.scraps.length; ++i) {
        scrap(pen, centre(state.scraps[i].location[1]) - 0.5, centre(state.scraps[i].location[0]) - 0.5, state.scraps[i].value);
    }
    for (i = 0; i < state.ghosts.length; ++i) { path(pen, state.ghosts[i].location, state.ghosts[i].type === "towardplayer" ? "bad" : "seat3"); }
    path(pen, state.player.location, "seat0");
    var at = state.player.location[state.player.location.length - 1];
    ship(pen, centre(at[1]), centre(at[0]));
    for (i = 0; i < state.ghosts.length; ++i) {
        var one = state.ghosts[i];
        var here = one.location[one.location.length - 1];
        ghost(pen, centre(here[1]), centre(here[0]), one.type === "towardplayer", one.transparency);
    }
}

export function describe(state, showing) {
    var at = state.player.location[state.player.location.length - 1];
    var near = state.scraps.slice(0, 5).map(function (one) { return one.value + " at row " + one.location[0] + ", column " + one.location[1]; });
    var more = state.scraps.length > near.length ? " and " + (state.scraps.length - near.length) + " more" : "";
    var ghosts = state.ghosts.slice(0, 5).map(function (one) {
        var here = one.location[one.location.length - 1];
        return "row " + here[0] + ", column " + here[1];
    });
    return "The ship is at row " + at[0] + ", column " + at[1] + ", with score " + state.player.score + " and " + state.remaining_turns + " turns left. " +
        (near.length ? "Scraps: " + near.join("; ") + more + "." : "No scraps are left.") +
        (ghosts.length ? " Ghosts: " + ghosts.join("; ") + (state.ghosts.length > ghosts.length ? " and more" : "") + "." : "");
}

export function scores(state, showing) { return [state.player.score]; }

export function legend(showing) {
    var signs = [
        {paint: function (pen) { ship(pen, 0.5, 0.5); }, text: "the ship"},
        {paint: function (pen) { scrap(pen, 0, 0, 5); }, text: "a scrap, and its value"},
        {paint: function (pen) { asteroid(pen, 0, 0); }, text: "an asteroid field"},
        {paint: function (pen) { nebula(pen, 0, 0, 3); }, text: "a nebula, and the turns that it costs"}
    ];
    if (showing.state.ghosts.length) {
        signs.push({paint: function (pen) { ghost(pen, 0.5, 0.5, true, 0); }, text: "a ghost that comes toward the player; 0: stopped and slowed like the ship"});
        signs.push({paint: function (pen) { ghost(pen, 0.5, 0.5, false, 1); }, text: "a ghost that goes back and forth; 1: not slowed by nebulae, 2: not stopped by asteroids either"});
    }
    return signs;
}

export function move(made, seat, showing) {
    return {U: "up", D: "down", L: "left", R: "right", ".": "stay"}[made] || null;
}
