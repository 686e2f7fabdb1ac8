// What boards are painted with: the palette, and the pen on a canvas.

// The colours of all boards and pages' plots, by name. A board names a colour; only this file knows what it looks like. Texts of pages: style.css.
//
// The seats' and pieces' colours keep apart for people who don't see red and green (they differ in lightness and along blue and
// yellow too), and each stands out from "ground" by at least 4.5 to 1, so a letter in "ground" can be read on it.
// Boards mark by shape or letter besides.

const palette_light = {
    ground: "#ffffff", grid: "#d9dde3", wall: "#3c4450", wall2: "#b9b4d8", ink: "#1c2128", faint: "#69727d",
    mark: "#0a58ca", good: "#0b7a4b", bad: "#b42318", gold: "#8a6100",
    seat0: "#0067a5", seat1: "#b84700", seat2: "#00795a", seat3: "#a03a86", seat4: "#3b6fd4", seat5: "#7d6200", seat6: "#5a48b0", seat7: "#565c64",
    tone0: "#8a3fa0", tone1: "#0067a5", tone2: "#8a6a00", tone3: "#c03a1c", tone4: "#00795a", tone5: "#9a5b3c", tone6: "#3f7d94", tone7: "#565c64"
};

const palette_dark = {
    ground: "#12161c", grid: "#2c333d", wall: "#8d97a5", wall2: "#4b4672", ink: "#e8ebef", faint: "#98a2ae",
    mark: "#7db4ff", good: "#4fd19a", bad: "#ff8577", gold: "#ffce54",
    seat0: "#5cb8f0", seat1: "#f5a13c", seat2: "#3ecfa4", seat3: "#e692cc", seat4: "#9bb8ff", seat5: "#e6d34c", seat6: "#b6a6f5", seat7: "#b4bcc6",
    tone0: "#d39ae6", tone1: "#5cb8f0", tone2: "#f0df55", tone3: "#ff8a66", tone4: "#3ecfa4", tone5: "#d9a785", tone6: "#8fd0e0", tone7: "#b4bcc6"
};

// `theme` is "light" or "dark".
export function palette(theme) {
    return theme === "dark" ? palette_dark : palette_light;
}

// The pen that paints on a canvas: what the viewer draws with, because a board of 35x35 is painted hundreds of times a second.
//
// layer(key, draw): `draw` paints what stays the same as long as `key` is the same object (a grid that no turn changed). It is
// painted once into a canvas of its own and copied from then on.

function canvas_calls(context, colours, scale) {
    function painted(fill, options) {
        context.globalAlpha = options.alpha === undefined ? 1 : options.alpha;
        if (fill) {
            context.fillStyle = colours[fill];
            context.fill();
        }
        if (options.stroke) {
            context.strokeStyle = colours[options.stroke];
            context.lineWidth = (options.width || 0.05) * scale;
            context.stroke();
        }
        context.globalAlpha = 1;
    }
    function rect(x, y, w, h, fill, options) {
        var more = options || {};
        context.beginPath();
        if (more.round) {
            context.roundRect(x * scale, y * scale, w * scale, h * scale, more.round * scale);
        } else {
            context.rect(x * scale, y * scale, w * scale, h * scale);
        }
        painted(fill, more);
    }
    function circle(x, y, r, fill, options) {
        context.beginPath();
        context.arc(x * scale, y * scale, r * scale, 0, 2 * Math.PI);
        painted(fill, options || {});
    }
    function line(x1, y1, x2, y2, stroke, options) {
        var more = options || {};
        context.globalAlpha = more.alpha === undefined ? 1 : more.alpha;
        context.strokeStyle = colours[stroke];
        context.lineWidth = (more.width || 0.05) * scale;
        context.lineCap = "round";
        context.setLineDash(more.dash ? more.dash.map(function (part) { return part * scale; }) : []);
        context.beginPath();
        context.moveTo(x1 * scale, y1 * scale);
        context.lineTo(x2 * scale, y2 * scale);
        context.stroke();
        context.setLineDash([]);
        context.globalAlpha = 1;
    }
    function polygon(points, fill, options) {
        context.beginPath();
        for (var i = 0; i < points.length; i += 2) {
            context[i ? "lineTo" : "moveTo"](points[i] * scale, points[i + 1] * scale);
        }
        context.closePath();
        painted(fill, options || {});
    }
    function text(x, y, words, fill, options) {
        var more = options || {};
        var size = more.size || 0.5;
        context.font = (more.bold ? "bold " : "") + size * scale + "px system-ui, 'DejaVu Sans', sans-serif";
        context.textAlign = more.align || "center";
        context.textBaseline = "alphabetic";
        context.fillStyle = colours[fill];
        // A third of the letters' height below the middle is where they stand, as in an SVG.
        context.fillText(String(words), x * scale, (y + size * 0.35) * scale);
    }
    return {rect: rect, circle: circle, line: line, polygon: polygon, text: text};
}

// An easel keeps a canvas, its layers, and paints positions on it.
export function make_easel(canvas) {
    var layers = [];
    var shape = "";

    function layered_pen(context, colours, scale) {
        var pen = canvas_calls(context, colours, scale);
        var used = 0;
        pen.layer = function (key, draw) {
            var kept = layers[used];
            if (!kept || kept.key !== key) {
                var sheet = document.createElement("canvas");
                sheet.width = canvas.width;
                sheet.height = canvas.height;
                var below = canvas_calls(sheet.getContext("2d"), colours, scale);
                below.layer = function (_, inner) { inner(below); };
                draw(below);
                kept = layers[used] = {key: key, sheet: sheet};
            }
            ++used;
            context.drawImage(kept.sheet, 0, 0);
        };
        return pen;
    }

    return {
        // `width` in CSS pixels; the height follows from the board's.
        paint: function (board, showing, state, past, colours, width, frame) {
            var size = board.size(showing);
            var scale = Math.max(1, width * (window.devicePixelRatio || 1)) / size.width;
            var now = [Math.round(size.width * scale), Math.round(size.height * scale), colours.ground, showing.game_id].join(" ");
            if (now !== shape) {
                shape = now;
                layers = [];
                canvas.width = Math.round(size.width * scale);
                canvas.height = Math.round(size.height * scale);
            }
            var context = canvas.getContext("2d");
            context.fillStyle = colours.ground;
            context.fillRect(0, 0, canvas.width, canvas.height);
            board.draw(layered_pen(context, colours, scale), state, showing, past, frame);
        }
    };
}

const sign_pixels = 64;

// A sign, which is painted in a box of 1x1, as a small picture of so many letters' heights.
export function make_sign(paint, size) {
    const canvas = document.createElement("canvas");
    canvas.className = "sign";
    canvas.setAttribute("aria-hidden", "true");
    canvas.width = canvas.height = sign_pixels;
    canvas.style.width = canvas.style.height = size + "em";
    return {
        root: canvas,
        show: function (colours) {
            var context = canvas.getContext("2d");
            context.clearRect(0, 0, sign_pixels, sign_pixels);
            paint(canvas_calls(context, colours, sign_pixels));
        }
    };
}
