// The pen that writes SVG, for the small signs of a legend. The calls are those of pen_canvas.js.

function svg_number(value) {
    return String(Math.round(value * 1000) / 1000);
}

function svg_escaped(text) {
    return String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;")
        // What XML has no place for.
        .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, "\ufffd");
}

function svg_attributes(pairs) {
    var text = "";
    for (var i = 0; i < pairs.length; i += 2) {
        if (pairs[i + 1] !== undefined && pairs[i + 1] !== null) {
            text += " " + pairs[i] + "=\"" + (typeof pairs[i + 1] === "number" ? svg_number(pairs[i + 1]) : svg_escaped(pairs[i + 1])) + "\"";
        }
    }
    return text;
}

// A pen whose colours are `colours` (palette.js), and `parts`, the elements that it has written so far.
export function svg_pen(colours) {
    var parts = [];
    function colour(name) { return name ? colours[name] : "none"; }
    function paint(fill, options) {
        return ["fill", colour(fill), "stroke", options.stroke ? colour(options.stroke) : null, "stroke-width", options.stroke ? options.width || 0.05 : null,
                "opacity", options.alpha === undefined ? null : options.alpha];
    }
    function element(name, pairs) { parts.push("<" + name + svg_attributes(pairs) + "/>"); }
    return {
        parts: parts,
        rect: function (x, y, w, h, fill, options) {
            var more = options || {};
            element("rect", ["x", x, "y", y, "width", w, "height", h, "rx", more.round].concat(paint(fill, more)));
        },
        circle: function (x, y, r, fill, options) {
            element("circle", ["cx", x, "cy", y, "r", r].concat(paint(fill, options || {})));
        },
        line: function (x1, y1, x2, y2, stroke, options) {
            var more = options || {};
            element("line", ["x1", x1, "y1", y1, "x2", x2, "y2", y2, "stroke", colour(stroke), "stroke-width", more.width || 0.05, "stroke-linecap", "round",
                             "stroke-dasharray", more.dash ? more.dash.join(" ") : null, "opacity", more.alpha === undefined ? null : more.alpha]);
        },
        polygon: function (points, fill, options) {
            var text = "";
            for (var i = 0; i < points.length; i += 2) { text += (i ? " " : "") + svg_number(points[i]) + "," + svg_number(points[i + 1]); }
            element("polygon", ["points", text].concat(paint(fill, options || {})));
        },
        text: function (x, y, text, fill, options) {
            var more = options || {};
            var anchors = {left: "start", right: "end"};
            // A third of the letters' height below the middle is where they stand.
            var size = more.size || 0.5;
            parts.push("<text" + svg_attributes(["x", x, "y", y + size * 0.35, "fill", colour(fill), "font-size", size, "font-family", "system-ui, DejaVu Sans, sans-serif",
                "font-weight", more.bold ? "bold" : null, "text-anchor", anchors[more.align] || "middle"]) + ">" + svg_escaped(text) + "</text>");
        },
        // A picture is drawn once: nothing is kept for the next one.
        layer: function (key, draw) { draw(this); }
    };
}

// A sign, drawn in a 1x1 box, as a small SVG; `size` is a length such as "24" or "1.5em".
export function svg_sign(paint, colours, size) {
    var pen = svg_pen(colours);
    paint(pen);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" height=\"" + size + "\" viewBox=\"0 0 1 1\" aria-hidden=\"true\">" +
        pen.parts.join("") + "</svg>";
}
