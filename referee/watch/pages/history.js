// How something went on, as a line: an SVG of our own.

import {element} from "./dom.js";

const history_size = {width: 800, height: 200, left: 66, right: 14, top: 14, bottom: 14};

function history_element(name, attributes, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) { made.setAttribute(key, String(value)); }
    if (text !== undefined) { made.textContent = text; }
    return made;
}

// `values`, the first one first; `told` says it in words to who can't see it.
export function history_plot(values, told) {
    const {width, height, left, right, top, bottom} = history_size;
    const least = values.reduce((found, value) => Math.min(found, value), Infinity);
    const most = values.reduce((found, value) => Math.max(found, value), -Infinity);
    const x = (index) => left + (width - left - right) * (values.length > 1 ? index / (values.length - 1) : 1);
    const y = (value) => height - bottom - (height - top - bottom) * (value - least) / Math.max(most - least, 1);
    const root = history_element("svg", {viewBox: "0 0 " + width + " " + height, class: "history", role: "img", "aria-label": told});
    for (const value of new Set([least, (least + most) / 2, most])) {
        root.append(history_element("line", {x1: left, x2: width - right, y1: y(value), y2: y(value), class: "rule"}),
                    history_element("text", {x: left - 6, y: y(value) + 5}, Math.round(value)));
    }
    const last = values.length - 1;
    root.append(history_element("polyline", {points: values.map((value, index) => x(index).toFixed(1) + "," + y(value).toFixed(1)).join(" ")}),
                history_element("circle", {cx: x(last), cy: y(values[last]), r: 5}));
    return element("div", {class: "plot"}, root);
}
