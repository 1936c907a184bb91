// Why a text gets its label: terms and corrections, each with a bar to its side.
import { el, fill } from "./dom.js";
import { isolated, visible } from "./visible.js";
import { knowsNone, labelText, longTime, shortTime, signed } from "./words.js";

export class Why {
  constructor() {
    this.legend = el("p", { class: "legend" });
    this.element = el("div", { class: "why" });
  }

  clear() {
    fill(this.legend);
    fill(this.element);
  }

  show(explanation) {
    const { label, rival, terms = [], corrections = [], spans = [] } = explanation;
    const [its, other] = [labelText(label), labelText(rival)];
    fill(this.legend, spans.length > 0 && [
      el("mark", { class: "for s2" }, "for"), " ", isolated(its), ", solid line; ",
      el("mark", { class: "against s2" }, "against"), rival === undefined || rival === null
        ? " it" : [" it, for ", isolated(other)], ", dashed line. A thicker line counts more."]);
    const most = Math.max(...terms.map((one) => Math.abs(one.contribution)),
      ...corrections.map((one) => Math.abs(one.push)), Number.MIN_VALUE);
    fill(this.element,
      // Then the answer has no reason in the text.
      !knowsNone(explanation) && this.#table("Terms that counted most", ["term", `for ${its}`], terms.map((one) => [
        isolated(one.term), figure(one.contribution, most, one.corrections)])),
      corrections.length > 0 && this.#table("Corrections that pushed it", ["correction", `for ${its}`],
        corrections.map((one) => [
          [`#${one.id} `, isolated(labelText(one.label), { class: "label" }), " ",
            one.author && ["by ", isolated(one.author), " "],
            el("time", { class: "soft", datetime: one.time, title: longTime(one.time) }, shortTime(one.time))],
          figure(one.push, most)])));
  }

  #table(title, heads, rows) {
    if (!rows.length) return el("p", { class: "soft" }, "No term made a difference.");
    return el("table", { class: "pushes" },
      el("caption", {}, title),
      el("thead", { class: "hush" }, el("tr", {}, heads.map((one) => el("th", { scope: "col" }, ...visible(one))))),
      el("tbody", {}, rows.map(([name, value]) => el("tr", {},
        el("th", { scope: "row" }, name), el("td", {}, value)))));
  }
}

function figure(value, most, corrected = 0) {
  const bar = el("span", { class: `push ${value > 0 ? "for" : "against"}`, "aria-hidden": "true" });
  bar.style.width = `${Math.max(2, (100 * Math.abs(value)) / most)}%`;
  const told = corrected ? `, of which ${signed(corrected)} by corrections` : "";
  return [el("span", { class: "figure", title: `${signed(value)}${told}` }, signed(value)),
    el("span", { class: "track", "aria-hidden": "true" }, bar)];
}

