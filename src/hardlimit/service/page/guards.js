// The guards: texts that no correction may flip.
import { get, post, remove } from "./api.js";
import { button, el, fill } from "./dom.js";
import { sameText } from "./texts.js";
import { excerpt, isolated } from "./visible.js";
import { count, labelText, longTime, number, shortTime } from "./words.js";

export class Guards {
  #guards = [];

  /** `done(sentence)` after a change, `failed(error)` after a refusal. */
  constructor(done, failed) {
    [this.done, this.failed] = [done, failed];
    this.head = el("p", {});
    this.rows = el("ul", { class: "cards" });
    this.element = el("div", {}, el("h2", {}, "Guards"),
      el("p", { class: "soft" }, "A guard is a text whose answer no correction may change. To add one, open a text and press ",
        el("kbd", {}, "g"), "."), this.head, this.rows);
  }

  async load() {
    this.#guards = (await get("guards", { chars: 2000 })).guards;
  }

  /** What guards a text: { ids, holds }, else null. */
  of(item) {
    const found = this.#guards.filter((one) => sameText(one, item));
    return found.length ? { ids: found.map((one) => one.id), holds: found.every((one) => one.holds) } : null;
  }

  textOf(id) {
    return this.#guards.find((one) => one.id === id)?.text ?? "";
  }

  show(readOnly) {
    const broken = this.#guards.filter((one) => !one.holds).length;
    this.head.textContent = !this.#guards.length ? "There are no guards."
      : broken ? `${count(broken, "guard")} of ${this.#guards.length} do${broken === 1 ? "es" : ""} not hold.`
        : `${this.#guards.length === 1 ? "The guard holds" : `All ${this.#guards.length} guards hold`}.`;
    // Those that do not hold come first.
    const ordered = [...this.#guards].sort((a, b) => a.holds - b.holds || b.id - a.id);
    keepFocus(this.rows, () => fill(this.rows, ordered.map((one) => this.#card(one, readOnly))));
  }

  #card(guard, readOnly) {
    return el("li", { class: guard.holds ? "card" : "card broken", "data-id": guard.id },
      el("p", {},
        isolated(labelText(guard.label), { class: "label" }),
        guard.holds ? " holds" : [" does not hold: it is ", isolated(labelText(guard.now.label), { class: "label" })],
        el("span", { class: "soft" }, ` by ${number(guard.now.margin)} \u00b7 #${guard.id}`,
          guard.by && [" by ", isolated(guard.by)], " \u00b7 ",
          el("time", { datetime: guard.time, title: longTime(guard.time) }, shortTime(guard.time)))),
      el("p", { class: "excerpt", dir: "auto" }, guard.text === null || guard.text === undefined
        ? "The text is not kept, only its features." : excerpt(guard.text, 300)),
      !readOnly && button("Remove", () => this.#remove(guard.id),
        { "aria-label": `Remove guard #${guard.id}`, "data-focus": `guard-${guard.id}` }));
  }

  async #remove(id) {
    try {
      await removeGuard(id);
      this.done(`Guard #${id} is removed.`);
    } catch (error) {
      this.failed(error);
    }
  }
}

/** Make a text a guard of its label. */
export function addGuard(text, label, by) {
  return post("guards", { text, label, ...(by ? { by } : {}) });
}

export function removeGuard(id) {
  return remove(`guards/${id}`);
}

/** Redraw, and put the focus back on the element with the same data-focus, or near it. */
export function keepFocus(parent, redraw) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  redraw();
  if (!focused) return;
  const again = parent.querySelector(`[data-focus="${CSS.escape(focused)}"]`);
  (again ?? parent.querySelector("[data-focus]") ?? parent.closest("[tabindex]"))?.focus();
}
