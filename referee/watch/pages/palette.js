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
