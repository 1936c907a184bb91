// The keyboard: one table of keys, which the help is made from.
import { button, byId, el, fill } from "./dom.js";
import { session } from "./session.js";

const SCROLLING = /^(Arrow|Home$|End$)/;

/** `table` : [{ keys, shown, what, run }]. Arrow keys, Home and End scroll a text that has the focus. */
export function listen(table) {
  document.addEventListener("keydown", (event) => {
    if (isChord(event) || event.isComposing || session.keysOff) return;
    if (document.querySelector("dialog[open]") || isTyping(event.target)) return;
    if (SCROLLING.test(event.key) && event.target.closest("#reading, #sheet, .views")) return;
    if (event.key === "Enter" && event.target.closest("button, a, summary")) return;
    const found = table.find((one) => one.keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    if (!event.repeat || found.repeats) found.run(event.key);
  });
}

/** Show the keys, and what is set for this browser. */
export function showHelp(table, forgetKey) {
  const dialog = byId("help");
  const off = el("input", { type: "checkbox" });
  off.checked = session.keysOff;
  off.addEventListener("change", () => { session.keysOff = off.checked; });
  const author = el("input", { type: "text", maxlength: 200, dir: "auto", autocomplete: "off" });
  author.value = session.author;
  author.addEventListener("input", () => { session.author = author.value.trim(); });
  fill(dialog,
    el("h2", { id: "help-title" }, "Keys"),
    el("table", { class: "keys" }, el("tbody", {}, table.filter((one) => one.what).map((one) => el("tr", {},
      el("th", { scope: "row" }, one.shown.map((key) => [el("kbd", {}, key), " "])),
      el("td", {}, one.what))))),
    el("p", {}, el("label", {}, off, " Single keys do nothing (for speech input)")),
    el("p", {}, el("label", {}, "Your name in the log ", author), el("br"),
      el("span", { class: "soft" }, "Where the service knows you by a key, it writes the name of that key.")),
    el("p", { class: "buttons" },
      session.key && button("Forget the key", () => { forgetKey(); dialog.close(); }),
      button("Close", () => dialog.close(), { class: "primary", autofocus: true })));
  dialog.showModal();
}

/** Whether the key belongs to the browser; on some keyboards AltGr is needed to type a bracket. */
function isChord(event) {
  return (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
}

function isTyping(target) {
  // A field keeps the focus for a moment after its dialog is closed.
  if (target instanceof HTMLElement && target.closest("dialog:not([open])")) return false;
  return target instanceof HTMLElement && (target.isContentEditable
    || target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])"));
}
