// The games of the page, one beneath the other: who played, and the positions as JSON.
export function startViewer() {
    document.querySelectorAll("script.showing").forEach(function (element) {
        const game = JSON.parse(element.textContent);
        const title = document.createElement("h1");
        title.textContent = game.title + ": " + game.bots.join(", ");
        document.body.appendChild(title);
    });
}
startViewer();
