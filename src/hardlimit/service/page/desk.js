// The text in view: which one it is, the whole of it, and the latest explanation of its answer.
import { get, post } from "./api.js";
import { sameText } from "./texts.js";

const TERMS = 12;
// One of them is the label that the text has now.
const LIKELIEST = 4;
const PAUSE = 60;

export class Desk {
  item = null;
  text = "";
  explanation = null;
  #turn = 0;

  /** `changed()` after anything in view is new, `failed(error)` after a refusal. */
  constructor(changed, failed) {
    [this.changed, this.failed] = [changed, failed];
  }

  /** Take a text of a list into view. */
  async open(item) {
    [this.item, this.text, this.explanation] = [item, item.text, null];
    this.whole = !(item.length > [...item.text].length);
    this.changed();
    await this.explain(PAUSE);
  }

  close() {
    this.#turn += 1;
    [this.item, this.text, this.explanation] = [null, "", null];
    this.changed();
  }

  /** Whether an item is the text in view; a text that is asked about again has another number. */
  isAbout(item) {
    return Boolean(this.item) && sameText(item, { text: this.text, length: this.item.length });
  }

  /** Take the new state of the same text. */
  renew(item) {
    this.item = { ...item, text: this.item.text };
    this.changed();
  }

  /** Change what is known of the text in view. */
  note(fields) {
    if (fields.now) this.explanation = null;
    this.item = { ...this.item, ...fields };
    this.changed();
  }

  /** Ask why the text has its answer; only the latest question is heard. */
  async explain(pause = 0) {
    const { item } = this;
    if (!item) return;
    const turn = ++this.#turn;
    try {
      if (pause) await new Promise((resume) => { setTimeout(resume, pause); });
      if (turn !== this.#turn) return;
      if (!this.whole) {
        const { text } = await get(`texts/${item.number}`);
        if (turn !== this.#turn) return;
        if (!text.startsWith(item.text)) throw new Error("this text is not there any more");
        [this.text, this.whole] = [text, true];
      }
      const explanation = await post("explain", { text: this.text, top: TERMS, labels: LIKELIEST });
      if (turn !== this.#turn) return;
      this.explanation = explanation;
      this.changed();
    } catch (error) {
      if (turn === this.#turn) this.failed(error);
    }
  }

  /** The label that is in view, which a confirmation is about. */
  get label() {
    return (this.explanation ?? this.item?.now ?? this.item)?.label;
  }

  /** The likeliest labels, the best first; null while they are not known. */
  get likely() {
    return this.explanation?.labels.map((one) => one.label) ?? null;
  }
}
