// The text in view: its answer, what can be done about it, the text itself, and why.
import { button, el, fill } from "./dom.js";
import { marks } from "./highlight.js";
import { LongText } from "./longtext.js";
import { lines } from "./rows.js";
import { isolated } from "./visible.js";
import { Why } from "./why.js";
import { certainty, grouped, knowsNone, labelText, longTime, number, shortTime } from "./words.js";

export class Reading {
  #offered = "";

  /** `actions`: confirm(), label(label), pick(), guard(), back(), undo(). */
  constructor(actions, change) {
    this.actions = actions;
    this.text = new LongText();
    this.why = new Why();
    this.answer = el("p", { class: "answer" });
    this.bar = el("span", { class: "bar-fill" });
    this.blind = el("p", { class: "blind soft", hidden: true },
      "The model knows no term of this text. The label is that of an empty text, and says nothing about this one.");
    this.confirm = button(["Confirm ", el("kbd", {}, "c")], actions.confirm, { class: "primary" });
    this.labels = el("span", { class: "label-buttons", role: "group", "aria-label": "Correct to" });
    this.guard = button(["Guard ", el("kbd", {}, "g")], actions.guard,
      { title: "A guard keeps corrections from changing the label of a text" });
    this.undo = button(["Undo ", el("kbd", {}, "u")], actions.undo);
    this.nothing = el("p", { class: "empty soft" },
      "Choose a text to see why it got its label. ", el("kbd", {}, "j"), " and ", el("kbd", {}, "k"),
      " go through the list, ", el("kbd", {}, "?"), " shows all keys.");
    this.view = el("article", { hidden: true },
      this.answer,
      el("div", { class: "track wide", "aria-hidden": "true" }, this.bar),
      this.blind,
      el("div", { class: "toolbar", role: "group", "aria-label": "What to do" },
        this.confirm, this.labels, this.guard, this.undo),
      el("div", { class: "change-place" }, change.element),
      this.text.element, this.why.legend, this.why.element);
    this.back = button("\u2190 All texts", actions.back, { class: "back" });
    this.elements = [this.back, this.nothing, this.view];
  }

  /** Show an item with its whole text; `explanation` may come later. */
  show(item, text, explanation, { readOnly = false, columns = [] } = {}) {
    this.nothing.hidden = true;
    this.view.hidden = false;
    const its = answerOf(item, explanation);
    const isBlind = knowsNone(its);
    fill(this.answer,
      isolated(labelText(its.label), { class: "label big" }), " ",
      el("strong", { class: isBlind ? "unsure" : null }, certainty(its)), " ",
      el("span", { class: "soft" }, ...facts(item, explanation)));
    const share = isBlind ? NaN : its.probability;
    this.bar.parentElement.hidden = !Number.isFinite(share);
    this.bar.style.width = Number.isFinite(share) ? `${100 * share}%` : "0";
    this.blind.hidden = !isBlind;
    this.undo.hidden = !(item.state === "corrected" && item.id) || readOnly;
    this.guard.disabled = readOnly;
    this.guard.firstChild.data = item.guard ? "Unguard " : "Guard ";
    this.confirm.disabled = readOnly && item.state === "new";
    this.confirm.firstChild.data = item.state === "new" ? "Confirm " : "Next ";
    this.text.show(lines(text, columns), explanation ? marks(text, explanation.spans ?? []) : []);
    if (explanation) this.why.show(explanation);
    else this.why.clear();
  }

  clear() {
    this.nothing.hidden = false;
    this.view.hidden = true;
  }

  /** A button for each of these labels, and one for all others; not `ready`: of the text before. */
  offer(labels, { ready, readOnly }) {
    const signature = JSON.stringify([labels, ready, readOnly]);
    if (signature === this.#offered) return;
    this.#offered = signature;
    fill(this.labels,
      el("span", { class: "soft" }, "Correct to "),
      labels.map((label, k) => button([isolated(labelText(label)), " ", el("kbd", {}, String(k + 1))],
        () => this.actions.label(label), { disabled: readOnly || !ready, title: labelText(label) })),
      button(["other label\u2026 ", el("kbd", {}, "/")], this.actions.pick, { disabled: readOnly }));
  }
}

/** The latest that is known of an answer. */
function answerOf(item, explanation) {
  const now = item.now ?? item;
  return explanation ? { known_features: now.known_features, ...explanation } : now;
}

function facts(item, explanation) {
  const its = answerOf(item, explanation);
  const against = explanation && explanation.rival !== null && explanation.rival !== undefined;
  return [
    Number.isFinite(its.probability) && `margin ${number(its.margin)} `,
    against && ["against ", isolated(labelText(explanation.rival))],
    Number.isInteger(item.number) ? ` \u00b7 #${item.number} \u00b7 ` : " \u00b7 ",
    el("time", { datetime: item.time, title: longTime(item.time) }, shortTime(item.time)),
    item.state !== "new" && ` \u00b7 ${item.state}${item.id ? ` by #${item.id}` : ""}`,
    item.guard && ` \u00b7 guarded by ${item.guard.ids.map((one) => `#${one}`).join(", ")}`
      + (item.guard.holds ? "" : ", which does not hold"),
    item.times > 1 && ` \u00b7 asked ${grouped(item.times)} times`,
  ];
}
