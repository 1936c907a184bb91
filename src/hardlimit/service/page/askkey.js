// Asks for the key of the service, once for all requests that wait for it.
import { button, byId, el, fill } from "./dom.js";
import { session } from "./session.js";

let asking = null;

/** Resolves to the key, "" if the user gives none. */
export function askKey() {
  asking ??= ask().finally(() => { asking = null; });
  return asking;
}

function ask() {
  const dialog = byId("key");
  return new Promise((resolve) => {
    const input = el("input", { type: "password", autocomplete: "off", "aria-labelledby": "key-title",
      "aria-describedby": "key-why", spellcheck: "false" });
    const form = el("form", { method: "dialog" },
      el("h2", { id: "key-title" }, "Key of this service"),
      el("div", { id: "key-why" },
        el("p", {}, session.key
          ? "The service does not know this key. It may be mistyped, or it was removed."
          : "This service answers only those who have a key."),
        el("p", { class: "soft" }, "A key comes from the person who runs the service. This command makes one: ",
          el("code", {}, "hardlimit key add MODEL NAME --scope correct"))),
      input,
      el("p", { class: "soft" }, "This tab keeps the key until you close it."),
      el("p", { class: "buttons" }, el("button", { type: "submit", class: "primary" }, "Use this key"),
        button("Not now", () => dialog.close())));
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
