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

// The trail that ends `ago` frames ago, back to the start; straight runs are one line.
function trail(pen, cycle, ago, past, colour, alpha) {
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
            pen.line(from[0] + 0.5, from[1] + 0.5, to[0] + 0.5, to[1] + 0.5, colour, style);
            from = to;
        }
        right = dx;
        down = dy;
        to = cell;
    }
    pen.line(from[0] + 0.5, from[1] + 0.5, to[0] + 0.5, to[1] + 0.5, colour, style);
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

export function size(showing) { return {width: showing.params.width, height: showing.params.height}; }

export function draw(pen, state, showing, past) {
    var radius = sign_size(showing);
    pen.layer(showing, function (below) {
        var step = showing.params.width > 40 ? 10 : 1;
        for (var x = 0; x <= showing.params.width; x += step) { below.line(x, 0, x, showing.params.height, "grid", {width: 0.05 * step}); }
        for (var y = 0; y <= showing.params.height; y += step) { below.line(0, y, showing.params.width, y, "grid", {width: 0.05 * step}); }
        showing.state.cycles.forEach(function (cell, cycle) {
            below.rect(cell[0] + 0.5 - radius * 0.5, cell[1] + 0.5 - radius * 0.5, radius, radius, null, {stroke: "seat" + team_of(cycle, showing), width: radius * 0.15});
        });
    });
    var i;
    for (i = 0; i < state.cycles.length; ++i) {
        var colour = "seat" + team_of(i, showing);
        if (!gone(state.cycles[i])) {
            trail(pen, i, 0, past, colour, 1);
        } else {
            var ago = last_seen(i, past);
            if (ago !== null) {
                var alpha = 0.6 * (1 - (ago - 1) / fading);
                var end = past(ago).cycles[i];
                trail(pen, i, ago, past, colour, alpha);
                cross(pen, end[0] + 0.5, end[1] + 0.5, radius, "bad", alpha + 0.3);
            }
        }
    }
    for (i = 0; i < state.cycles.length; ++i) {
        if (!gone(state.cycles[i])) { head(pen, state.cycles[i][0] + 0.5, state.cycles[i][1] + 0.5, radius, team_of(i, showing)); }
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
        if (!Array.isArray(cell)) { return JSON.stringify(cell); }
        return cell[0] < 0 ? "\u2013" : cell.join(",");
    }).join("  ");
}
