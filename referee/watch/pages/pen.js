// What boards are painted with: the palette, and the pen on a canvas.

// The colours of all boards and pages' plots, by name. A board names a colour; only style.css knows what it looks like.
const colour_names = ["ground", "grid", "wall", "wall2", "ink", "faint", "mark", "good", "bad", "gold",
    "seat0", "seat1", "seat2", "seat3", "seat4", "seat5", "seat6", "seat7", "tone0", "tone1", "tone2", "tone3", "tone4", "tone5", "tone6", "tone7"];
const palettes = {};

// `theme`: that of now, "light" or "dark".
export function palette(theme) {
    if (!palettes[theme]) {
        const style = window.getComputedStyle(document.documentElement);
        palettes[theme] = Object.fromEntries(colour_names.map((name) => [name, style.getPropertyValue("--" + name).trim()]));
    }
    return palettes[theme];
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
