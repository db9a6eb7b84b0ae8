/**
 * The script of the forms, which work without it. It takes over the theme of the pages, moves the secret of a link from the fragment
 * into the form, shows a password that is being typed, and submits a form once, however often its button is pressed while the answer
 * is awaited: the second submission of a link would find it used.
 */
export const script = `
try {
  const theme = localStorage.getItem("telex.preferences.theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {}
addEventListener("DOMContentLoaded", () => {
  const secret = location.hash.slice(1);
  const field = document.querySelector("[data-secret]");
  if (field && secret) {
    field.value = secret;
    field.closest(".field").hidden = true;
    for (const link of document.querySelectorAll("[data-language]")) link.hash = secret;
    if ("submit" in field.form.dataset) field.form.submit();
  }
  for (const form of document.forms)
    form.addEventListener("submit", (event) => {
      if (form.ariaBusy === "true") event.preventDefault();
      form.ariaBusy = "true";
    });
  for (const button of document.querySelectorAll("[data-show]")) {
    const line = document.getElementById(button.dataset.show);
    button.hidden = false;
    button.addEventListener("click", () => {
      const shown = line.type === "password";
      line.type = shown ? "text" : "password";
      button.setAttribute("aria-pressed", String(shown));
    });
    line.form.addEventListener("submit", () => (line.type = "password"));
  }
});
addEventListener("pageshow", () => {
  for (const form of document.forms) form.ariaBusy = null;
});
addEventListener("hashchange", () => location.reload());
`;
