// How right the model is, and whether its texts or its mistakes change.
import { get } from "./api.js";
import { Chart } from "./chart.js";
import { el, fill } from "./dom.js";
import { exactPercent, grouped, longTime, number, shortTime } from "./words.js";

const SERIES = [
  { name: "correct before learning", of: (one) => one.accuracy, kind: "accuracy" },
  { name: "mean probability", of: (one) => one.mean_probability, kind: "probability" },
  { name: "corrected", of: (one) => one.correction_rate, kind: "corrections" },
];

export class Progress {
  constructor() {
    this.figures = el("dl", { class: "figures" });
    this.none = el("p", { class: "soft" }, "Nothing was confirmed or corrected yet: there is nothing to measure. ",
      "Each decision is scored by the answer of before it.");
    this.legend = el("p", { class: "chart-legend" }, SERIES.map((one) => el("span", { class: one.kind }, one.name)));
    this.chart = new Chart("Share of correct answers over the decisions", "decisions, oldest to newest", tellWindow);
    this.table = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Figures of the chart" });
    this.drawn = el("div", {}, this.legend, this.chart.element,
      el("details", {}, el("summary", {}, "The figures as a table"), this.table));
    this.element = el("div", {}, el("h2", {}, "Progress"), this.none, this.figures, this.drawn);
  }

  async load() {
    this.progress = await get("progress");
  }

  show() {
    const { progress } = this;
    const windows = (progress.windows ?? []).filter((one) => one.n > 0);
    this.none.hidden = windows.length > 0;
    this.drawn.hidden = windows.length === 0;
    fill(this.figures, figures(progress).map(([name, value, more]) => el("div", {},
      el("dt", {}, name), el("dd", {}, value, more && el("span", { class: "soft" }, more)))));
    this.chart.show(windows.map((one) => ({ ...one, x: one.last })), SERIES);
    fill(this.table, windows.length > 0 && tableOf(windows));
  }
}

/** The figures that are there, as [name, value, remark]. */
function figures(progress) {
  const drift = progress.drift ?? {};
  const beside = (base) => (Number.isFinite(base) ? `the model file alone ${number(base)}` : "");
  return [
    progress.n_seen > 0 && ["correct before learning", exactPercent(progress.accuracy),
      `${grouped(progress.n_right)} of ${grouped(progress.n_seen)} decisions`],
    Number.isFinite(progress.log_loss) && ["log loss", number(progress.log_loss), beside(progress.base_log_loss)],
    Number.isFinite(progress.brier) && ["Brier score", number(progress.brier), beside(progress.base_brier)],
    Number.isFinite(drift.mean_probability) && ["calibration", exactPercent(drift.mean_probability),
      `mean probability of answers that were ${exactPercent(drift.accuracy)} correct`],
    Number.isFinite(drift.unknown_recent) && ["unknown terms", exactPercent(drift.unknown_recent),
      Number.isFinite(drift.unknown_training) ? `of recent texts; in training ${exactPercent(drift.unknown_training)}` : "of recent texts"],
  ].filter(Boolean);
}

function tellWindow(one) {
  return [`#${one.first} to #${one.last}: `, SERIES.filter(({ of }) => Number.isFinite(of(one)))
    .map(({ name, of }) => `${name} ${exactPercent(of(one))}`).join(", "),
  el("span", { class: "soft" }, ` \u00b7 ${longTime(one.time)}`)];
}

function tableOf(windows) {
  const heads = ["entries", "time", "decisions", ...SERIES.map((one) => one.name)];
  return el("table", {},
    el("thead", {}, el("tr", {}, heads.map((one) => el("th", { scope: "col" }, one)))),
    el("tbody", {}, windows.map((one) => el("tr", {},
      el("th", { scope: "row" }, `#${one.first}\u2013#${one.last}`),
      el("td", {}, shortTime(one.time)), el("td", {}, grouped(one.n)),
      SERIES.map(({ of }) => el("td", {}, exactPercent(of(one))))))));
}
