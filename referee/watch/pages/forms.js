// What a form is answered is told on the page that has the form.

const forms_said = document.getElementById("said");

function forms_tell(form, answer, text) {
    if (answer.ok && form.dataset.then) {
        window.location.assign(form.dataset.then);
        return;
    }
    const told = JSON.parse(text);
    if (!answer.ok) {
        forms_said.textContent = told.error.message;
    } else {
        forms_said.textContent = told.token ? "Your new token, which is shown once: " + told.token : "Done.";
    }
}

for (const form of document.querySelectorAll("form:not(.order)")) {
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        window.fetch(form.action, {method: "POST", body: new URLSearchParams(new FormData(form))})
            .then((answer) => answer.text().then((text) => forms_tell(form, answer, text)));
    });
}
