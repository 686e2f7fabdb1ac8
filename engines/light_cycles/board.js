// How Light Cycles are drawn. The states have no trails, so they are read from the states before; no rule is known here.

const letters = "ABCDEFGH";
// How many frames the trail of a terminated cycle takes to fade.
const fading = 15;

function team_of(cycle, showing) { return Math.floor(cycle / showing.params.cycles_per_team); }
function gone(cell) { return cell[0] < 0; }

// A cell is small on a large grid: what must be seen grows with it.
function sign_size(showing) { return Math.max(0.42, Math.max(showing.params.width, showing.params.height) / 75); }

function head(pen, x, y, radius, team) {
    pen.circle(x, y, radius, "seat" + team, {stroke: "ground", width: radius * 0.18});
    pen.text(x, y, letters.charAt(team), "ground", {size: radius * 1.4, bold: true});
}

function cross(pen, x, y, radius, colour, alpha) {
    pen.line(x - radius, y - radius, x + radius, y + radius, colour, {width: radius * 0.45, alpha: alpha});
    pen.line(x - radius, y + radius, x + radius, y - radius, colour, {width: radius * 0.45, alpha: alpha});
}

// Where the middle of a cell is: around the grid there is room for a cycle's sign at its edge.
function middle(cell, showing) {
    var room = 0.5 + sign_size(showing) / 2;
    return [cell[0] + room, cell[1] + room];
}

// The trail that ends `ago` frames ago, back to the start; straight runs are one line.
function trail(pen, cycle, ago, past, showing, alpha) {
    var colour = "seat" + team_of(cycle, showing);
    function run(first, last) {
        var begin = middle(first, showing);
        var end = middle(last, showing);
        pen.line(begin[0], begin[1], end[0], end[1], colour, style);
    }
    var style = {width: 0.66, alpha: alpha};
    var state = past(ago);
    var from = state.cycles[cycle];
    var to = from;
    var right = 0;
    var down = 0;
    for (var k = ago + 1; (state = past(k)) !== null; ++k) {
        var cell = state.cycles[cycle];
        var dx = cell[0] - to[0];
        var dy = cell[1] - to[1];
        if (dx === 0 && dy === 0) { continue; }
        if ((dx !== right || dy !== down) && (right !== 0 || down !== 0)) {
            run(from, to);
            from = to;
        }
        right = dx;
        down = dy;
        to = cell;
    }
    run(from, to);
}

// How many frames ago a cycle still lived; null if longer ago than it takes to fade.
function last_seen(cycle, past) {
    for (var k = 1; k <= fading; ++k) {
        var state = past(k);
        if (state === null) { return null; }
        if (!gone(state.cycles[cycle])) { return k; }
    }
    return null;
}

function living(state, showing) {
    var counts = showing.bots.map(function () { return 0; });
    state.cycles.forEach(function (cell, cycle) {
        if (!gone(cell)) { ++counts[team_of(cycle, showing)]; }
    });
    return counts;
}

export function size(showing) {
    var around = sign_size(showing);
    return {width: showing.params.width + around, height: showing.params.height + around};
}

function draw_grid(pen, showing, radius) {
    var step = showing.params.width > 40 ? 10 : 1;
    var left = radius / 2;
    var right = left + showing.params.width;
    var bottom = left + showing.params.height;
    for (var x = left; x <= right; x += step) { pen.line(x, left, x, bottom, "grid", {width: 0.05 * step}); }
    for (var y = left; y <= bottom; y += step) { pen.line(left, y, right, y, "grid", {width: 0.05 * step}); }
    showing.state.cycles.forEach(function (cell, cycle) {
        var at = middle(cell, showing);
        pen.rect(at[0] - radius / 2, at[1] - radius / 2, radius, radius, null, {stroke: "seat" + team_of(cycle, showing), width: radius * 0.15});
    });
}

export function draw(pen, state, showing, past) {
    var radius = sign_size(showing);
    pen.layer(showing, function (below) { draw_grid(below, showing, radius); });
    var i;
    for (i = 0; i < state.cycles.length; ++i) {
        if (!gone(state.cycles[i])) {
            trail(pen, i, 0, past, showing, 1);
        } else {
            var ago = last_seen(i, past);
            if (ago !== null) {
                var alpha = 0.6 * (1 - (ago - 1) / fading);
                var end = middle(past(ago).cycles[i], showing);
                trail(pen, i, ago, past, showing, alpha);
                cross(pen, end[0], end[1], radius, "bad", alpha + 0.3);
            }
        }
    }
    for (i = 0; i < state.cycles.length; ++i) {
        if (gone(state.cycles[i])) { continue; }
        var at = middle(state.cycles[i], showing);
        head(pen, at[0], at[1], radius, team_of(i, showing));
    }
}

export function describe(state, showing) {
    var counts = living(state, showing);
    return showing.bots.map(function (name, team) {
        var cells = state.cycles.filter(function (cell, cycle) { return team_of(cycle, showing) === team && !gone(cell); });
        return name + " (" + letters.charAt(team) + ") has " + (counts[team] === 0 ? "no living cycle." :
            counts[team] + " living, at " + cells.map(function (cell) { return "x " + cell[0] + ", y " + cell[1]; }).join("; ") + ".");
    }).join(" ");
}

export function scores(state, showing) { return living(state, showing); }

export function legend(showing) {
    var signs = showing.bots.map(function (name, team) {
        return {paint: function (pen) { head(pen, 0.5, 0.5, 0.45, team); }, text: "a cycle of " + name};
    });
    signs.push({paint: function (pen) { pen.line(0, 0.5, 1, 0.5, "seat0", {width: 0.3}); }, text: "a trail"});
    signs.push({paint: function (pen) { cross(pen, 0.5, 0.5, 0.35, "bad", 1); }, text: "here a cycle was terminated; its trail fades"});
    signs.push({paint: function (pen) { pen.rect(0.2, 0.2, 0.6, 0.6, null, {stroke: "seat0", width: 0.1}); }, text: "where a cycle started"});
    return signs;
}

export function move(made, seat, showing) {
    if (!Array.isArray(made)) { return null; }
    return made.map(function (cell) {
        // Of a terminated cycle bots say nothing, or that it is nowhere.
        if (cell === null || (Array.isArray(cell) && cell[0] === -1 && cell[1] === -1)) { return "\u2013"; }
        return Array.isArray(cell) ? cell.join(",") : JSON.stringify(cell);
    }).join("  ");
}
