// What a form is answered is told beneath it.

function forms_tell(form, said, answer, text) {
    if (answer.ok && form.dataset.then) {
        window.location.assign(form.dataset.then);
        return;
    }
    const told = JSON.parse(text);
    said.classList.toggle("trouble", !answer.ok);
    said.textContent = !answer.ok ? told.error.message : told.token ? "Your new token, which is shown once: " + told.token : "Done.";
}

for (const form of document.querySelectorAll("form:not(.order)")) {
    const said = document.createElement("p");
    said.setAttribute("role", "status");
    form.append(said);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        window.fetch(form.action, {method: "POST", body: new URLSearchParams(new FormData(form))})
            .then((answer) => answer.text().then((text) => forms_tell(form, said, answer, text)));
    });
}
