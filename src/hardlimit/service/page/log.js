// The log: every entry of the ledger, newest first, with its undo.
import { get } from "./api.js";
import { button, el, fill } from "./dom.js";
import { keepFocus } from "./guards.js";
import { excerpt, isolated } from "./visible.js";
import { count, labelText, longTime, number, shortTime } from "./words.js";

const PAGE = 50;
const KINDS = { correct: "corrected to", confirm: "confirmed as", undo: "undid", guard: "guards",
  unguard: "removed guard", bake: "wrote a model file" };
const MOVES = new Set(["correct", "undo"]);
const UNDOABLE = new Set(["correct", "undo", "confirm"]);

export class Log {
  #entries = [];
  #next = null;
  #pages = 1;

  /** `undo(id)` takes an entry back. */
  constructor(undo, failed) {
    [this.undo, this.failed] = [undo, failed];
    this.rows = el("ul", { class: "cards" });
    this.tail = button("Show older entries", () => this.#older(), { class: "tail", hidden: true });
    this.element = el("div", {}, el("h2", {}, "Log"),
      el("p", { class: "soft" }, "Every change, newest first. An undo is an entry too, and can itself be undone."),
      this.rows, this.tail);
  }

  /** Load as many entries as are shown now. */
  async load() {
    const found = [];
    let next = null;
    for (let k = 0; k < this.#pages && (k === 0 || next !== null); k += 1) {
      const page = await get("log", { limit: PAGE, chars: 300, before: k ? next : null });
      found.push(...page.entries);
      next = page.next ?? null;
    }
    [this.#entries, this.#next] = [found, next];
  }

  show(readOnly) {
    this.readOnly = readOnly;
    const none = el("li", { class: "empty soft" }, "Nothing was changed yet.");
    keepFocus(this.rows, () => fill(this.rows,
      this.#entries.length ? this.#entries.map((one) => this.#card(one)) : none));
    this.tail.hidden = this.#next === null;
  }

  async #older() {
    try {
      this.#pages += 1;
      await this.load();
      this.show(this.readOnly);
    } catch (error) {
      this.failed(error);
    }
  }

  #card(entry) {
    const author = entry.author ?? entry.by;
    const undoable = UNDOABLE.has(entry.kind) && !entry.undone && !this.readOnly;
    return el("li", { class: entry.undone ? "card undone" : "card" },
      el("p", {},
        el("strong", {}, `#${entry.id} `), ...what(entry),
        el("span", { class: "soft" }, author && [" by ", isolated(author)], " \u00b7 ",
          el("time", { datetime: entry.time, title: longTime(entry.time) }, shortTime(entry.time)),
          entry.undone && " \u00b7 undone")),
      entry.text && el("p", { class: "excerpt", dir: "auto" }, ...excerpt(entry.text, 200)),
      el("p", { class: "soft" }, effect(entry)),
      undoable && button("Undo", () => this.undo(entry.id),
        { "aria-label": `Undo #${entry.id}`, "data-focus": `entry-${entry.id}` }));
  }
}

function what(entry) {
  const kind = KINDS[entry.kind] ?? entry.kind;
  if (entry.target !== null && entry.target !== undefined) return [kind, ` #${entry.target}`];
  return entry.label === null || entry.label === undefined ? [kind]
    : [kind, " ", isolated(labelText(entry.label), { class: "label" })];
}

function effect({ kind, details = {} }) {
  const [label, margin] = MOVES.has(kind) ? details.before ?? [] : [];
  const flips = details.flips?.length ?? 0;
  return [
    label !== undefined && label !== null && `was ${storedLabel(label)} by ${number(margin)}`,
    flips > 0 && `${count(flips, "other remembered text")} changed sides`,
    details.flagged?.length > 0 && `flagged: guards ${details.flagged.map((id) => `#${id}`).join(", ")}`,
  ].filter(Boolean).join("; ");
}

/** A label as the ledger writes it: "str:ham", "int:3". */
function storedLabel(label) {
  return labelText(label).replace(/^\w+:/u, "");
}
