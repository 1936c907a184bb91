// Asks for the key of the service, once for all requests that wait for it.
import { byId, el, fill } from "./dom.js";
import { session } from "./session.js";

let asking = null;

/** Resolves to the key, "" where it is refused. */
export function askKey(problem) {
  asking ??= ask(problem).finally(() => { asking = null; });
  return asking;
}

function ask(problem) {
  const dialog = byId("key");
  return new Promise((resolve) => {
    const input = el("input", { type: "password", autocomplete: "off", "aria-labelledby": "key-title",
      "aria-describedby": "key-why", spellcheck: "false" });
    const form = el("form", { method: "dialog" },
      el("h2", { id: "key-title" }, "Key of this service"),
      el("p", { id: "key-why" }, session.key ? "The service does not accept this key. " : "",
        problem.detail && !session.key ? `${problem.detail} ` : "",
        "It is kept in this tab until the tab is closed."),
      input, el("p", { class: "buttons" }, el("button", { type: "submit", class: "primary" }, "Use this key")));
    fill(dialog, form);
    let given = "";
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      given = input.value.trim();
      dialog.close();
    });
    dialog.addEventListener("close", () => resolve(given), { once: true });
    dialog.showModal();
    input.focus();
  });
}
