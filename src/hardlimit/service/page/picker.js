// The choice of a label: numbers for the first nine, a search for the rest, a new one by typing it.
import { byId, el, fill } from "./dom.js";
import { isolated } from "./visible.js";
import { grouped, labelText } from "./words.js";

const MOST = 60;

/** Ask for a label; resolves to { label, isNew, dryRun }, or null where nobody chose. */
export function pickLabel(classes, current) {
  const dialog = byId("picker");
  return new Promise((resolve) => {
    const picker = new Picker(classes, current, (choice) => {
      picked = choice;
      dialog.close();
    });
    let picked = null;
    fill(dialog, picker.element);
    dialog.addEventListener("close", () => resolve(picked), { once: true });
    dialog.showModal();
    picker.input.focus();
  });
}

/** Labels that contain what was typed, those that begin with it first. */
export function search(classes, typed) {
  const wanted = plain(typed);
  const found = classes.map((label) => ({ label, text: plain(labelText(label)) }))
    .filter((one) => one.text.includes(wanted));
  const first = found.filter((one) => one.text.startsWith(wanted));
  const rest = found.filter((one) => !one.text.startsWith(wanted));
  return [...first, ...rest].map((one) => one.label);
}

class Picker {
  constructor(classes, current, choose) {
    [this.classes, this.current, this.choose] = [classes, current, choose];
    this.options = [];
    this.active = -1;
    this.input = el("input", { type: "text", role: "combobox", "aria-expanded": "true",
      "aria-controls": "labels", "aria-autocomplete": "list", "aria-label": "Search labels",
      placeholder: "Search, or type a new label", spellcheck: "false", dir: "auto",
      oninput: () => this.#list(), onkeydown: (event) => this.#key(event) });
    this.box = el("ul", { id: "labels", role: "listbox", "aria-label": "Labels", class: "labels" });
    this.note = el("p", { class: "soft", role: "status" });
    this.only = el("input", { type: "checkbox" });
    this.element = el("div", {},
      el("h2", { id: "picker-title" }, "What is it?"), this.input, this.box, this.note,
      el("label", { class: "try" }, this.only, " Try only: say what it would change, change nothing"),
      el("p", { class: "soft" }, el("kbd", {}, "Enter"), " takes the marked label, ",
        el("kbd", {}, "Esc"), " leaves everything as it is."));
    this.#list();
  }

  #list() {
    const typed = this.input.value.trim();
    const found = search(this.classes, typed);
    const twin = this.classes.map(labelText).find((label) => folded(label) === folded(typed));
    this.options = found.slice(0, MOST).map((label) => ({ label, isNew: false }));
    if (typed && twin === undefined) this.options.push({ label: typed, isNew: true });
    fill(this.box, this.options.map((one, k) => this.#option(one, k, typed)));
    const left = found.length - MOST;
    this.note.textContent = typed && twin !== undefined && twin !== typed
      ? `A new label has to differ from "${twin}" by more than case and spaces.`
      : left > 0 ? `${grouped(left)} more: type to narrow the search`
      : found.length ? "" : "No label of this name; with the arrow down and Enter it becomes a new one.";
    // A new label is never taken by accident: it has to be marked first.
    this.#mark(found.length && (typed || found.length > 1) ? 0 : -1);
  }

  #option(one, k, typed) {
    const name = isolated(labelText(one.label));
    const text = one.isNew ? ["New label: ", name]
      : [name, one.label === this.current && el("span", { class: "soft" }, " the answer now")];
    const shortcut = !typed && k < 9 ? el("kbd", {}, String(k + 1)) : null;
    return el("li", { role: "option", id: `label-${k}`, "aria-selected": "false",
      onclick: () => this.#take(k) }, ...text, shortcut);
  }

  #key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps && this.options.length) {
      const n = this.options.length;
      this.#mark(this.active < 0 ? (steps[event.key] > 0 ? 0 : n - 1) : (this.active + steps[event.key] + n) % n);
    } else if (event.key === "Enter") {
      if (this.active >= 0) this.#take(this.active);
    } else if (/^[1-9]$/.test(event.key) && !this.input.value && this.options[event.key - 1]
      && !this.#beginsALabel(event.key)) {
      this.#take(event.key - 1);
    } else return;
    event.preventDefault();
  }

  #beginsALabel(digit) {
    return this.classes.some((label) => labelText(label).includes(digit));
  }

  #mark(k) {
    this.active = k;
    [...this.box.children].forEach((one, at) => one.setAttribute("aria-selected", at === k));
    if (k < 0) this.input.removeAttribute("aria-activedescendant");
    else {
      this.input.setAttribute("aria-activedescendant", `label-${k}`);
      this.box.children[k].scrollIntoView({ block: "nearest" });
    }
  }

  #take(k) {
    this.choose({ ...this.options[k], dryRun: this.only.checked });
  }
}

function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** A label without what people overlook: case, spaces, what is not seen. */
function folded(text) {
  return text.normalize("NFKC").toLowerCase().replace(/[\s\p{C}]/gu, "");
}
