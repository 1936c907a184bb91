// How right the model is, and whether its texts or its mistakes change.
import { get } from "./api.js";
import { Chart } from "./chart.js";
import { el, fill } from "./dom.js";
import { count, exactPercent, grouped, longTime, number, shortTime } from "./words.js";

const SERIES = [
  { name: "correct before learning", of: (one) => one.accuracy, kind: "accuracy" },
  { name: "mean probability", of: (one) => one.probability, kind: "probability" },
];

// Of a mean probability, around the share of correct answers.
const TOLERANCE = 0.03;

export class Progress {
  constructor() {
    this.figures = el("dl", { class: "figures" });
    this.none = el("p", { class: "soft" }, "Nothing was confirmed or corrected yet: there is nothing to measure. ",
      "Each decision is scored by the answer of before it.");
    this.legend = el("p", { class: "chart-legend" }, SERIES.map((one) => el("span", { class: one.kind }, one.name)));
    this.chart = new Chart("Share of correct answers over the decisions", "entries of the log", tellWindow);
    this.table = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Figures of the chart" });
    this.drawn = el("div", {}, this.legend, this.chart.element,
      el("details", {}, el("summary", {}, "The figures as a table"), this.table));
    this.element = el("div", {}, el("h2", {}, "Progress"), this.none, this.figures, this.drawn);
  }

  async load() {
    const { progress, drift, ...flat } = await get("progress");
    [this.progress, this.drift] = [progress ?? flat, drift ?? {}];
  }

  show() {
    const { progress, drift } = this;
    const windows = (progress.windows ?? []).filter((one) => one.n > 0);
    this.none.hidden = windows.length > 0;
    this.drawn.hidden = windows.length === 0;
    fill(this.figures, figures(progress, drift).map(([name, value, more]) => el("div", {},
      el("dt", {}, name), el("dd", {}, value, more && el("span", { class: "soft" }, more)))));
    this.chart.show(windows.map((one) => ({ ...one, x: one.last })), SERIES);
    fill(this.table, windows.length > 0 && tableOf(windows));
  }
}

/** The figures that are known, as [name, value, remark]. */
function figures({ n_seen: seen, n_right: right, accuracy, live, fitted }, drift) {
  const beside = (value, write) => (Number.isFinite(value) ? `the model file alone ${write(value)}` : "");
  const { unknown = {}, probability = {}, corrections_per_day: rate = {} } = drift;
  return [
    seen > 0 && ["correct before learning", exactPercent(accuracy), `${grouped(right)} of ${count(seen, "decision")}`],
    live && ["mean probability", exactPercent(live.mean), sureness(live.mean - accuracy)],
    live && ["log loss", number(live.log_loss), beside(fitted?.log_loss, number)],
    live && ["Brier score", number(live.brier), beside(fitted?.brier, number)],
    compared("correct, recent", drift.accuracy ?? {}, exactPercent),
    compared("mean probability, recent", probability, exactPercent),
    compared("unknown words, recent", unknown, exactPercent),
    compared("mistakes a day, recent", rate, number),
  ].filter(Boolean);
}

/** What a mean probability above or below the share of correct answers means. */
function sureness(gap) {
  if (Math.abs(gap) < TOLERANCE) return "as sure as it is correct";
  return gap > 0 ? "surer than it is correct" : "less sure than it is correct";
}

function compared(name, { recent, before }, write) {
  if (!isKnown(recent)) return null;
  return [name, write(recent), isKnown(before) ? `before that ${write(before)}` : "nothing before it"];
}

const isKnown = (value) => value !== null && Number.isFinite(value);

function tellWindow(one) {
  return [`#${one.first} to #${one.last}: `, SERIES.filter(({ of }) => isKnown(of(one)))
    .map(({ name, of }) => `${name} ${exactPercent(of(one))}`).join(", "),
  el("span", { class: "soft" }, ` \u00b7 ${longTime(one.time)}`)];
}

function tableOf(windows) {
  const heads = ["entries", "time", "decisions", ...SERIES.map((one) => one.name), "mistakes a day"];
  return el("table", {},
    el("thead", {}, el("tr", {}, heads.map((one) => el("th", { scope: "col" }, one)))),
    el("tbody", {}, windows.map((one) => el("tr", {},
      el("th", { scope: "row" }, `#${one.first}\u2013#${one.last}`),
      el("td", {}, shortTime(one.time)), el("td", {}, grouped(one.n)),
      SERIES.map(({ of }) => el("td", {}, exactPercent(of(one)))),
      el("td", {}, isKnown(one.corrections_per_day) ? number(one.corrections_per_day) : "")))));
}
