// Changes of a state (RFC 6902: add, replace and remove). The old state stays as it is; what didn't change is shared between
// both, so that all states of a game can be kept.

function pointer_steps(path) {
    return path.split("/").slice(1).map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));
}

// A state with the changes, and how many places had to be copied for it.
export function patched(state, changes) {
    const fresh = new Set();
    let copied = 0;

    function own(value) {
        if (fresh.has(value)) { return value; }
        const copy = Array.isArray(value) ? value.slice() : Object.assign({}, value);
        copied += Array.isArray(value) ? value.length : Object.keys(value).length;
        fresh.add(copy);
        return copy;
    }

    function change_at(parent, key, change) {
        if (!Array.isArray(parent)) {
            if (change.op === "remove") { delete parent[key]; } else { parent[key] = change.value; }
        } else if (change.op === "replace") {
            parent[key] = change.value;
        } else if (change.op === "remove") {
            parent.splice(Number(key), 1);
        } else {
            parent.splice(key === "-" ? parent.length : Number(key), 0, change.value);
        }
    }

    let now = state;
    for (const change of changes) {
        const steps = pointer_steps(change.path);
        if (steps.length === 0) {
            now = change.value;
            continue;
        }
        now = own(now);
        let place = now;
        for (const step of steps.slice(0, -1)) {
            place[step] = own(place[step]);
            place = place[step];
        }
        change_at(place, steps[steps.length - 1], change);
    }
    return {state: now, copied: copied};
}
