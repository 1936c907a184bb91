// A list of texts with one selected; its rows are kept, so that nothing jumps when it is loaded again.
import { button, el, fill } from "./dom.js";
import { excerpt, isolated } from "./visible.js";
import { certainty, count, grouped, knowsNone, labelText, longTime, shortTime } from "./words.js";

const STATES = { confirmed: "\u2713 confirmed", corrected: "\u270e corrected" };

export class TextList {
  #rows = new Map();
  #items = [];
  #held = null;
  #selected = null;
  #at = 0;
  #under = false;

  constructor({ label, empty, onSelect, onMore }) {
    this.empty = empty;
    this.onSelect = onSelect;
    this.box = el("ul", { role: "listbox", tabindex: 0, "aria-label": label, class: "rows" });
    // Hidden until something is known of the list.
    this.note = el("p", { class: "empty soft", hidden: true });
    this.news = button("", () => this.#release(), { class: "news", hidden: true });
    this.tail = button("Show older texts", onMore, { class: "tail", hidden: true });
    // Below the rows, where it moves none of them.
    this.element = el("div", { class: "listing" }, this.box, this.note, this.tail, this.news);
    this.element.addEventListener("pointerenter", () => { this.#under = true; });
    this.element.addEventListener("pointerleave", () => { this.#under = false; this.#release(); });
  }

  get items() {
    return this.#items;
  }

  /** Take new items. While a mouse is over the rows they keep their places, unless `now`. */
  update(items, { full = false, now = false } = {}) {
    this.tail.hidden = !full;
    this.note.textContent = this.empty;
    const added = items.filter((one) => !this.#rows.has(one.number)).length;
    const moved = this.#items.length && this.#under && !now && (added || !sameOrder(items, this.#items));
    if (!moved) {
      this.#arrange(items);
      return;
    }
    this.#held = items;
    const fresh = new Map(items.map((one) => [one.number, one]));
    this.#items = this.#items.map((one) => fresh.get(one.number) ?? one);
    this.#items.forEach((one) => this.#row(one));
    this.news.hidden = false;
    this.news.textContent = added ? `${count(added, "new text")}: show` : "The order has changed: show";
  }

  /** Show no items, and why. */
  refuse(why) {
    this.#arrange([]);
    this.tail.hidden = true;
    this.note.textContent = why;
  }

  /** Mark a row as the selected one; false where it is not in the list. */
  select(number) {
    this.#selected = number;
    const place = this.#place();
    if (place >= 0 || number === null) this.#at = Math.max(place, 0);
    for (const [its, row] of this.#rows) row.setAttribute("aria-selected", its === number);
    const row = this.#rows.get(number);
    if (row) {
      this.box.setAttribute("aria-activedescendant", row.id);
      row.scrollIntoView({ block: "nearest" });
    } else this.box.removeAttribute("aria-activedescendant");
    return Boolean(row);
  }

  /** The item so many places on; if the selected one has left the list, from where it was. */
  further(by) {
    const place = this.#place();
    const to = place >= 0 || by < 0 ? (place >= 0 ? place : this.#at) + by : this.#at + by - 1;
    return this.#items[Math.min(Math.max(to, 0), this.#items.length - 1)];
  }

  /** The next item that nobody has decided, else the one before. */
  nextOpen() {
    const place = this.#place();
    const isOpen = (one) => one.state === "new" && one.number !== this.#selected;
    return this.#items.slice(place + 1).find(isOpen) ?? this.#items.slice(0, Math.max(place, 0)).findLast(isOpen);
  }

  #place() {
    return this.#items.findIndex((one) => one.number === this.#selected);
  }

  #release() {
    if (this.#held) this.#arrange(this.#held);
  }

  #arrange(items) {
    this.#held = null;
    this.news.hidden = true;
    this.#items = items;
    const wanted = items.map((one) => this.#row(one));
    const kept = new Set(items.map((one) => one.number));
    for (const [number, row] of this.#rows) {
      if (!kept.has(number)) {
        row.remove();
        this.#rows.delete(number);
      }
    }
    wanted.forEach((row, k) => {
      if (this.box.children[k] !== row) this.box.insertBefore(row, this.box.children[k] ?? null);
    });
    this.note.hidden = items.length > 0;
    this.box.hidden = items.length === 0;
    if (!this.#rows.has(this.#selected)) this.box.removeAttribute("aria-activedescendant");
  }

  #row(item) {
    let row = this.#rows.get(item.number);
    const signature = JSON.stringify([item.label, item.probability, item.margin, item.state,
      item.abstained, item.time, item.now, item.guard, item.times, item.text.slice(0, 200)]);
    if (!row) {
      row = el("li", { role: "option", id: `text-${item.number}`, "aria-selected": "false",
        onclick: () => this.onSelect(item.number, true) });
      this.#rows.set(item.number, row);
    }
    if (row.dataset.signature !== signature) {
      row.dataset.signature = signature;
      row.dataset.state = item.state;
      fill(row, ...cells(item));
    }
    return row;
  }
}

function cells(item) {
  const now = item.now ?? item;
  return [
    el("span", { class: "row-head" },
      now.label !== item.label && [isolated(labelText(item.label), { class: "label before" }), "\u2192"],
      isolated(labelText(now.label), { class: "label" }),
      el("span", { class: knowsNone(now) ? "unsure" : "certainty" }, certainty(now)),
      now.abstained && !knowsNone(now) && el("span", { class: "unsure" }, "unsure"),
      item.state !== "new" && el("span", { class: "state" }, STATES[item.state] ?? item.state),
      item.guard && el("span", { class: item.guard.holds ? "guarded" : "guarded broken" },
        item.guard.holds ? "guarded" : "guard broken"),
      item.times > 1 && el("span", { class: "times", title: `Asked ${grouped(item.times)} times` },
        `\u00d7\u2009${grouped(item.times)}`),
      el("time", { datetime: item.time, title: longTime(item.time) }, shortTime(item.time))),
    item.text.trim() === "" ? el("span", { class: "excerpt soft" }, "empty text")
      : el("span", { class: "excerpt", dir: "auto" }, ...excerpt(item.text)),
  ];
}

function sameOrder(one, other) {
  return one.length === other.length && one.every((item, k) => item.number === other[k].number);
}
