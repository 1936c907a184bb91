// A text of any length: its beginning, and the rest in pieces when it is asked for.
import { button, el, fill } from "./dom.js";
import { highlighted } from "./highlight.js";
import { count, grouped } from "./words.js";

const FIRST = 4_000;
const PIECE = 16_000;
const PIECES_A_FRAME = 2;

export class LongText {
  #text = null;
  #marks = [];
  #shown = 0;
  #run = 0;

  constructor() {
    this.body = el("div", { class: "text", dir: "auto" });
    this.foot = el("p", { class: "more", hidden: true });
    this.element = el("div", {}, this.body, this.foot);
  }

  /** Show a text with its marks; of the same text, as much as before. */
  show(text, found = []) {
    const same = text === this.#text && JSON.stringify(found) === JSON.stringify(this.#marks);
    if (same) return;
    const until = text === this.#text ? this.#shown : 0;
    this.#run += 1;
    [this.#text, this.#marks, this.#shown] = [text, found, 0];
    fill(this.body);
    this.#append(breakAt(text, 0, FIRST));
    if (until > this.#shown) this.#continue(until, this.#run);
    this.#tell();
  }

  /** Show the next piece, or all of them, a few in each frame. */
  more(all = false) {
    const focused = this.foot.contains(document.activeElement);
    this.#run += 1;
    this.#continue(all ? this.#text.length : this.#shown + 1, this.#run);
    if (focused) (this.foot.querySelector("button") ?? this.body.parentElement).focus();
  }

  get folded() {
    return this.#text !== null && this.#shown < this.#text.length;
  }

  #continue(until, run) {
    if (run !== this.#run) return;
    for (let k = 0; k < PIECES_A_FRAME && this.folded && this.#shown < until; k += 1) {
      this.#append(breakAt(this.#text, this.#shown, PIECE));
    }
    this.#tell();
    if (this.folded && this.#shown < until) requestAnimationFrame(() => this.#continue(until, run));
  }

  #append(end) {
    const nodes = highlighted(this.#text, this.#shown, end, this.#marks);
    this.body.append(el("div", { class: "piece" }, ...nodes));
    this.#shown = end;
  }

  #tell() {
    this.foot.hidden = !this.folded;
    if (!this.folded) {
      fill(this.foot);
      return;
    }
    const left = this.#text.length - this.#shown;
    const next = `Show ${grouped(Math.min(PIECE, left))} more`;
    if (!this.foot.firstChild) {
      fill(this.foot, el("span", { class: "soft" }),
        button("", () => this.more()), button("Show all", () => this.more(true)));
    }
    const [told, one, all] = this.foot.children;
    told.textContent = `${count(left, "more character")}`;
    one.textContent = next;
    all.hidden = left <= PIECE;
  }
}

/** The end of a piece: after a line or a word where one ends nearby, never within a character. */
function breakAt(text, start, size) {
  let end = start + size;
  if (end >= text.length) return text.length;
  const tail = text.slice(end - 400, end);
  const found = Math.max(tail.lastIndexOf("\n"), -1) + 1 || tail.lastIndexOf(" ") + 1;
  if (found) end = end - 400 + found;
  const low = text.charCodeAt(end);
  return low >= 0xdc00 && low <= 0xdfff ? end + 1 : end;
}
