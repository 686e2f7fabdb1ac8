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

// The board that a game is drawn by, or null.
export function board_of(game) { return Object.prototype.hasOwnProperty.call(boards, game) ? boards[game] : null; }

// The pen that paints on a canvas: what the viewer draws with, because a board of 35x35 is painted hundreds of times a second.
//
// layer(key, draw): `draw` paints what stays the same as long as `key` is the same object (a grid that no turn changed). It is
// painted once into a canvas of its own and copied from then on.

function canvas_calls(context, colours, scale) {
    // Through points as x, y, x, y.
    function path(points) {
        context.beginPath();
        for (let i = 0; i < points.length; i += 2) { context[i ? "lineTo" : "moveTo"](points[i] * scale, points[i + 1] * scale); }
    }
    // Fills the path, and strokes it where that is asked for.
    function paint(fill, {alpha = 1, stroke, width}) {
        context.globalAlpha = alpha;
        if (fill) {
            context.fillStyle = colours[fill];
            context.fill();
        }
        if (stroke) {
            context.strokeStyle = colours[stroke];
            context.lineWidth = (width || 0.05) * scale;
            context.stroke();
        }
        context.globalAlpha = 1;
    }
    return {
        rect: (x, y, w, h, fill, options = {}) => {
            context.beginPath();
            const [left, top, width, height] = [x, y, w, h].map((part) => part * scale);
            if (options.round) { context.roundRect(left, top, width, height, options.round * scale); } else { context.rect(left, top, width, height); }
            paint(fill, options);
        },
        circle: (x, y, r, fill, options = {}) => {
            context.beginPath();
            context.arc(x * scale, y * scale, r * scale, 0, 2 * Math.PI);
            paint(fill, options);
        },
        line: (x1, y1, x2, y2, stroke, {alpha, width, dash = []} = {}) => {
            path([x1, y1, x2, y2]);
            context.lineCap = "round";
            context.setLineDash(dash.map((part) => part * scale));
            paint(null, {alpha, width, stroke});
            context.setLineDash([]);
        },
        polygon: (points, fill, options = {}) => {
            path(points);
            context.closePath();
            paint(fill, options);
        },
        text: (x, y, words, fill, {size = 0.5, bold, align} = {}) => {
            context.font = (bold ? "bold " : "") + size * scale + "px system-ui, 'DejaVu Sans', sans-serif";
            context.textAlign = align || "center";
            context.textBaseline = "alphabetic";
            context.fillStyle = colours[fill];
            // A third of the letters' height below the middle is where they stand, as in an SVG.
            context.fillText(String(words), x * scale, (y + size * 0.35) * scale);
        }
    };
}

// An easel keeps a canvas, its layers, and paints positions on it.
export function make_easel(canvas) {
    let layers = [];
    let shape = "";

    function layered_pen(context, colours, scale) {
        let used = 0;
        const layer = (key, draw) => {
            if (layers[used]?.key !== key) {
                const sheet = document.createElement("canvas");
                sheet.width = canvas.width;
                sheet.height = canvas.height;
                const below = {...canvas_calls(sheet.getContext("2d"), colours, scale), layer: (_, inner) => inner(below)};
                draw(below);
                layers[used] = {key, sheet};
            }
            context.drawImage(layers[used++].sheet, 0, 0);
        };
        return {...canvas_calls(context, colours, scale), layer};
    }

    return {
        // `width` in CSS pixels; the height follows from the board's.
        paint: (board, showing, state, past, colours, width, frame) => {
            const size = board.size(showing);
            const scale = Math.max(1, width * (window.devicePixelRatio || 1)) / size.width;
            const now = [Math.round(size.width * scale), Math.round(size.height * scale), colours.ground, showing.game_id].join(" ");
            if (now !== shape) {
                shape = now;
                layers = [];
                canvas.width = Math.round(size.width * scale);
                canvas.height = Math.round(size.height * scale);
            }
            const context = canvas.getContext("2d");
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
        show: (colours) => {
            const context = canvas.getContext("2d");
            context.clearRect(0, 0, sign_pixels, sign_pixels);
            paint(canvas_calls(context, colours, sign_pixels));
        }
    };
}
